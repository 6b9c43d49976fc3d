import { newNonce } from './signature.ts';

/**
 * Remembers the nonce of a call that moves money until an answer came. A reload or a dead network then repeats the
 * same request, and the server, which knows the nonce, answers what it answered before instead of paying again.
 */
export function createMoneyNonces(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>) {
  return {
    /** The call is told by what it asks for: another sum is another payment. */
    keep(request: string): string {
      const kept = storage.getItem(prefix + request);
      if (kept) return kept;
      const nonce = newNonce();
      storage.setItem(prefix + request, nonce);
      return nonce;
    },
    forget(request: string): void {
      storage.removeItem(prefix + request);
    },
  };
}

export type MoneyNonces = ReturnType<typeof createMoneyNonces>;

const prefix = 'fpay.nonce ';
