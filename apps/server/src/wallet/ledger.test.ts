import { kopecks } from '@fpay/contract/money';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MoneyFixture, startMoney } from '../payments/testing/money.ts';
import { isDatabaseAway } from '../platform/database.ts';
import { shownIncoming, shownOutgoing } from './shown-transfers.ts';
import { accountId, network, type Transfer } from './transfer.ts';

let money: MoneyFixture;
let owner: pg.Client;
beforeAll(async () => {
  money = await startMoney();
  owner = new pg.Client({ connectionString: money.database.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await money.close();
});

const post = (...transfers: Transfer[]) => money.steps.run((step) => money.wallet.transfer(step, transfers));
let count = 0;
const gift = (from: number, to: number, amount: number): Transfer => {
  count += 1;
  return { key: `test-gift:${count}`, kind: 'gift', from: accountId(from), to: accountId(to), amount: kopecks(amount) };
};

describe('the ledger', () => {
  test('every user and guest has an empty wallet from the start', async () => {
    const [user, guest] = [await money.addUser(), await money.addUser('Guest')];
    expect(user.wallet).not.toBe(guest.wallet);
    expect([await money.wallet.balanceOf(user.id), await money.wallet.balanceOf(guest.id)]).toEqual([0, 0]);
  });

  test('a transfer moves the same sum out of one account and into the other [BAL-13] [BAL-14]', async () => {
    const [a, b] = [await money.addUser(), await money.addUser()];
    await money.give(a.id, 100_00);
    await post(gift(a.wallet, b.wallet, 30_00));
    expect([await money.wallet.balanceOf(a.id), await money.wallet.balanceOf(b.id)]).toEqual([70_00, 30_00]);
    expect(await money.faults()).toEqual([]);
  });

  test('refuses to change or remove a transfer, from the product and from the schema’s owner alike [BAL-13]', async () => {
    const user = await money.addUser();
    await money.give(user.id, 1_00);
    await expect(owner.query('update transfers set amount = amount + 1')).rejects.toThrow('append-only');
    await expect(owner.query('delete from transfers')).rejects.toThrow('append-only');
    await expect(owner.query('truncate transfers')).rejects.toThrow('append-only');
    for (const statement of [
      'update transfers set amount = 1',
      'delete from transfers',
      'update accounts set balance = 1',
    ]) {
      await expect(sql.raw(statement).execute(money.db)).rejects.toThrow('permission denied');
    }
  });

  test('lets the product write neither transfers nor balances except through the one function [BAL-13]', async () => {
    const insert = `insert into transfers (key, kind, from_account, to_account, amount, created_at)
      values ('smuggled', 'admin', 4, 100, 1, now())`;
    await expect(sql.raw(insert).execute(money.db)).rejects.toThrow('permission denied');
    await expect(
      sql.raw("insert into accounts (kind, balance) values ('wallet', 5)").execute(money.db),
    ).rejects.toThrow('permission denied');
  });

  test('refuses a transfer with one end, to itself, of nothing, or to an account that does not exist [BAL-13]', async () => {
    const { wallet } = await money.addUser();
    const bad = (change: Partial<Transfer>) =>
      post({ ...gift(wallet, wallet + 1_000_000, 1), from: network.staff, to: accountId(wallet), ...change });
    await expect(bad({ amount: kopecks(0) })).rejects.toThrow('violates check constraint');
    await expect(bad({ from: accountId(wallet) })).rejects.toThrow('violates check constraint');
    await expect(bad({ to: accountId(99) })).rejects.toThrow('violates check constraint');
    await expect(bad({ to: accountId(wallet + 1_000_000) })).rejects.toThrow('does not exist');
    await expect(bad({ to: null as never })).rejects.toThrow('null value');
    expect(await money.faults()).toEqual([]);
  });

  test('never lets a wallet go below zero, and answers 402 [BAL-14]', async () => {
    const [a, b] = [await money.addUser(), await money.addUser()];
    await money.give(a.id, 10_00);
    await expect(post(gift(a.wallet, b.wallet, 10_01))).rejects.toMatchObject({ code: 'insufficient_balance' });
    await expect(owner.query(`update accounts set balance = -1 where id = ${a.wallet}`)).rejects.toThrow(
      'wallet_not_below_zero',
    );
    expect(await money.wallet.balanceOf(a.id)).toBe(10_00);
  });

  test('applies a repeat under one key once, and throws for a key with two meanings', async () => {
    const [a, b] = [await money.addUser(), await money.addUser()];
    await money.give(a.id, 100_00);
    const once = gift(a.wallet, b.wallet, 30_00);
    expect(await post(once)).toEqual([once]);
    expect(await post(once)).toEqual([]);
    await expect(post({ ...once, amount: kopecks(31_00) })).rejects.toThrow('looked different');
    expect(await money.wallet.balanceOf(b.id)).toBe(30_00);
  });

  test('the same payment applied by many steps at once counts once', async () => {
    const user = await money.addUser();
    const deposit = {
      key: 'test:deposit',
      kind: 'deposit',
      from: network.clearing,
      to: accountId(user.wallet),
      amount: kopecks(50_00),
    } as const;
    await Promise.all(Array.from({ length: 20 }, () => post(deposit)));
    expect(await money.wallet.balanceOf(user.id)).toBe(50_00);
    expect(await money.faults()).toEqual([]);
  });
});

/** Like a page: on 503, which a busy machine answers when all connections are taken, the same request is sent again. */
async function answered<T>(request: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await request();
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
    }
  }
}

