import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@fpay/embedded-postgres/start';
import { removeEmbeddedPostgres } from '@fpay/embedded-postgres/stop';
import { sql } from 'kysely';
import { migrateProduct } from '../src/app/schema.ts';
import { createPartyFigures } from '../src/party/figures-store.ts';
import { type Database, openDatabase } from '../src/platform/database.ts';

/** Measures the figures of a large party: 200 members, 100 stations, two million operations over three years. */
const members = 200;
const stations = 100;
const operations = Number(process.env.BENCH_OPERATIONS ?? 2_000_000);
const years = 3;
/** The goals: an answer under 300 ms, which does not grow with operations outside of the period. */
const mostMs = 300;
const mostGrowth = 1.5;
const asks = 15;

const quiet = { info() {}, warn: (fields: object, message: string) => console.warn(message, fields) };
const now = new Date('2026-11-15T12:00:00Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);

async function main(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'fpay-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir, log: quiet });
  try {
    await migrateProduct({ url: postgres.ownerUrl });
    const { db, close } = openDatabase({ url: postgres.appUrl, poolSize: 2 });
    try {
      process.exitCode = (await measure(db)) ? 0 : 1;
    } finally {
      await close();
    }
  } finally {
    await postgres.stop();
    await removeEmbeddedPostgres(dataDir, 'full');
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function measure(db: Database): Promise<boolean> {
  const party = await addParty(db);
  const figures = createPartyFigures(db);
  const query = { party, user: null, from: daysAgo(14), to: now, zone: 'Europe/Kyiv' };
  const ways = {
    stats: () => figures.energy(query),
    'stats of one member': async () =>
      figures.energy({ ...query, user: (await figures.members(party, now))[0]?.id ?? 0 }),
    members: () => figures.members(party, now),
    operations: () => figures.operations(query, { before: undefined, limit: 50 }),
  };
  // First only the operations of the period, then all the others beside them.
  await addOperations(db, { count: Math.round((operations * 14) / (years * 365)), from: 14, to: 0 });
  const few = await timesOf(ways);
  await addOperations(db, { count: operations, from: years * 365, to: 14 });
  const many = await timesOf(ways);
  console.table(
    Object.fromEntries(Object.keys(ways).map((way) => [way, { 'period only, ms': few[way], 'all, ms': many[way] }])),
  );
  const growth = (many.stats ?? 0) / Math.max(1, few.stats ?? 1);
  console.log(`statistics grow by ${growth.toFixed(2)} with ${operations} operations outside of the period`);
  return Object.values(many).every((ms) => ms < mostMs) && growth < mostGrowth;
}

async function timesOf(ways: Record<string, () => Promise<unknown>>): Promise<Record<string, number>> {
  const medians: Record<string, number> = {};
  for (const [name, ask] of Object.entries(ways)) {
    const times: number[] = [];
    for (let index = 0; index < asks; index += 1) {
      const began = performance.now();
      await ask();
      times.push(performance.now() - began);
    }
    medians[name] = Math.round(times.toSorted((one, other) => one - other)[Math.floor(asks / 2)] ?? 0);
  }
  return medians;
}

async function addParty(db: Database): Promise<number> {
  await sql`insert into users (name, phone_number, created_at)
    select 'Member', '+38099' || lpad(i::text, 7, '0'), now() from generate_series(1, ${members}::int) i`.execute(db);
  const { rows } = await sql<{ id: number }>`insert into parties (name, owner_id, created_at)
    select 'Party', min(id), now() from users returning id`.execute(db);
  const party = rows[0]?.id ?? 0;
  await sql`insert into party_members (user_id, party_id, joined_at) select id, ${party}, now() from users`.execute(db);
  await sql`insert into stations (number, address, address_uk, lat, lon, party_id, created_at)
    select 'F' || i, 'A', 'A', 48 + i / 1000.0, 35, ${party}, now() from generate_series(1, ${stations}::int) i`.execute(
    db,
  );
  await sql`insert into charge_points (identity, key_hash, created_at)
    select 'CP-' || id, '\\x00', now() from stations`.execute(db);
  await sql`insert into connectors (station_id, charge_point_id, ocpp_connector, type, power_w)
    select s.id, p.id, 1, 'ccstype2', 60000 from stations s join charge_points p on p.identity = 'CP-' || s.id`.execute(
    db,
  );
  return party;
}

async function addOperations(
  db: Database,
  { count, from, to }: { count: number; from: number; to: number },
): Promise<void> {
  // In pieces, because a statement may take 15 seconds at most.
  const piece = 2_000;
  for (let made = 0; made < count; made += piece) {
    await sql`
      with u as (select array_agg(id) as ids from users), c as (
        select array_agg(id order by id) as ids, array_agg(station_id order by id) as stations,
          array_agg(charge_point_id order by id) as points from connectors)
      insert into operations (user_id, station_id, connector_id, charge_point_id, status, payment_type, target, price, deposit,
        total, energy_wh, id_tag, created_at)
      select u.ids[1 + (i * 7) % cardinality(u.ids)], c.stations[1 + (i * 13) % cardinality(c.ids)],
        c.ids[1 + (i * 13) % cardinality(c.ids)], c.points[1 + (i * 13) % cardinality(c.ids)], 'finished', 'bonuses', 'kwh',
        case when i % 10 = 0 then 0 else 1500 end, 30000, 30000, 20000, gen_random_uuid()::text,
        ${daysAgo(from)}::timestamptz + random() * (${daysAgo(to)}::timestamptz - ${daysAgo(from)}::timestamptz)
      from generate_series(1, ${Math.min(piece, count - made)}::int) i, u, c`.execute(db);
  }
  await sql`analyze operations`.execute(db).catch(() => {});
}

await main();
