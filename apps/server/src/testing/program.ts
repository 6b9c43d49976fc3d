import { type ChildProcess, spawn } from 'node:child_process';
import { bundledProgram } from './bundled-program.ts';

/** Starts a program of `testing/programs` in its own process, for tests that kill it. */
export async function startProgram(name: string, ...args: string[]) {
  const { file, env } = await bundledProgram(new URL(`./programs/${name}.ts`, import.meta.url));
  const child: ChildProcess = spawn(process.execPath, [file, ...args], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...process.env, ...env },
  });
  let output = '';
  const waiting = new Set<() => void>();
  child.stdout?.on('data', (chunk) => {
    output += chunk;
    for (const look of waiting) look();
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    ended,
    /** Resolves once the program has printed this. */
    printed: (text: string) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (!output.includes(text)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    /** Sends a message to a program that listens. */
    send: (message: object) => void child.send(message),
    /** Ends it without a shutdown, like a power cut. */
    kill: () =>
      new Promise<void>((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGKILL');
      }),
  };
}
