import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { migrateProduct } from '../app/schema.ts';
import { type ClusterRoom, openClusterRoom, type RealCluster } from '../testing/real-cluster.ts';
import { isDatabaseAway, openDatabase } from './database.ts';
import { createOutbox } from './outbox.ts';
import { createPrimaryFinder, databaseHosts, PrimaryClient } from './primary.ts';

test.each([
  ['postgres://u:p@a/fpay', ['a:5432']],
  ['postgres://u:p@a:6000,b:6001/fpay?sslmode=require', ['a:6000', 'b:6001']],
  ['postgresql://u:p%40x@[::1]:1,b/fpay', ['::1:1', 'b:5432']],
  ['postgres://a,b/fpay', ['a:5432', 'b:5432']],
])('%s names the hosts %j', (url, expected) => {
  expect(databaseHosts(url)?.map(({ host, port }) => `${host}:${port}`)).toEqual(expected);
});

test.each(['mysql://db', 'postgres://', 'postgres://u@a:port,b/fpay', 'nonsense'])('%s is no address', (url) => {
  expect(databaseHosts(url)).toBeNull();
});

let room: ClusterRoom;
let a: RealCluster;
let b: RealCluster;
let both: string;
beforeAll(async () => {
  room = await openClusterRoom({ programs: null });
  a = await room.create('a', { fsync: 'off', synchronous_commit: 'local' });
  await a.start();
  await a.query('create database fpay');
  await migrateProduct({ url: a.url('postgres', 'fpay') });
  b = await room.copy(a, 'b');
  await b.start();
  both = `postgres://postgres@127.0.0.1:${b.port},127.0.0.1:${a.port}/fpay`;
}, 120_000);
afterAll(() => room.remove());

test('after a failover connections go to the promoted host, no event is missed, and the old primary is not written to', async () => {
  const client = new PrimaryClient({ connectionString: both });
  await client.connect();
  expect(client.port).toBe(a.port);
  await client.end();

  const { db, close } = openDatabase({ url: both, poolSize: 4 });
  const outbox = createOutbox({ db, url: both, log: pino({ level: 'silent' }) });
  onTestFinished(async () => {
    await outbox.stop();
    await close();
  });
  const received: string[] = [];
  outbox.subscribe('operation', (ref) => received.push(ref));
  await outbox.start();
  const publish = (ref: number) =>
    db
      .insertInto('outbox')
      .values({ topic: 'operation', ref: `${ref}` })
      .execute();
  await publish(1);
  await vi.waitFor(() => expect(received).toEqual(['1']), { timeout: 5_000 });
  await vi.waitFor(async () => {
    const rows = await b.query('select from outbox', 'fpay');
    expect(rows.length).toBe(1);
  });

  // The standby misses the last transactions, so it will give their numbers to others.
  await b.stop();
  for (let index = 0; index < 50; index += 1) await sql`select pg_current_xact_id()`.execute(db);
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  await a.kill();
  await expect(publish(2)).rejects.toSatisfy(isDatabaseAway);
  await b.start();
  // A host that is only a standby counts as no database.
  await expect(publish(2)).rejects.toSatisfy(isDatabaseAway);
  await b.promote();
  // Another node reaches the promoted host first.
  await b.query("insert into outbox (topic, ref) values ('operation', '3')", 'fpay');
  await vi.waitFor(() => publish(4), { timeout: 10_000, interval: 100 });
  await vi.waitFor(() => expect(received).toEqual(expect.arrayContaining(['3', '4'])), { timeout: 5_000 });

  const finder = createPrimaryFinder(databaseHosts(both) ?? []);
  expect((await finder.find()).port).toBe(b.port);
  await a.start();
  finder.forget();
  expect((await finder.find()).port).toBe(b.port);
  await b.stop();
  finder.forget();
  await expect(finder.find()).rejects.toThrow(/old primary \(timeline 1\)/);
  await b.start();
}, 60_000);
