import { isDatabaseAway } from '../database.ts';

export interface BatchOptions<Item, Result> {
  /** Runs the items together and returns one result for each, in their order. */
  run(items: Item[]): Promise<Result[]>;
  /** How long the first item of a batch waits for more, in ms. */
  waitMs: number;
  most: number;
  /** How many batches run at once. It must be 1 unless items of different batches can never need the same rows. */
  atOnce?: number;
  /**
   * How long a batch is retried while the database is away or has no free connection. Devices wait half a minute and
   * more for an answer.
   */
  retryForMs?: number;
  /** Items with the same key are never in one batch: the later item waits for the next one. */
  keyOf?: (item: Item) => unknown;
}

const retryMs = 250;

/**
 * Turns many small writes into few large ones: items that arrive while a batch is being written form the next batch.
 */
export function createBatch<Item, Result>(options: BatchOptions<Item, Result>) {
  const { run, waitMs, most, keyOf, atOnce = 1, retryForMs = 10_000 } = options;
  interface Waiting {
    item: Item;
    resolve(result: Result): void;
    reject(error: unknown): void;
  }
  let waiting: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;
  const running = new Set<Promise<void>>();

  function takeBatch(): Waiting[] {
    if (!keyOf && waiting.length <= most) {
      const all = waiting;
      waiting = [];
      return all;
    }
    const keys = new Set<unknown>();
    const batch: Waiting[] = [];
    const later: Waiting[] = [];
    for (const entry of waiting) {
      const key = keyOf ? keyOf(entry.item) : entry;
      if (batch.length < most && !keys.has(key)) {
        keys.add(key);
        batch.push(entry);
      } else later.push(entry);
    }
    waiting = later;
    return batch;
  }

  async function runBatch(batch: Waiting[], until = performance.now() + retryForMs): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item));
      for (const [index, entry] of batch.entries()) entry.resolve(results[index] as Result);
    } catch (error) {
      // After a refusal the device would send the same message again a minute later, so a retry here is better.
      if (isDatabaseAway(error) && performance.now() < until) {
        await new Promise((resolve) => setTimeout(resolve, retryMs));
        return runBatch(batch, until);
      }
      if (batch.length === 1 || isDatabaseAway(error)) {
        for (const entry of batch) entry.reject(error);
        return;
      }
      // An item that cannot be written must not fail the others. Halving the batch finds it in a few dozen writes.
      const middle = batch.length >> 1;
      await runBatch(batch.slice(0, middle));
      await runBatch(batch.slice(middle));
    }
  }

  function start(): void {
    timer = undefined;
    if (waiting.length === 0) return;
    const work: Promise<void> = runBatch(takeBatch()).finally(() => {
      running.delete(work);
      if (timer) clearTimeout(timer);
      start();
    });
    running.add(work);
  }

  return {
    add(item: Item): Promise<Result> {
      return new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        if (running.size < atOnce && !timer) timer = setTimeout(start, waitMs);
      });
    },
    /** Resolves when every added item is written. */
    async drain(): Promise<void> {
      if (timer) {
        clearTimeout(timer);
        start();
      }
      while (running.size > 0) await Promise.all(running);
    },
  };
}
