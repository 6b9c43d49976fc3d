import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type RetentionPeriods, usualRetention } from '../../config/settings/retention.ts';
import { systemClock } from '../../platform/clock.ts';
import { asAdmin, createDatabase, urlFor } from '../../testing/database.ts';
import { eventually, type GatewayFixture, startGateway } from '../testing/gateway.ts';
import { createRetention } from './retention.ts';

let gateway: GatewayFixture;
let owner: pg.Client;
beforeAll(async () => {
  gateway = await startGateway();
  owner = new pg.Client({ connectionString: gateway.database.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await gateway.stop();
});

const retention = (periods: Partial<RetentionPeriods> = {}) =>
  createRetention({
    db: gateway.db,
    clock: systemClock,
    log: pino({ level: 'silent' }),
    periods: { ...usualRetention, ...periods },
  });
const dropReadings = (kept: string) =>
  sql<{ name: string | null }>`select drop_expired_partition('meter_samples', ${kept}::interval) as name`.execute(
    gateway.db,
  );

const monthsAgo = (months: number, day = 15) => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, day, 12));
};

async function partitionsOf(table: string): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    'select relname::text as name from pg_inherits join pg_class on oid = inhrelid where inhparent = $1::regclass order by 1',
    [table],
  );
  return rows.map(({ name }) => name);
}

const partition = (table: string, at: Date) =>
  `${table}_y${at.getUTCFullYear()}m${String(at.getUTCMonth() + 1).padStart(2, '0')}`;

/** A finished operation with this number of readings, from this moment on. */
async function finishedOperation(from: Date, readings: number) {
  const point = await gateway.addChargePoint();
  const { id } = await gateway.addOperation(point, point.connectorIds[0] ?? 0, 'finished');
  const last = readings * 10;
  const { rows } = await owner.query<{ id: number }>(
    `insert into ocpp_transactions (charge_point_id, connector_id, ocpp_connector, operation_id, id_tag, meter_start_wh,
       device_started_at, started_at, stopped_at, energy_wh)
     values ($1, $2, 1, $3, 'T', 1000, '', $4, $4, $5) returning id`,
    [point.id, point.connectorIds[0], id, from, last],
  );
  const transaction = rows[0]?.id ?? 0;
  await owner.query('update operations set closed_at = $2, energy_wh = $3 where id = $1', [id, from, last]);
  await owner.query(
    `insert into meter_samples (ocpp_transaction_id, sampled_at, received_at, energy_wh, power_w, context)
     select $1, $2::timestamptz + n * interval '10 s', $2::timestamptz + n * interval '10 s', 1000 + n * 10, 36000 + n, 'Sample.Periodic'
     from generate_series(1, $3) n`,
    [transaction, from, readings],
  );
  return { id, transaction, point };
}

const curveOf = (id: number) =>
  gateway.db.selectFrom('operation_curves').selectAll().where('operation_id', '=', id).executeTakeFirst();

