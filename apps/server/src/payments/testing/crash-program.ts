import { type CrashFixture, type FlowName, flows } from './crash-flows.ts';
import { withPoints } from './crash-points.ts';
import { wireMoney } from './wire-money.ts';

/** One money flow in its own process, which dies at the given point like in a power cut, without any handler. */
interface Orders {
  flow: FlowName;
  fixture: CrashFixture;
  databaseUrl: string;
  bankUrl: string;
  now: string;
  /** The number of the last point; after the end of the flow the program lives. */
  dieAt: number;
}

const orders = JSON.parse(process.argv[2] ?? '{}') as Orders;
let passed = 0;
let now = Date.parse(orders.now);

const money = wireMoney({
  databaseUrl: orders.databaseUrl,
  bankUrl: orders.bankUrl,
  clock: { now: () => new Date(now) },
  onlyUser: orders.fixture.user,
  wrap: (parts) =>
    withPoints(parts, () => {
      passed += 1;
      if (passed === orders.dieAt) process.kill(process.pid, 'SIGKILL');
    }),
});
/** Time of this program only, for work that it postpones for a moment. */
async function pass(ms: number): Promise<void> {
  now += ms;
  await money.runDue();
}
await flows[orders.flow].run({ ...money, pass }, orders.fixture);
await money.close();
