import { isDatabaseAway } from '../platform/database.ts';

export interface GatherOptions<Item, Result> {
  /** Does them together; gives one result for each, in their order. */
  run(items: Item[]): Promise<Result[]>;
  /** How long the first of an idle time waits for company. */
  waitMs: number;
  most: number;
  /** Groups under way together; 1 unless items of different groups can never need the same rows. */
  atOnce?: number;
  /** How long a database that is away, or too busy to let us in, is tried again; devices wait for half a minute and more. */
  patienceMs?: number;
  /** Items of one key never meet in one group: the later one waits for the next. */
  keyOf?: (item: Item) => unknown;
}

const retryMs = 250;

/** Many small writes as few large ones: what comes while one group is being written is the next group. */
export function createGather<Item, Result>(options: GatherOptions<Item, Result>) {
  const { run, waitMs, most, keyOf, atOnce = 1, patienceMs = 10_000 } = options;
  interface Waiting {
    item: Item;
    resolve(result: Result): void;
    reject(error: unknown): void;
  }
  let waiting: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;
  const running = new Set<Promise<void>>();

  function takeGroup(): Waiting[] {
    if (!keyOf && waiting.length <= most) {
      const all = waiting;
      waiting = [];
      return all;
    }
    const keys = new Set<unknown>();
    const group: Waiting[] = [];
    const later: Waiting[] = [];
    for (const entry of waiting) {
      const key = keyOf ? keyOf(entry.item) : entry;
      if (group.length < most && !keys.has(key)) {
        keys.add(key);
        group.push(entry);
      } else later.push(entry);
    }
    waiting = later;
    return group;
  }

  async function runGroup(group: Waiting[], until = performance.now() + patienceMs): Promise<void> {
    try {
      const results = await run(group.map(({ item }) => item));
      for (const [index, entry] of group.entries()) entry.resolve(results[index] as Result);
    } catch (error) {
      // A refusal would only make the device say it again, after a minute.
      if (isDatabaseAway(error) && performance.now() < until) {
        await new Promise((resolve) => setTimeout(resolve, retryMs));
        return runGroup(group, until);
      }
      if (group.length === 1 || isDatabaseAway(error)) {
        for (const entry of group) entry.reject(error);
        return;
      }
      // An item that cannot be written must not fail the others. Halving finds it in a few dozen writes, not one for each.
      const middle = group.length >> 1;
      await runGroup(group.slice(0, middle));
      await runGroup(group.slice(middle));
    }
  }

  function start(): void {
    timer = undefined;
    if (waiting.length === 0) return;
    const work: Promise<void> = runGroup(takeGroup()).finally(() => {
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
    /** Resolves when all that was added is written. */
    async drain(): Promise<void> {
      if (timer) {
        clearTimeout(timer);
        start();
      }
      while (running.size > 0) await Promise.all(running);
    },
  };
}
