import { isDatabaseAway } from '../platform/database.ts';

export interface GatherOptions<Item, Result> {
  /** Does them together; gives one result for each, in their order. */
  run(items: Item[]): Promise<Result[]>;
  /** How long the first of an idle time waits for company. */
  waitMs: number;
  most: number;
  /** Groups under way together; 1 unless items of different groups can never need the same rows. */
  atOnce?: number;
  /** Items of one key never meet in one group: the later one waits for the next. */
  keyOf?: (item: Item) => unknown;
}

/** Many small writes as few large ones: what comes while one group is being written is the next group. */
export function createGather<Item, Result>({ run, waitMs, most, keyOf, atOnce = 1 }: GatherOptions<Item, Result>) {
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

  async function runGroup(group: Waiting[]): Promise<void> {
    try {
      const results = await run(group.map(({ item }) => item));
      for (const [index, entry] of group.entries()) entry.resolve(results[index] as Result);
    } catch (error) {
      if (group.length === 1 || isDatabaseAway(error)) {
        for (const entry of group) entry.reject(error);
        return;
      }
      // One that cannot be written must not take the others with it.
      for (const entry of group) await runGroup([entry]);
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
