import { NetworkError } from '../../../api/errors.ts';

/** A driver without a network gives up by then, and must not pay after having left. */
export const unsentForMs = 60_000;
/** The device may report a network that does not work. */
const pauseMs = 3000;
/** By then a usual answer has come. */
const slowMs = 8000;

/** `unsent` can still be withdrawn; `unanswered` may have been taken by the server, so it is followed. */
export interface PaymentWait {
  kind: 'unsent' | 'unanswered';
  /** Unix ms of the press. */
  since: number;
}

/** It was not sent, and will not be. */
export class PaymentWithdrawn extends Error {
  override readonly name = 'PaymentWithdrawn';
}

interface Sending {
  /** Withdraws the payment, if it was not sent. */
  signal: AbortSignal;
  /** Sent by this page before a reload. */
  wasSent?: boolean;
  onWait: (wait: PaymentWait) => void;
}

/**
 * Sends a payment once the device has a network, within a minute of the press or never. From the moment it may have arrived it
 * is repeated, with its nonce, until the server answers: only the answer tells whether it was paid.
 */
export async function sendPayment<Reply>(
  send: (signal: AbortSignal) => Promise<Reply>,
  { signal, wasSent = false, onWait }: Sending,
): Promise<Reply> {
  const since = Date.now();
  let isSent = wasSent;
  const wait = () => onWait({ kind: isSent ? 'unanswered' : 'unsent', since });
  for (;;) {
    if (!isSent && (signal.aborted || Date.now() - since >= unsentForMs)) throw new PaymentWithdrawn();
    if (navigator.onLine) {
      const slow = setTimeout(() => onWait({ kind: 'unanswered', since }), slowMs);
      try {
        return await send(signal);
      } catch (error) {
        if (!isSent && signal.aborted && error === signal.reason) throw new PaymentWithdrawn();
        if (!(error instanceof NetworkError)) throw error;
        isSent ||= error.mayHaveArrived;
      } finally {
        clearTimeout(slow);
      }
    }
    wait();
    await nextTry(isSent ? null : signal, isSent ? pauseMs : Math.min(pauseMs, since + unsentForMs - Date.now()));
  }
}

/** A pause, which ends early when the network is back or the driver withdraws. */
function nextTry(signal: AbortSignal | null, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, Math.max(0, ms));
    addEventListener('online', end);
    signal?.addEventListener('abort', end);
    function end() {
      clearTimeout(timer);
      removeEventListener('online', end);
      signal?.removeEventListener('abort', end);
      resolve();
    }
  });
}
