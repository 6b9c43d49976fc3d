import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A part of a bench in its own process: it sends a first message when it is ready, and answers each question with one. */
export async function startPart(file: string, args: string[], execArgv: string[] = []) {
  const profiling = process.env.PROFILE ? ['--cpu-prof', `--cpu-prof-dir=${process.env.PROFILE}`] : [];
  const child: ChildProcess = fork(fileURLToPath(new URL(file, import.meta.url)), args, {
    execArgv: [...execArgv, ...profiling],
  });
  const [first] = await once(child, 'message');
  return {
    first,
    async ask(question: object | string): Promise<Record<string, unknown>> {
      child.send(question);
      const [answer] = await once(child, 'message');
      return answer as Record<string, unknown>;
    },
    async end(): Promise<void> {
      const exited = once(child, 'exit');
      child.send('end');
      await exited;
    },
    /** As a power cut ends it. */
    async kill(): Promise<void> {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}

export type Part = Awaited<ReturnType<typeof startPart>>;
