import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Database } from '../database.ts';
import { BotError } from './bot-error.ts';
import type { TelegramStore } from './store.ts';
import type { Update, UpdateType } from './types.ts';

const dayMs = 86_400_000;
const answerWithinMs = 30_000;
const firstRetryMs = 1000;
const longestRetryMs = 60_000;

/** Updates that wait until the bot fetches them or its webhook accepts them. */
export interface Updates {
  add(type: UpdateType, content: object): void;
  poll(wish: { offset: number; limit: number; timeoutSec: number; onGone(give: () => void): void }): Promise<Update[]>;
  /** The webhook was set or removed. */
  webhookChanged(): void;
  stop(): Promise<void>;
}

interface Parts {
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  store: TelegramStore;
  /** A webhook may answer with a Bot API call, which is then executed. */
  callFromWebhook(method: string, sent: Record<string, unknown>): void;
}

export function createUpdates({ db, clock, log, store, callFromWebhook }: Parts): Updates {
  const stopping = new AbortController();
  let waiting: { wake(): void; replace(): void } | null = null;
  let delivery: Promise<void> | null = null;
  let stopRetry = () => {};
  let retryMs = firstRetryMs;

  async function post(update: Update): Promise<boolean> {
    const { webhook } = store.state();
    if (!webhook) return false;
    try {
      const response = await fetch(webhook.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(webhook.secret !== null && { 'x-telegram-bot-api-secret-token': webhook.secret }),
        },
        body: JSON.stringify(update),
        redirect: 'manual',
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(answerWithinMs)]),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`Wrong response from the webhook: ${response.status} ${response.statusText}`);
      const reply = jsonObject(text);
      if (typeof reply?.method === 'string') callFromWebhook(reply.method, reply);
      return true;
    } catch (error) {
      if (stopping.signal.aborted) return false;
      const message = error instanceof Error ? error.message : 'Connection failed';
      const date = Math.floor(clock.now() / 1000);
      // The webhook may have been removed or changed meanwhile.
      if (store.state().webhook?.url === webhook.url) {
        store.setState({ webhook: { ...webhook, lastError: { date, message } } });
      }
      return false;
    }
  }

  /** Delivers one after the other, in order; a failed one is repeated with backoff. */
  async function deliver(): Promise<void> {
    for (;;) {
      store.forgetUpdatesOlderThan(clock.now() - dayMs);
      const [next] = store.updates(0, 1);
      if (!next || !store.state().webhook || stopping.signal.aborted) return;
      if (await post(next)) {
        store.forgetUpdates(next.update_id + 1);
        retryMs = firstRetryMs;
      } else {
        stopRetry = clock.after(retryMs, pump);
        retryMs = Math.min(retryMs * 2, longestRetryMs);
        return;
      }
    }
  }

  function pump(): void {
    if (delivery || stopping.signal.aborted || !store.state().webhook) return;
    stopRetry();
    delivery = deliver()
      .catch((error) => log.error(error, 'updates not delivered'))
      .finally(() => {
        delivery = null;
      });
  }
  // Delivers what was pending when the sandbox was killed.
  clock.after(0, pump);

  return {
    add(type, content) {
      if (!store.state().allowedUpdates.includes(type)) return;
      store.addUpdate({ [type]: content }, clock.now());
      waiting?.wake();
      pump();
    },
    async poll({ offset, limit, timeoutSec, onGone }) {
      waiting?.replace();
      const ready = db.transaction(() => {
        store.forgetUpdatesOlderThan(clock.now() - dayMs);
        // A negative offset selects the last updates and drops earlier ones.
        const from = offset < 0 ? store.newestUpdateId() + 1 + offset : offset;
        if (offset !== 0) store.forgetUpdates(from);
        return store.updates(0, limit);
      });
      if (ready.length > 0 || timeoutSec <= 0) return ready;
      return new Promise<Update[]>((resolve, reject) => {
        const end = () => {
          cancel();
          if (waiting === mine) waiting = null;
        };
        const wake = () => {
          end();
          resolve(store.updates(0, limit));
        };
        const replace = () => {
          end();
          reject(
            new BotError(
              409,
              'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
            ),
          );
        };
        const mine = { wake, replace };
        const cancel = clock.after(timeoutSec * 1000, wake);
        waiting = mine;
        onGone(end);
      });
    },
    webhookChanged() {
      retryMs = firstRetryMs;
      pump();
    },
    async stop() {
      stopping.abort();
      stopRetry();
      waiting?.wake();
      await delivery;
    },
  };
}

function jsonObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
