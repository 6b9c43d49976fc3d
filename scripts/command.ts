import { spawn } from 'node:child_process';
import { killGroup } from '../e2e/support/parts.ts';

export interface CommandOptions {
  cwd?: string;
  env?: Record<string, string>;
  stop: AbortSignal;
}

/** How long a runner may take to close its browsers and databases after the signal to stop. */
const stopTimeoutMs = 15_000;

/** Runs a command with inherited output; throws when it fails. */
export async function command(argv: string[], { cwd, env = {}, stop }: CommandOptions): Promise<void> {
  stop.throwIfAborted();
  const [file = '', ...args] = argv;
  // A process group of its own, so that Ctrl-C reaches only us and we forward it once.
  const child = spawn(file, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  });
  const stopChild = () => {
    child.kill('SIGINT');
    setTimeout(() => killGroup(child.pid), stopTimeoutMs).unref();
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
