import type { CrashFixture } from './crash-flow.ts';
import { type FlowName, flows } from './crash-flows.ts';
import { withPoints } from './crash-points.ts';
import { wireMoney } from './wire-money.ts';

/**
 * One money flow in its own process, several times side by side. Each run stops at a point of its own; when all of them have
 * reached it, the process dies like in a power cut, without any handler. To load the modules takes most of the time of a
 * process, so a process for each point would take many times as long.
 */
export interface CrashOrders {
  flow: FlowName;
  /** The number of the point at which each run is killed. A run without a point goes to its end. */
  runs: { fixture: CrashFixture; dieAt: number | null }[];
  databaseUrl: string;
  bankUrl: string;
  now: string;
}

const orders = JSON.parse(process.argv[2] ?? '{}') as CrashOrders;
let atTheirPoints = 0;

async function run({ fixture, dieAt }: CrashOrders['runs'][number]): Promise<void> {
  let passed = 0;
  let now = Date.parse(orders.now);

  async function point(): Promise<void> {
    passed += 1;
    if (dieAt === null || passed < dieAt) return;
    if (passed === dieAt) atTheirPoints += 1;
    if (atTheirPoints === orders.runs.length) process.kill(process.pid, 'SIGKILL');
    // Whatever else this run does at the same time ends at its next point, too.
    await new Promise(() => {});
  }

  const money = wireMoney({
    databaseUrl: orders.databaseUrl,
    bankUrl: orders.bankUrl,
    clock: { now: () => new Date(now) },
    onlyUser: fixture.user,
    wrap: (parts) => withPoints(parts, point),
  });
  /** Time of this run only, for work that it postpones for a moment. */
  async function pass(ms: number): Promise<void> {
    now += ms;
    await money.runDue();
  }
  await flows[orders.flow].run({ ...money, pass }, fixture);
  if (dieAt !== null) throw new Error(`the flow ended after ${passed} points, before point ${dieAt}`);
  await money.close();
}

await Promise.all(orders.runs.map(run));
