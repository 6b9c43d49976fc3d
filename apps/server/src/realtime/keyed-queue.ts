type Task = () => Promise<void>;

/**
 * Runs tasks of one key one after the other and those of different keys in parallel, so that messages of a group keep
 * their order over HTTP. `width` bounds how many run at once, `waiting` how many may wait in memory.
 */
export function createKeyedQueue({ width, waiting }: { width: number; waiting: number }) {
  /** Keys with a task running or waiting; the first task of each list is the one that runs or is next. */
  const queues = new Map<string, Task[]>();
  const ready: string[] = [];
  let whenEmpty: Array<() => void> = [];
  let running = 0;
  let held = 0;

  function start(): void {
    while (running < width) {
      const key = ready.shift();
      if (key === undefined) return;
      running++;
      void runFirst(key);
    }
  }

  async function runFirst(key: string): Promise<void> {
    const tasks = queues.get(key) ?? [];
    try {
      await tasks[0]?.();
    } catch {
      // A task reports its own failure; the queue goes on with the next one.
    }
    tasks.shift();
    running--;
    held--;
    if (tasks.length > 0) ready.push(key);
    else queues.delete(key);
    if (held === 0) {
      for (const resolve of whenEmpty) resolve();
      whenEmpty = [];
    }
    start();
  }

  return {
    /** False when there is no room: the task is then dropped. */
    add(key: string, task: Task): boolean {
      if (held >= waiting) return false;
      held++;
      const tasks = queues.get(key);
      if (tasks) tasks.push(task);
      else {
        queues.set(key, [task]);
        ready.push(key);
        start();
      }
      return true;
    },

    async empty(): Promise<void> {
      if (held > 0) await new Promise<void>((resolve) => whenEmpty.push(resolve));
    },
  };
}
