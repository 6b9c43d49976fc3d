import { newNonce } from './signature.ts';

/**
 * Stores the nonce of a call that moves money from the moment it is sent until an answer came. After a reload or a lost
 * network the same request is repeated, and the server, which knows the nonce, repeats its answer instead of paying again. A
 * call that was never sent leaves none, so nothing of it is sent later.
 */
export function createMoneyNonces(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>) {
  // Two presses at once are one call, also before the first is sent.
  const unsent = new Map<string, string>();
  return {
    /** The request's content identifies the call, because another amount is another payment. */
    nonceFor(request: string): string {
      const nonce = storage.getItem(prefix + request) ?? unsent.get(request) ?? newNonce();
      unsent.set(request, nonce);
      return nonce;
    },
    /** Just before the request is sent. */
    keep(request: string, nonce: string): void {
      storage.setItem(prefix + request, nonce);
    },
    has: (request: string): boolean => storage.getItem(prefix + request) !== null,
    remove(request: string): void {
      unsent.delete(request);
      storage.removeItem(prefix + request);
    },
  };
}

export type MoneyNonces = ReturnType<typeof createMoneyNonces>;

const prefix = 'fpay.nonce ';

/** Whether a call to this path was sent and not answered, by this page or by the one before a reload. */
export function isUnanswered(storage: Storage, method: string, path: string): boolean {
  return Object.keys(storage).some((key) => key.startsWith(`${prefix}${method} ${path} `));
}
