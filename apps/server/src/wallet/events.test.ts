import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { WalletBalanceUpdate } from '@fpay/contract/wallet';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Money, startMoney } from '../payments/money.test-support.ts';
import { createLedgerWatch, ledgerRules } from './check.ts';
import { createWalletEvents } from './events.ts';

let money: Money;
beforeAll(async () => {
  money = await startMoney();
});
afterAll(() => money.close());

test('everyone who uses a wallet is told its new balance', async () => {
  const [admin, owner, member] = [await money.addUser('Admin'), await money.addUser(), await money.addUser()];
  await money.sharedWallets.share(admin.id, owner.id, [member.id]);
  await money.give(owner.id, 12_34);
  const events = await money.db.selectFrom('outbox').select(['topic', 'ref']).orderBy('id', 'desc').limit(1).execute();
  expect(events).toEqual([{ topic: 'wallet', ref: String(owner.wallet) }]);

  const told: [string, object][] = [];
  const publish = (group: string, message: object) => void told.push([group, message]);
  await createWalletEvents({ ledger: money.ledger, publish, log: money.log })(String(owner.wallet));
  const update = { type: 'wallet_balance_update', balance: 12_34 };
  expect(told).toEqual([
    [`user-${owner.id}`, update],
    [`user-${member.id}`, update],
  ]);
  expect(WalletBalanceUpdate.safeParse(update).success).toBe(true);
});

test('the nightly check keeps its outcome for the figures', async () => {
  const watch = createLedgerWatch({ db: money.db, clock: money.clock, rules: ledgerRules, note: async () => {} });
  expect(await watch.lastFaultCount()).toBe(-1);
  expect(await watch.check()).toEqual([]);
  expect(await watch.lastFaultCount()).toBe(0);
});

test('the checker as a program lists what staff forced, says what is wrong and ends with 1, or that all is right and ends with 0', async () => {
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
  await money.payments.desk.overrideStatus(order, 'success');
  expect(run()).toMatchObject({
    status: 0,
    stdout: `payment ${held.id}: forced to success by staff, not checked\nThe ledger is right.\n`,
  });

  const owner = new pg.Client({ connectionString: money.database.ownerUrl });
  await owner.connect();
  await owner.query(`update accounts set balance = 6_00 where id = ${user.wallet}`);
  await owner.end();
  const { status, stdout } = run();
  expect(status).toBe(1);
  expect(stdout).toContain(`account ${user.wallet}: not true that balance equals its entries`);
});
