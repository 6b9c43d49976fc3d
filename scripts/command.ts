import { spawn } from 'node:child_process';

export interface CommandOptions {
  cwd?: string;
  env?: Record<string, string>;
  stop: AbortSignal;
}

/** How long a runner may take to put its browsers and databases away once it is told to stop. */
const stopPatienceMs = 15_000;

/** Runs a command with its output on ours; throws when it does not succeed. */
export async function command(argv: string[], { cwd, env = {}, stop }: CommandOptions): Promise<void> {
  stop.throwIfAborted();
  const [file = '', ...args] = argv;
  // A group of its own: a Ctrl-C at the terminal reaches only us, and we pass it on once.
  const child = spawn(file, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  });
  const stopChild = () => {
    child.kill('SIGINT');
    setTimeout(() => killGroup(child.pid), stopPatienceMs).unref();
  };
  stop.addEventListener('abort', stopChild, { once: true });
  try {
    const how = await new Promise<string | number>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code, signal) => resolve(signal ?? code ?? 0));
    });
    if (how !== 0) throw new Error(`${argv.slice(0, 2).join(' ')} ended with ${how}`);
  } finally {
    stop.removeEventListener('abort', stopChild);
  }
}

/** The process with everything it started. */
export function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Ended in this very moment.
  }
}
