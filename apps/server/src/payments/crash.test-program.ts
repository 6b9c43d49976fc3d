import { type FlowName, flows, type Ground } from './crash-flows.test-support.ts';
import { withPoints } from './crash-points.test-support.ts';
import { wireMoney } from './wire-money.test-support.ts';

/** One money flow in a process of its own, which dies at the point it was told, as by a power cut: no handler, no goodbye. */
interface Orders {
  flow: FlowName;
  ground: Ground;
  databaseUrl: string;
  bankUrl: string;
  now: string;
  /** The how-manieth point is the last; past the end of the flow it lives. */
  dieAt: number;
}

const orders = JSON.parse(process.argv[2] ?? '{}') as Orders;
let passed = 0;
let now = Date.parse(orders.now);

const money = wireMoney({
  databaseUrl: orders.databaseUrl,
  bankUrl: orders.bankUrl,
  clock: { now: () => new Date(now) },
  onlyUser: orders.ground.user,
  wrap: (parts) =>
    withPoints(parts, () => {
      passed += 1;
      if (passed === orders.dieAt) process.kill(process.pid, 'SIGKILL');
    }),
});
/** Time of this program alone: for what it puts off for a moment. */
async function pass(ms: number): Promise<void> {
  now += ms;
  await money.runDue();
}
await flows[orders.flow].run({ ...money, pass }, orders.ground);
await money.close();
