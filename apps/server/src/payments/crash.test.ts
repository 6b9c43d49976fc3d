import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Flow, type FlowName, flows, type Ground, paymentOf } from './crash-flows.test-support.ts';
import { withPoints } from './crash-points.test-support.ts';
import { type Money, startMoney } from './money.test-support.ts';
import { wireMoney } from './wire-money.test-support.ts';

const program = fileURLToPath(new URL('crash.test-program.ts', import.meta.url));
const compiled = mkdtempSync(join(tmpdir(), 'fpay-crash-'));
const never = 0;
const atOnce = 4;
/** A process for each point, on a machine that may be busy with other tests. */
const patienceMs = 180_000;

let money: Money;
beforeAll(async () => {
  money = await startMoney();
  // The programs' time is their own: the bank must not wait for it.
  await money.switchBank({ cancelMs: 0 });
  // One that lives to its end leaves its modules behind, compiled, for all that do not.
  expect(await runUntil('gift', await prepare('gift'), never)).toBe(false);
});
afterAll(async () => {
  rmSync(compiled, { recursive: true, force: true });
  await money.close();
});

const flowOf = (name: FlowName): Flow => flows[name];

async function prepare(flow: FlowName): Promise<Ground> {
  const [user, other, staff] = [await money.addUser(), await money.addUser(), await money.addUser('Admin')];
  const guest = await money.addUser('Guest');
  await money.give(user.id, 300_00);
  await money.give(guest.id, 15_00);
  const operation = await money.addOperation(user.id, { deposit: 100_00 });
  const ground = { user: user.id, staff: staff.id, other, guest: guest.id, operation, key: `crash:${user.id}` };
  await flowOf(flow).before?.(money, ground);
  return ground;
}

/** Resolves with whether the program died of its order. */
function runUntil(flow: FlowName, ground: Ground, dieAt: number): Promise<boolean> {
  const { database, bankUrl, clock } = money;
  const orders = { flow, ground, dieAt, databaseUrl: database.appUrl, bankUrl, now: clock.now() };
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, JSON.stringify(orders)], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, NODE_COMPILE_CACHE: compiled },
    });
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
    for (const ground of grounds) await flowOf(flow).run(money, ground);
    await money.pass(60_000);
  }
}

async function outcome(ground: Ground) {
  const payment = await paymentOf(money, ground);
  const { state, captured, refunded, lost } = payment ?? {};
  const balance = await money.wallet.balanceOf(ground.user);
  return { payment: payment ? { state, captured, refunded, lost } : null, balance };
}

function expected({ payment, balance }: Flow['ends']) {
  return { payment: payment && { captured: 0, refunded: 0, lost: 0, ...payment }, balance };
}

const names = Object.keys(flows) as FlowName[];

test.each(names)(
  'a server killed anywhere in "%s" ends it right after the restart',
  { timeout: patienceMs },
  async (flow) => {
    const { points, ends } = flowOf(flow);
    const grounds: Ground[] = [];
    for (const _ of points) grounds.push(await prepare(flow));
    for (let first = 0; first < points.length; first += atOnce) {
      const batch = grounds.slice(first, first + atOnce);
      const died = await Promise.all(batch.map((ground, index) => runUntil(flow, ground, first + index + 1)));
      expect(died).toEqual(batch.map(() => true));
    }
    await recover(flow, grounds);
    for (const [index, ground] of grounds.entries()) {
      const after = `${index + 1}: ${points[index]}`;
      expect({ after, ...(await outcome(ground)) }).toEqual({ after, ...expected(ends) });
    }
    expect(await money.faults()).toEqual([]);
  },
);

test.each(names)('the points of "%s" are those that are listed', async (flow) => {
  const ground = await prepare(flow);
  const passed: string[] = [];
  const watched = wireMoney({
    databaseUrl: money.database.appUrl,
    bankUrl: money.bankUrl,
    clock: money.clock,
    onlyUser: ground.user,
    wrap: (parts) => withPoints(parts, (name) => void passed.push(name)),
  });
  const pass = async (ms: number) => {
    money.manual.advance(ms);
    await watched.runDue();
  };
  await flowOf(flow).run({ ...watched, pass }, ground);
  await watched.close();
  expect(passed).toEqual(flowOf(flow).points);
});
