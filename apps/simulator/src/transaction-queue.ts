import { CallFailed } from '@fpay/ocpp';
import type { Clock, Timer } from './clock.ts';

/** A message about a transaction: kept until it is answered, or tried often enough. */
export interface TransactionMessage {
  action: 'StartTransaction' | 'MeterValues' | 'StopTransaction';
  /** Asked when it is sent: the transaction's id is known only once the start before it was answered. */
  payload: () => object;
  onAnswer?: (answer: unknown) => void;
  /** Given up after the last attempt. */
  onDropped?: () => void;
}

interface Dependencies {
  clock: Clock;
  send: (action: string, payload: object) => Promise<unknown>;
  isOnline: () => boolean;
  /** `TransactionMessageAttempts` and `TransactionMessageRetryInterval`, asked each time: they may change. */
  attempts: () => number;
  retryIntervalMs: () => number;
  /** Sends each message twice. */
  repeats: () => boolean;
}

/** A day offline at one sample in a minute. Beyond it the oldest samples go; starts and stops never do. */
export const MAX_QUEUED_MESSAGES = 1_500;

/** In order, one at a time, over any number of connections and reboots. */
export class TransactionQueue {
  readonly #dependencies: Dependencies;
  #waiting: TransactionMessage[] = [];
  #tries = 0;
  #isSending = false;
  #retry: Timer | null = null;
  #idle: (() => void)[] = [];

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  get length(): number {
    return this.#waiting.length;
  }

  push(message: TransactionMessage): void {
    this.#waiting.push(message);
    if (this.#waiting.length > MAX_QUEUED_MESSAGES) {
      // The first one may be on its way.
      const oldest = this.#waiting.findIndex(({ action }, index) => index > 0 && action === 'MeterValues');
      if (oldest !== -1) this.#waiting.splice(oldest, 1);
    }
    void this.flush();
  }

  /** Goes on where it stopped; called when the connection is back. */
  async flush(): Promise<void> {
    if (this.#isSending || this.#retry !== null) return;
    this.#isSending = true;
    try {
      while (this.#waiting.length > 0 && this.#dependencies.isOnline()) {
        if (!(await this.#sendFirst())) break;
      }
    } finally {
      this.#isSending = false;
    }
    if (this.#waiting.length === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** Resolves when nothing waits any more. */
  async drained(): Promise<void> {
    if (this.#waiting.length === 0 && !this.#isSending) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  stop(): void {
    this.#retry?.cancel();
    this.#retry = null;
  }

  /** False when the rest has to wait. */
  async #sendFirst(): Promise<boolean> {
    const [first] = this.#waiting as [TransactionMessage];
    const { send, repeats, attempts, retryIntervalMs, clock } = this.#dependencies;
    const payload = first.payload();
    try {
      const answer = await send(first.action, payload);
      if (repeats()) await send(first.action, payload);
      this.#done();
      first.onAnswer?.(answer);
      return true;
    } catch (error) {
      // The connection broke: that is no attempt, and it goes on with the next one.
      if (error instanceof CallFailed && error.failure === 'closed') return false;
      this.#tries++;
      if (this.#tries >= attempts()) {
        this.#done();
        first.onDropped?.();
        return true;
      }
      this.#retry = clock.after(retryIntervalMs() * this.#tries, () => {
        this.#retry = null;
        void this.flush();
      });
      return false;
    }
  }

  #done(): void {
    this.#waiting.shift();
    this.#tries = 0;
  }
}