describe('readings', () => {
  test('are deleted with the partition of their month after 13 months, and the curve of their operation stays', async () => {
    const old = monthsAgo(15);
    await owner.query('select ensure_partition($1, $2)', ['meter_samples', old]);
    const past = await finishedOperation(old, 1_000);
    const kept = await finishedOperation(monthsAgo(12), 5);
    expect(await partitionsOf('meter_samples')).toContain(partition('meter_samples', old));
    await retention().nightly();
    expect(await partitionsOf('meter_samples')).not.toContain(partition('meter_samples', old));
    expect(await gateway.samplesOf(past.transaction)).toEqual([]);
    expect(await gateway.samplesOf(kept.transaction)).toHaveLength(5);

    const curve = await curveOf(past.id);
    const energy = curve?.energy_wh ?? [];
    expect(energy.length).toBeGreaterThan(150);
    expect(energy.length).toBeLessThanOrEqual(200);
    expect([energy[0], energy.at(-1)]).toEqual([10, 10_000]);
    expect(energy).toEqual(energy.toSorted((a, b) => a - b));
    expect(curve?.seconds.at(-1)).toBe(9_990);
    expect(curve?.power_w).toHaveLength(energy.length);
    expect(curve?.began_at).toEqual(new Date(old.getTime() + 10_000));
  });

  test('are kept for as long as the setting says', async () => {
    const [old, older] = [monthsAgo(5), monthsAgo(17)];
    for (const month of [old, older]) await owner.query('select ensure_partition($1, $2)', ['meter_samples', month]);
    const [past, longPast] = [await finishedOperation(old, 4), await finishedOperation(older, 4)];
    await retention({ readingsMonths: 24 }).nightly();
    expect(await gateway.samplesOf(longPast.transaction)).toHaveLength(4);
    await retention().nightly();
    expect(await gateway.samplesOf(longPast.transaction)).toEqual([]);
    expect(await gateway.samplesOf(past.transaction)).toHaveLength(4);
    await retention({ readingsMonths: 3 }).nightly();
    expect(await gateway.samplesOf(past.transaction)).toEqual([]);
    expect((await curveOf(past.id))?.energy_wh).toEqual([10, 20, 30, 40]);
  });

  test('of a charge that is not closed stay whatever their age, and leave when it is', async () => {
    const old = monthsAgo(18);
    await owner.query('select ensure_partition($1, $2)', ['meter_samples', old]);
    const open = await finishedOperation(old, 4);
    const odd = new Date('1970-01-02');
    await owner.query(
      `insert into meter_samples (ocpp_transaction_id, sampled_at, received_at, energy_wh, context) values ($1, $2, $3, 5, 'Other')`,
      [open.transaction, odd, old],
    );
    await owner.query(`update operations set closed_at = null, status = 'pending_final_payment' where id = $1`, [
      open.id,
    ]);
    await retention().nightly();
    expect(await gateway.samplesOf(open.transaction)).toHaveLength(5);
    await owner.query(`update operations set closed_at = now(), status = 'finished' where id = $1`, [open.id]);
    await retention().nightly();
    expect(await gateway.samplesOf(open.transaction)).toEqual([]);
  });

  test('without a curve are never dropped, because the drop itself writes the curve first', async () => {
    const old = monthsAgo(16);
    await owner.query('select ensure_partition($1, $2)', ['meter_samples', old]);
    const past = await finishedOperation(old, 3);
    await dropReadings('13 months');
    expect(await partitionsOf('meter_samples')).not.toContain(partition('meter_samples', old));
    expect(await curveOf(past.id)).toMatchObject({ seconds: [0, 10, 20], energy_wh: [10, 20, 30] });
  });

  test('of a charge that ended in the last month have their curve kept by the night; an older one waits for the drop', async () => {
    const recent = await finishedOperation(new Date(Date.now() - 3 * 24 * 3_600_000), 3);
    const older = await finishedOperation(monthsAgo(2), 3);
    await retention().nightly();
    expect(await curveOf(recent.id)).toMatchObject({ seconds: [0, 10, 20] });
    expect(await curveOf(older.id)).toBeUndefined();
  });

  test('with a time that no partition covers are stored, recognised when sent twice, and deleted 13 months after they arrived', async () => {
    const { transaction } = await finishedOperation(monthsAgo(0, 1), 1);
    const insert = (received: Date) =>
      sql`insert into meter_samples (ocpp_transaction_id, sampled_at, received_at, energy_wh, context)
        values (${transaction}, '1970-01-01T00:00:10Z', ${received}, 5, 'Other') on conflict do nothing`.execute(
        gateway.db,
      );
    await insert(monthsAgo(14));
    await insert(new Date());
    const odd = () => gateway.samplesOf(transaction).then((rows) => rows.filter(({ context }) => context === 'Other'));
    expect(await odd()).toHaveLength(1);
    await retention().nightly();
    expect(await odd()).toEqual([]);
    await insert(new Date());
    await retention().nightly();
    expect(await odd()).toHaveLength(1);
  });

  test('with a time in the future move into the partition of their month when it is created', async () => {
    const { transaction } = await finishedOperation(monthsAgo(0, 1), 1);
    const ahead = monthsAgo(-6);
    await sql`insert into meter_samples (ocpp_transaction_id, sampled_at, received_at, energy_wh, context)
      values (${transaction}, ${ahead}, ${new Date()}, 5, 'Other')`.execute(gateway.db);
    await owner.query('select ensure_partition($1, $2)', ['meter_samples', ahead]);
    const { rows } = await owner.query(
      'select tableoid::regclass::text as at from meter_samples where sampled_at = $1',
      [ahead],
    );
    expect(rows).toEqual([{ at: partition('meter_samples', ahead) }]);
  });
});

