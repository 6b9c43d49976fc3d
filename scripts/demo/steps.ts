/** One line for each step of the start, with its time. In a terminal the running step is shown too. */
export interface StepList {
  begin(running: string): void;
  /** Ends the running step under its final name. */
  end(done: string): void;
  /** Prints a line between the steps without breaking the running one. */
  note(line: string): void;
  /** Removes the running step, when the start was stopped. */
  clear(): void;
}

interface Output {
  isTTY?: boolean;
  write(text: string): unknown;
}

const nameWidth = 46;

export function createStepList(output: Output, now: () => number = () => performance.now()): StepList {
  let running: { text: string; since: number } | null = null;
  const wipe = () => output.isTTY && running && output.write('\r\u001b[K');
  const show = () => output.isTTY && running && output.write(`  … ${running.text}`);
  return {
    begin(text) {
      wipe();
      running = { text, since: now() };
      show();
    },
    end(done) {
      wipe();
      const seconds = running ? (now() - running.since) / 1000 : 0;
      running = null;
      output.write(`  ✓ ${done.padEnd(nameWidth)} ${seconds.toFixed(1).padStart(6)} s\n`);
    },
    note(line) {
      wipe();
      output.write(`${line}\n`);
      show();
    },
    clear() {
      wipe();
      running = null;
    },
  };
}
