import { spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundledProgram } from '../../testing/bundled-program.ts';
import { sliceOf } from '../../testing/slice.ts';
import type { CrashFixture, Flow } from '../testing/crash-flow.ts';
import { type FlowName, flows, paymentOf } from '../testing/crash-flows.ts';
import { withPoints } from '../testing/crash-points.ts';
import type { CrashOrders } from '../testing/crash-program.ts';
import { type MoneyFixture, startMoney } from '../testing/money.ts';
import { wireMoney } from '../testing/wire-money.ts';

const program = new URL('../testing/crash-program.ts', import.meta.url);
/** Each flow needs a process, on a machine that may be busy with other tests. */
const timeoutMs = 180_000;

let money: MoneyFixture;
beforeAll(async () => {
  money = await startMoney();
  // The programs have their own time, so the bank must not wait for it.
  await money.switchBank({ cancelMs: 0 });
  // A program that runs to its end leaves its compiled modules in the cache for all that do not.
  expect(await runProgram('gift', [{ fixture: await prepare('gift'), dieAt: null }])).toBe('ended');
});
afterAll(async () => {
  await money.close();
});

const flowOf = (name: FlowName): Flow => flows[name];

async function prepare(flow: FlowName): Promise<CrashFixture> {
  const [user, other, staff] = [await money.addUser(), await money.addUser(), await money.addUser('Admin')];
  const guest = await money.addUser('Guest');
  await money.give(user.id, 300_00);
  await money.give(guest.id, 15_00);
  const operation = await money.addOperation(user.id, { deposit: 100_00 });
  const fixture = { user: user.id, staff: staff.id, other, guest: guest.id, operation, key: `crash:${user.id}` };
  await flowOf(flow).before?.(money, fixture);
  return fixture;
}

/** Resolves with whether the program was killed at its points. */
async function runProgram(flow: FlowName, runs: CrashOrders['runs']): Promise<'killed' | 'ended'> {
  const { database, bankUrl, clock } = money;
  const now = clock.now().toISOString();
  const orders: CrashOrders = { flow, runs, databaseUrl: database.appUrl, bankUrl, now };
  const { file, env } = await bundledProgram(program);
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file, JSON.stringify(orders)], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, ...env },
    });
    let said = '';
    child.stderr.on('data', (data) => {
      said += data;
    });
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      if (signal === 'SIGKILL') resolve('killed');
      else if (code === 0) resolve('ended');
      else reject(new Error(`the program ended with ${code}: ${said}`));
    });
  });
}

/** What the callers of the flows do after the server has restarted: repeat the call, and let due work do the rest. */
async function recover(flow: FlowName, fixtures: CrashFixture[]): Promise<void> {
  for (let minute = 0; minute < 4; minute += 1) {
    for (const fixture of fixtures) await flowOf(flow).run(money, fixture);
    await money.pass(60_000);
  }
}

async function outcome(fixture: CrashFixture) {
  const payment = await paymentOf(money, fixture);
  const { state, captured, refunded, lost } = payment ?? {};
  const balance = await money.wallet.balanceOf(fixture.user);
  return { payment: payment ? { state, captured, refunded, lost } : null, balance };
}

function expected({ payment, balance }: Flow['ends']) {
  return { payment: payment && { captured: 0, refunded: 0, lost: 0, ...payment }, balance };
}

const names = Object.keys(flows) as FlowName[];

/** Each has a process of its own. Without a kill all of them run in this one, below. */
test.each(sliceOf('crash points', names, 0.25))(
  'a server killed anywhere in "%s" ends it correctly after the restart',
  { timeout: timeoutMs },
  async (flow) => {
    const { points, ends } = flowOf(flow);
    const fixtures: CrashFixture[] = [];
    for (const _ of points) fixtures.push(await prepare(flow));
    expect(
      await runProgram(
        flow,
        fixtures.map((fixture, index) => ({ fixture, dieAt: index + 1 })),
      ),
    ).toBe('killed');
    await recover(flow, fixtures);
    for (const [index, fixture] of fixtures.entries()) {
      const after = `${index + 1}: ${points[index]}`;
      expect({ after, ...(await outcome(fixture)) }).toEqual({ after, ...expected(ends) });
    }
    expect(await money.faults()).toEqual([]);
  },
);

test.each(names)('the points of "%s" are those that are listed', async (flow) => {
  const fixture = await prepare(flow);
  const passed: string[] = [];
  const watched = wireMoney({
    databaseUrl: money.database.appUrl,
    bankUrl: money.bankUrl,
    clock: money.clock,
    onlyUser: fixture.user,
    wrap: (parts) => withPoints(parts, (name) => void passed.push(name)),
  });
  const pass = async (ms: number) => {
    money.manual.advance(ms);
    await watched.runDue();
  };
  await flowOf(flow).run({ ...watched, pass }, fixture);
  await watched.close();
  expect(passed).toEqual(flowOf(flow).points);
});