describe('partitions', () => {
  test('of the next three months exist before they are needed, and creating them again changes nothing', async () => {
    await retention().ensurePartitions();
    const before = await partitionsOf('meter_samples');
    for (const months of [1, 0, -1, -2, -3]) {
      expect(before).toContain(partition('meter_samples', monthsAgo(months)));
      expect(await partitionsOf('charge_point_notices')).toContain(
        partition('charge_point_notices', monthsAgo(months)),
      );
    }
    await Promise.all([retention().ensurePartitions(), retention().ensurePartitions()]);
    expect(await partitionsOf('meter_samples')).toEqual(before);
  });

  test('can be dropped by the product only after their retention', async () => {
    const name = partition('meter_samples', monthsAgo(0));
    await expect(sql`drop table ${sql.table(name)}`.execute(gateway.db)).rejects.toThrow(/must be owner/);
    await expect(
      sql`alter table meter_samples detach partition ${sql.table(name)}`.execute(gateway.db),
    ).rejects.toThrow(/must be owner/);
    const before = await partitionsOf('meter_samples');
    expect((await dropReadings('13 months')).rows).toEqual([{ name: null }]);
    expect(await partitionsOf('meter_samples')).toEqual(before);
  });

  test('are never dropped before the least period of the database, whatever the product asks for', async () => {
    const before = await partitionsOf('meter_samples');
    await expect(dropReadings('1 month')).rejects.toThrow('meter_samples is kept for at least 2 mons');
    await expect(dropReadings('-1 month')).rejects.toThrow('at least 2 mons');
    const other = (table: string) => sql`select drop_expired_partition(${table}, '10 years')`.execute(gateway.db);
    await expect(other('payments')).rejects.toThrow('payments is not partitioned by month');
    await expect(other('operation_log')).rejects.toThrow('operation_log is not partitioned by month');
    await expect(sql`select drop_expired_message_day('6 days')`.execute(gateway.db)).rejects.toThrow('at least 7 days');
    expect(await partitionsOf('meter_samples')).toEqual(before);
  });

  test('cannot be read or written past the rights of their table', async () => {
    const rights = await owner.query(
      `select relname from pg_class where relispartition and relkind = 'r' and relnamespace = 'public'::regnamespace
       and has_table_privilege('fpay_app', oid, 'select, insert, update, delete, truncate')`,
    );
    expect(rights.rows).toEqual([]);
  });
});

test('notices and anomalies are deleted after 90 days, commands after 30, and nothing younger is', async () => {
  const point = await gateway.addChargePoint();
  const ago = (days: number) => new Date(Date.now() - days * 24 * 3_600_000);
  await owner.query('select ensure_partition($1, $2)', ['charge_point_notices', monthsAgo(5)]);
  for (const at of [monthsAgo(5), ago(85)]) {
    await owner.query(
      `insert into charge_point_notices (charge_point_id, kind, payload, received_at) values ($1, 'K', '{}', $2)`,
      [point.id, at],
    );
  }
  for (const [subject, days] of [
    ['old', 91],
    ['young', 89],
  ] as const) {
    await owner.query(
      `insert into charge_point_anomalies (charge_point_id, kind, subject, first_at, last_at) values ($1, 'jumped', $2, $3, $3)`,
      [point.id, subject, ago(days)],
    );
  }
  for (const [status, days] of [
    ['answered', 31],
    ['answered', 29],
    ['queued', 31],
  ] as const) {
    await owner.query(
      `insert into commands (charge_point_id, action, payload, status, created_at) values ($1, 'Reset', '{}', $2, $3)`,
      [point.id, status, ago(days)],
    );
  }
  await retention().nightly();
  const count = async (table: string) =>
    (await owner.query<{ n: number }>(`select count(*)::int as n from ${table} where charge_point_id = $1`, [point.id]))
      .rows[0]?.n;
  expect(await count('charge_point_notices')).toBe(1);
  expect(await count('charge_point_anomalies')).toBe(1);
  expect(await count('commands')).toBe(2);
  await retention({ noticesDays: 30, anomaliesDays: 30, commandsDays: 7 }).nightly();
  expect([await count('charge_point_anomalies'), await count('commands')]).toEqual([0, 1]);
  await owner.query('delete from commands where charge_point_id = $1', [point.id]);
});

test('messages are kept for as many days as the setting says', async () => {
  const point = await gateway.addChargePoint();
  const at = new Date(Date.now() - 20 * 24 * 3_600_000);
  await owner.query('select ensure_message_day($1::date)', [at.toISOString().slice(0, 10)]);
  await owner.query(
    `insert into message_pages (charge_point_id, began_at, ended_at, lines) values ($1, $2, $2, 'a line')`,
    [point.id, at],
  );
  const kept = async () =>
    (await owner.query('select 1 from message_pages where charge_point_id = $1', [point.id])).rowCount;
  await retention({ messagesDays: 30 }).nightly();
  expect(await kept()).toBe(1);
  await retention().nightly();
  expect(await kept()).toBe(0);
});

