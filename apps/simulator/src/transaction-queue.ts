import { CallFailed } from '@fpay/ocpp';
import type { Clock, Timer } from './clock.ts';

/** A message about a transaction, which is kept until it is answered or the attempts are used up. */
export interface TransactionMessage {
  action: 'StartTransaction' | 'MeterValues' | 'StopTransaction';
  /** A function, because the transaction's id is known only after the start was answered. */
  payload: () => object;
  onAnswer?: (answer: unknown) => void;
  /** Called when the message was dropped after the last attempt. */
  onDropped?: () => void;
}

interface Dependencies {
  clock: Clock;
  send: (action: string, payload: object) => Promise<unknown>;
  isOnline: () => boolean;
  /** `TransactionMessageAttempts` and `TransactionMessageRetryInterval`; functions, because they may change. */
  attempts: () => number;
  retryIntervalMs: () => number;
  /** True when each message is sent twice. */
  repeats: () => boolean;
}

/**
 * A day offline at one sample per minute. Above it the oldest samples are dropped; starts and stops are never dropped.
 */
export const MAX_QUEUED_MESSAGES = 1_500;

/** Sends in order, one at a time, over any number of connections and reboots. */
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
      // The first message may be in transit, so it is not dropped.
      const oldest = this.#waiting.findIndex(({ action }, index) => index > 0 && action === 'MeterValues');
      if (oldest !== -1) this.#waiting.splice(oldest, 1);
    }
    void this.flush();
  }

  /** Continues sending after a reconnect. */
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

  /** Resolves when the queue is empty. */
  async drained(): Promise<void> {
    if (this.#waiting.length === 0 && !this.#isSending) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  stop(): void {
    this.#retry?.cancel();
    this.#retry = null;
  }

  /** Returns false when the rest has to wait. */
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
      // The connection broke. This does not count as an attempt; the message is sent again after the reconnect.
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
