import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crashPoints, type FlowName, flows, type Ground, withPoints } from './crash-flows.test-support.ts';
import { type Money, startMoney } from './money.test-support.ts';
import { wireMoney } from './wire-money.test-support.ts';

const program = fileURLToPath(new URL('crash.test-program.ts', import.meta.url));
const atOnce = 4;
/** A process for each point, on a machine that may be busy with other tests. */
const patienceMs = 180_000;

let money: Money;
beforeAll(async () => {
  money = await startMoney();
});
afterAll(() => money.close());

async function prepare(): Promise<Ground> {
  const [user, other, staff] = [await money.addUser(), await money.addUser(), await money.addUser('Admin')];
  await money.give(user.id, 300_00);
  const operation = await money.addOperation(user.id, { deposit: 100_00 });
  return { user: user.id, staff: staff.id, other: other.phone, operation, key: `crash:${user.id}` };
}

/** Resolves with whether the program died of its order. */
function runUntil(flow: FlowName, ground: Ground, dieAt: number): Promise<boolean> {
  const { database, bankUrl, clock } = money;
  const orders = { flow, ground, dieAt, databaseUrl: database.appUrl, bankUrl, now: clock.now() };
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, JSON.stringify(orders)], { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (data) => {
      said += data;
    });
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      if (signal === 'SIGKILL') resolve(true);
      else if (code === 0) resolve(false);
      else reject(new Error(`the program ended with ${code}: ${said}`));
    });
  });
}

/** What those who drive the flows would do once the server is back: ask again, and let due work do the rest. */
async function recover(flow: FlowName, grounds: Ground[]): Promise<void> {
  for (let minute = 0; minute < 4; minute += 1) {
    for (const ground of grounds) await flows[flow].run(money, ground);
    await money.pass(60_000);
  }
}

async function outcome(flow: FlowName, { user, operation, key }: Ground) {
  const { store, service } = money.payments;
  const isTopUp = flows[flow].method === 'top_up';
  const payment = isTopUp ? await store.byRequest(key) : await service.ofOperation(operation);
  const { state, captured, refunded, lost } = payment ?? {};
  return { payment: payment ? { state, captured, refunded, lost } : null, balance: await money.wallet.balanceOf(user) };
}

const names = Object.keys(flows) as FlowName[];

test.each(names)(
  'a server killed anywhere in "%s" ends it right after the restart',
  { timeout: patienceMs },
  async (flow) => {
    const points = crashPoints[flow];
    for (let first = 0; first < points.length; first += atOnce) {
      const batch = points.slice(first, first + atOnce);
      const grounds: Ground[] = [];
      for (const _ of batch) grounds.push(await prepare());
      const died = await Promise.all(grounds.map((ground, index) => runUntil(flow, ground, first + index + 1)));
      expect(died).toEqual(batch.map(() => true));
      await recover(flow, grounds);
      for (const [index, ground] of grounds.entries()) {
        const after = `${first + index + 1}: ${batch[index]}`;
        expect({ after, ...(await outcome(flow, ground)) }).toEqual({ after, ...flows[flow].ends });
      }
    }
    expect(await money.faults()).toEqual([]);
  },
);

test.each(names)('the points of "%s" are those that are listed', async (flow) => {
  const passed: string[] = [];
  const watched = wireMoney({
    databaseUrl: money.database.appUrl,
    bankUrl: money.bankUrl,
    clock: money.clock,
    wrap: (parts) => withPoints(parts, (name) => void passed.push(name)),
  });
  await flows[flow].run(watched, await prepare());
  await watched.close();
  expect(passed).toEqual(crashPoints[flow]);
});
