import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../platform/clock.ts';
import { openPlatform } from '../platform/platform.ts';
import { testDatabase } from '../testing/database.ts';
import { createExchanges, type Exchanges } from './exchanges.ts';

let owner: pg.Client;
let exchanges: Exchanges;
let close: () => Promise<void>;
beforeAll(async () => {
  const database = await testDatabase();
  owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
  const log = pino({ level: 'silent' });
  const opened = openPlatform({ databaseUrl: database.appUrl, log, poolSize: 2 });
  exchanges = createExchanges(opened.platform.db, systemClock, log);
  close = opened.close;
});
afterAll(async () => {
  await owner.end();
  await close();
});

const monthsAgo = (months: number) => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 15));
};
const partitionAt = (at: Date) =>
  `bank_exchanges_y${at.getUTCFullYear()}m${String(at.getUTCMonth() + 1).padStart(2, '0')}`;

async function exchangeAt(payment: number, at: Date): Promise<void> {
  await owner.query(`select ensure_partition('bank_exchanges', $1)`, [at]);
  await owner.query(
    `insert into bank_exchanges (payment_id, call, took_ms, created_at) values ($1, 'POST /invoice/create', 5, $2)`,
    [payment, at],
  );
}

test('exchanges with the bank are kept for the months of the setting, and never for less than 18', async () => {
  await exchangeAt(1, monthsAgo(40));
  await exchangeAt(2, monthsAgo(30));
  await exchangeAt(3, monthsAgo(0));
  const left = async () => (await Promise.all([1, 2, 3].map(exchanges.of))).map(({ length }) => length);
  await exchanges.forget(120);
  expect(await left()).toEqual([1, 1, 1]);
  await exchanges.forget(36);
  expect(await left()).toEqual([0, 1, 1]);
  await expect(exchanges.forget(12)).rejects.toThrow('bank_exchanges is kept for at least 1 year 6 mons');
  expect(await left()).toEqual([0, 1, 1]);
});

test('an exchange of any month cannot be changed, not even by the owner in its partition', async () => {
  const at = monthsAgo(20);
  await exchangeAt(9, at);
  for (const table of ['bank_exchanges', partitionAt(at)]) {
    await expect(owner.query(`update ${table} set took_ms = 1`)).rejects.toThrow(/is append-only/);
    await expect(owner.query(`delete from ${table}`)).rejects.toThrow(/is append-only/);
  }
  expect(await exchanges.of(9)).toHaveLength(1);
});