test('200 gifts at once between two wallets, in both directions: no deadlock, sums exact', async () => {
  const [a, b] = [await money.addUser(), await money.addUser()];
  await money.give(a.id, 1_000_00);
  await money.give(b.id, 1_000_00);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 200 }, (_, index) => {
      const [from, to] = index % 2 === 0 ? [a, b] : [b, a];
      const amount = kopecks(index % 2 === 0 ? 3_00 : 1_00);
      return answered(() => money.gifts.give({ sender: from.id, to: to.phone, amount, requestKey: `storm:${index}` }));
    }),
  );
  expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
  expect([await money.wallet.balanceOf(a.id), await money.wallet.balanceOf(b.id)]).toEqual([800_00, 1_200_00]);
  expect(await money.faults()).toEqual([]);
});

test('the checker finds a balance that was changed without a transfer [BAL-14]', async () => {
  const user = await money.addUser();
  await money.give(user.id, 10_00);
  await owner.query(`update accounts set balance = balance + 5 where id = ${user.wallet}`);
  expect((await money.faults()).map(({ rule, subject }) => [rule, subject])).toEqual([
    ['balance equals its entries', `account ${user.wallet}`],
    ['all accounts sum to zero', 'ledger'],
  ]);
  await owner.query(`update accounts set balance = balance - 5 where id = ${user.wallet}`);
  expect(await money.faults()).toEqual([]);
});

test('a guest who never charged is deleted with the wallet; one with a history stays', async () => {
  const [empty, used] = [await money.addUser('Guest'), await money.addUser('Guest')];
  await money.give(used.id, 1_00);
  await sql`select discard_user(${empty.id})`.execute(money.db);
  await expect(sql`select discard_user(${used.id})`.execute(money.db)).rejects.toThrow('has a history');
  const left = await money.db.selectFrom('users').select('id').where('id', 'in', [empty.id, used.id]).execute();
  expect(left).toEqual([{ id: used.id }]);
});

test('the transfers that a wallet shows are those of its indexes and of the function that forgets a guest', async () => {
  const { rows } = await owner.query<{ name: string; holds: string }>(
    `select indexrelid::regclass::text as name, pg_get_expr(indpred, indrelid) as holds from pg_index
     where indexrelid in ('transfers_in'::regclass, 'transfers_out'::regclass) order by name`,
  );
  const { rows: functions } = await owner.query<{ body: string }>(
    `select prosrc as body from pg_proc where proname = 'discard_user'`,
  );
  const body = functions[0]?.body.replaceAll(/\s+/g, ' ');
  for (const [index, condition] of [shownIncoming, shownOutgoing].entries()) {
    const { sql: shown } = condition.compile(money.db);
    expect(body).toContain(shown);
    const words = (text = '') =>
      text.match(/[a-z_]{3,}/g)?.filter((word) => !/^(and|not|any|all|kind|text|array)$/i.test(word));
    expect(new Set(words(rows[index]?.holds.toLowerCase()))).toEqual(new Set(words(shown.replace(' in ', ' '))));
  }
});
