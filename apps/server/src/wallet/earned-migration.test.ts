import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../testing/database.ts';

const folder = new URL('../../migrations/', import.meta.url);
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.sql'))
  .sort();
const sqlOf = (name: string) => readFileSync(new URL(name, folder), 'utf8');

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await testDatabase();
  client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  await client.query('drop schema public cascade; create schema public');
  for (const name of files.filter((file) => file < '0050')) await client.query(sqlOf(name));
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

let made = 0;
const transfer = (operation: number | null, kind: string, from: number, to: number, amount: number) => {
  made += 1;
  return client.query(
    `insert into transfers (key, kind, from_account, to_account, amount, operation_id, created_at)
     values ($1, $2, $3, $4, $5, $6, now())`,
    [`old:${made}`, kind, from, to, amount, operation],
  );
};

test('operations before the migration get what the ledger says they have left, once, and never below zero', async () => {
  const [wallet, reserve, refund] = [500, 501, 502];
  // A card: captured 100, refunded 30, another refund of 20 came back, 10 were charged back and 4 of the loss regained.
  await transfer(1, 'capture', 1, 2, 100);
  await transfer(1, 'refund', 2, refund, 30);
  await transfer(1, 'refunded', refund, 1, 30);
  await transfer(1, 'refund', 2, refund, 20);
  await transfer(1, 'refund_refused', refund, 2, 20);
  await transfer(1, 'chargeback', 5, 1, 10);
  await transfer(1, 'chargeback', 2, 5, 4);
  await transfer(1, 'lost', 5, 2, 7);
  // A balance: earned 50, corrected by -20 and +5.
  await transfer(2, 'operation_payment', wallet, reserve, 80);
  await transfer(2, 'earned', reserve, 2, 50);
  await transfer(2, 'operation_return', reserve, wallet, 30);
  await transfer(2, 'correction', 2, wallet, 20);
  await transfer(2, 'correction', wallet, 2, 5);
  await transfer(2, 'promo', 3, wallet, 9);
  // Reversed, and corrected after that: more went back than came in.
  await transfer(3, 'earned', reserve, 2, 50);
  await transfer(3, 'reversal', 2, wallet, 50);
  await transfer(3, 'correction', 2, wallet, 50);
  await transfer(null, 'gift', wallet, 503, 1);

  await client.query('begin');
  await client.query(sqlOf('0050-earned-accounts.sql'));
  await client.query('commit');

  const { rows } = await client.query(
    "select operation_id::int as operation, balance::int as balance from accounts where kind = 'earned' order by 1",
  );
  expect(rows).toEqual([
    { operation: 1, balance: 60 },
    { operation: 2, balance: 35 },
  ]);
  const { rows: opened } = await client.query(
    `select t.key, t.from_account::int as source, t.amount::int as amount from transfers t join accounts a on a.id = t.to_account
     where t.kind = 'opening' order by t.key`,
  );
  expect(opened).toEqual([
    { key: 'operation:1:opening', source: 2, amount: 60 },
    { key: 'operation:2:opening', source: 2, amount: 35 },
  ]);
});

test('the database refuses earnings below zero, and money for a wallet out of revenue [PAY-35]', async () => {
  const { rows } = await client.query("select id from accounts where kind = 'earned' and operation_id = 2");
  const earned = Number(rows[0]?.id);
  await expect(client.query('update accounts set balance = -1 where id = $1', [earned])).rejects.toMatchObject({
    constraint: 'account_not_below_zero',
  });
  for (const kind of ['correction', 'reversal', 'refund', 'operation_return', 'promo', 'chargeback', 'lost'])
    await expect(transfer(2, kind, 2, 500, 1)).rejects.toMatchObject({
      constraint: 'revenue_returns_nothing',
    });
  await transfer(2, 'lost', 5, 2, 1);
});

test('an operation has one account of each kind', async () => {
  const open = async (kind: string) => {
    const { rows } = await client.query('select open_account($1, 77, null, null) as id', [kind]);
    return Number(rows[0]?.id);
  };
  const [reserve, earned] = [await open('reserve'), await open('earned')];
  expect(reserve).not.toBe(earned);
  expect([await open('reserve'), await open('earned')]).toEqual([reserve, earned]);
});
