import { newNonce } from './signature.ts';

/**
 * Stores the nonce of a call that moves money until an answer came. After a reload or a lost network the same request
 * is repeated, and the server, which knows the nonce, repeats its answer instead of paying again.
 */
export function createMoneyNonces(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>) {
  return {
    /** The request's content identifies the call, because another amount is another payment. */
    nonceFor(request: string): string {
      const stored = storage.getItem(prefix + request);
      if (stored) return stored;
      const nonce = newNonce();
      storage.setItem(prefix + request, nonce);
      return nonce;
    },
    remove(request: string): void {
      storage.removeItem(prefix + request);
    },
  };
}

export type MoneyNonces = ReturnType<typeof createMoneyNonces>;

const prefix = 'fpay.nonce ';