test('the migrations keep the existing readings, notices and exchanges with the bank', async () => {
  const server = inject('testServer');
  const name = 'fpay_test_retention_migration';
  await createDatabase(server, name, 'template0');
  const client = new pg.Client({ connectionString: urlFor(server.ownerUrl, name) });
  await client.connect();
  try {
    const folder = fileURLToPath(new URL('../../../migrations', import.meta.url));
    const files = globSync('*.sql', { cwd: folder }).sort();
    const own = '0017-retention.sql';
    const read = (file: string) => readFileSync(`${folder}/${file}`, 'utf8');
    for (const file of files.filter((one) => one < own)) await client.query(read(file));
    await client.query(`insert into charge_points (identity, key_hash, created_at) values ('CP', '', now())`);
    await client.query(`insert into meter_samples (ocpp_transaction_id, sampled_at, received_at, energy_wh, context)
      select 7, t, now(), 5, 'Sample.Periodic' from unnest(array[now(), now() - interval '3 months', now() - interval '14 months',
        now() - interval '3 years', now() + interval '1 year', '1970-01-01']::timestamptz[]) t`);
    await client.query(`insert into charge_point_notices (charge_point_id, kind, payload, received_at)
      select 1, 'K', '{"a":1}', t from unnest(array[now(), now() - interval '2 years']::timestamptz[]) t`);
    await client.query('begin');
    await client.query(read(own));
    await client.query('commit');
    const bankLog = '0044-retention-settings.sql';
    for (const file of files.filter((one) => one > own && one < bankLog)) await client.query(read(file));
    await client.query(`insert into bank_exchanges (payment_id, call, took_ms, created_at)
      select 7, 'invoice/status', 5, t from unnest(array[now(), now() - interval '3 years']::timestamptz[]) t`);
    for (const file of files.filter((one) => one >= bankLog)) await client.query(read(file));
    await client.query(`insert into bank_exchanges (payment_id, call, took_ms, created_at) values (7, 'c', 5, now())`);
    const exchanges = await client.query('select id::int, call from bank_exchanges order by id');
    expect(exchanges.rows).toEqual([
      { id: 1, call: 'invoice/status' },
      { id: 2, call: 'invoice/status' },
      { id: 3, call: 'c' },
    ]);
    const { rows } = await client.query('select count(*)::int as n from meter_samples');
    expect(rows).toEqual([{ n: 6 }]);
    const notices = await client.query('select id::int, payload from charge_point_notices order by id');
    expect(notices.rows).toEqual([
      { id: 1, payload: { a: 1 } },
      { id: 2, payload: { a: 1 } },
    ]);
    const next = await client.query(
      `insert into charge_point_notices (charge_point_id, kind, payload, received_at) values (1, 'K', '{}', now()) returning id::int`,
    );
    expect(next.rows).toEqual([{ id: 3 }]);
  } finally {
    await client.end();
    await asAdmin(server, (admin) => admin.query(`drop database if exists ${name} with (force)`));
  }
});

describe('rows that one device can add', () => {
  test('are a limited number of anomalies an hour, however many connectors it invents; the rest is counted', async () => {
    const point = await gateway.addChargePoint();
    const client = await gateway.connect(point, { callConcurrency: 20 });
    const report = (connectorId: number) =>
      client.call('StatusNotification', { connectorId, errorCode: 'NoError', status: 'Available' });
    for (let first = 2; first < 302; first += 20) {
      await Promise.all(Array.from({ length: 20 }, (_, n) => report(first + n)));
    }
    await eventually(async () => (await gateway.anomaliesOf(point.id)).length > 0);
    const rows = await gateway.db
      .selectFrom('charge_point_anomalies')
      .select(['kind', 'subject', 'times'])
      .where('charge_point_id', '=', point.id)
      .execute();
    expect(rows.length).toBeLessThanOrEqual(52);
    expect(rows.reduce((sum, { times }) => sum + times, 0)).toBe(300);
    expect(rows.find(({ kind }) => kind === 'tooManyAnomalies')?.times).toBeGreaterThan(200);
    // A listed anomaly is still counted in its own row.
    await report(2);
    const again = await gateway.db
      .selectFrom('charge_point_anomalies')
      .select('times')
      .where('charge_point_id', '=', point.id)
      .where('subject', '=', 'connector 2')
      .execute();
    expect(again).toEqual([{ times: 2 }]);
    await client.close();
  });

  test('are stored as received: an unknown word is in the raw text beside the reading', async () => {
    const point = await gateway.addChargePoint();
    const client = await gateway.connect(point);
    await client.call('FirmwareStatusNotification', { status: 'Rebooting\u0000', vendor: { step: 3 } });
    const row = await gateway.db
      .selectFrom('charge_point_notices')
      .select(['kind', 'payload', 'raw'])
      .where('charge_point_id', '=', point.id)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({
      kind: 'FirmwareStatusNotification',
      payload: { status: 'Unknown' },
      raw: '{"status":"Rebooting\\u0000","vendor":{"step":3}}',
    });
    await client.close();
  });
});
