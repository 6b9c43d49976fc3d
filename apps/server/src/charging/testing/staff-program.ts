import type { Steps } from '../../platform/step.ts';
import { type StaffSubject, staffActions } from './staff-actions.ts';
import { wireStaffParts } from './staff-parts.ts';

/** One action of staff in its own process, with what is due at the bank afterwards. */
export interface StaffProgram {
  action: string;
  subject: StaffSubject;
  databaseUrl: string;
  bankUrl: string;
  now: string;
  /** The number of the point at which it is killed; 0 lets it live, and then it prints the points that it passed. */
  dieAt: number;
}

const { action, subject, databaseUrl, bankUrl, now, dieAt } = JSON.parse(process.argv[2] ?? '{}') as StaffProgram;
const passed: string[] = [];

/** A point of the program. Being killed here is like a power cut: no handler runs, and the database drops the connection. */
function point(name: string): void {
  passed.push(name);
  if (passed.length === dieAt) process.kill(process.pid, 'SIGKILL');
}

/** A point before each statement of a transaction and one after its commit. */
const withStepPoints = (steps: Steps): Steps => ({
  ...steps,
  run: async (work) => {
    const result = await steps.run((step) => {
      const plugin = {
        transformQuery: <Args extends { node: unknown }>({ node }: Args) => {
          point('statement');
          return node as Args['node'];
        },
        transformResult: async <Args extends { result: unknown }>({ result: rows }: Args) => rows as Args['result'],
      };
      return work({ ...step, db: step.db.withPlugin(plugin as never) as typeof step.db });
    });
    point('commit');
    return result;
  },
});

/** A point after each answer of the bank to a request that changes something there. */
const usualFetch = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const answer = await usualFetch(input, init);
  if (init?.method === 'POST') point('bank');
  return answer;
};

const parts = wireStaffParts({
  databaseUrl,
  bankUrl,
  clock: { now: () => new Date(now) },
  wrapSteps: withStepPoints,
});
await staffActions[action]?.(parts, subject);
await parts.runDue(subject.user);
process.stdout.write(JSON.stringify(passed));
await parts.close();
