import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { WalletBalanceUpdate } from '@fpay/contract/wallet';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MoneyFixture, startMoney } from '../payments/testing/money.ts';
import { createRowLoops, type RowLoops } from '../platform/rows/row-loops.ts';
import { createMetrics } from '../platform/watching/metrics.ts';
import { createLedgerWatch, ledgerRules } from './check.ts';
import { createWalletEvents } from './events.ts';

let money: MoneyFixture;
let rows: RowLoops;
beforeAll(async () => {
  money = await startMoney();
  rows = createRowLoops({ log: money.log, metrics: createMetrics() });
});
afterAll(() => money.close());

test('all users of a wallet get its new balance', async () => {
  const [admin, owner, member] = [await money.addUser('Admin'), await money.addUser(), await money.addUser()];
  await money.sharedWallets.share(admin.id, owner.id, [member.id]);
  await money.give(owner.id, 12_34);
  const events = await money.db.selectFrom('outbox').select(['topic', 'ref']).orderBy('id', 'desc').limit(1).execute();
  expect(events).toEqual([{ topic: 'wallet', ref: String(owner.wallet) }]);

  const sent: [string, object][] = [];
  const publish = (group: string, message: object) => void sent.push([group, message]);
  await createWalletEvents({ ledger: money.ledger, publish, log: money.log })(String(owner.wallet));
  const update = { type: 'wallet_balance_update', balance: 12_34 };
  expect(sent).toEqual([
    [`user-${owner.id}`, update],
    [`user-${member.id}`, update],
  ]);
  expect(WalletBalanceUpdate.safeParse(update).success).toBe(true);
});

test('the nightly check stores its outcome for the metrics', async () => {
  const { db, clock } = money;
  const watch = createLedgerWatch({ db, clock, rules: ledgerRules, rows, note: async () => {} });
  expect(await watch.lastFaultCount()).toBe(-1);
  expect(await watch.check()).toEqual([]);
  expect(await watch.lastFaultCount()).toBe(0);
});

test('a fault that cannot be listed for staff does not keep the others from the list', async () => {
  const fault = (subject: string) => ({ rule: 'a rule', subject, details: {} });
  const listed: string[] = [];
  const watch = createLedgerWatch({
    db: money.db,
    clock: money.clock,
    rules: [async () => [fault('first'), fault('second')]],
    rows,
    note: async ({ subject }) => {
      if (subject === 'first') throw new Error('it cannot be listed');
      listed.push(subject);
    },
  });
  expect(await watch.check()).toHaveLength(2);
  expect(listed).toEqual(['second']);
});

test('the checker as a program lists what staff forced, and exits with 1 and the faults, or with 0 when there are none', async () => {
  const program = fileURLToPath(new URL('../cli/ledger-check.ts', import.meta.url));
  const run = () =>
    spawnSync(process.execPath, [program], {
      encoding: 'utf8',
      env: { ...process.env, DATABASE_URL: money.database.appUrl },
    });
  const user = await money.addUser();
  await money.give(user.id, 5_00);
  const held = await money.paidHold(user.id, 100_00);
  const order = { staff: user.id, payment: held.id, requestKey: 'forced' };
  await money.payments.staffActions.act(order, { action: 'force_hold', hold: 'success' });
  expect(run()).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(
      new RegExp(
        `^payment ${held.id}: forced to success by staff, not checked\\nThe audit has \\d+ records .+\\nThe ledger is right\\.\\n$`,
      ),
    ),
  });

  const owner = new pg.Client({ connectionString: money.database.ownerUrl });
  await owner.connect();
  await owner.query(`update accounts set balance = 6_00 where id = ${user.wallet}`);
  await owner.end();
  const { status, stdout } = run();
  expect(status).toBe(1);
  expect(stdout).toContain(`account ${user.wallet}: not true that balance equals its entries`);
});
