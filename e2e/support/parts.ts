import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

/** One program of the demo in its own process. */
export interface Part {
  name: string;
  /** Resolves when the process ends, with a sentence that describes the end. */
  ended: Promise<string>;
  /** Sends SIGTERM, waits, and kills it when it does not end. */
  stop(): Promise<void>;
}

/** The server finishes requests and stops its database within 15 s; this adds a margin. */
const stopTimeoutMs = 20_000;

export interface PartOptions {
  name: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  onLine(line: string): void;
}

export function startPart({ name, args, env, onLine }: PartOptions): Part {
  const follow = new URL('./end-with-parent.ts', import.meta.url).href;
  const child = spawn(process.execPath, ['--import', follow, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // A process group of its own, so that Ctrl-C reaches only us and we stop the parts in order.
    detached: true,
  });
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface(stream).on('line', onLine);
  }
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`${name} could not be started: ${error.message}`));
    child.once('exit', (code, signal) => resolve(`${name} ended with ${signal ?? `code ${code}`}`));
  });
  return {
    name,
    ended,
    async stop() {
      child.kill('SIGTERM');
      const timer = new AbortController();
      const isLate = await Promise.race([
        ended.then(() => false),
        sleep(stopTimeoutMs, true, { signal: timer.signal, ref: false }),
      ]);
      if (isLate) killGroup(child.pid);
      timer.abort();
      await ended;
    },
  };
}

/** Kills the process and everything that it started. */
export function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // The process has just ended.
  }
}
