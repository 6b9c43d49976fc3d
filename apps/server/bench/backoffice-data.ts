import pg from 'pg';

export interface BackofficeSize {
  operations: number;
  users: number;
  stations: number;
  /** The operations are spread evenly over so many days, up to now. */
  days: number;
}

/** Tables whose indexes are built after the rows, because that is several times faster than row by row. */
const large = ['operations', 'payments', 'feedback', 'users', 'accounts', 'wallets', 'transfers', 'rfid_cards'];
const piece = 250_000;
/** Connections that write at once; PostgreSQL uses one core for each. */
const writers = 2;

/** The data can be made again, so nothing of it has to survive a crash while it is written. */
const whileWriting = {
  fsync: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_wal_size: '8GB',
  checkpoint_timeout: '1h',
};

/**
 * Fills a migrated, empty database by SQL alone. It works as the superuser, because foreign keys and triggers are left out
 * while the rows are written; the rows keep all their rules, and every unique index is built over them at the end.
 */
export async function writeBackofficeData(adminUrl: string, size: BackofficeSize): Promise<void> {
  const startedAt = performance.now();
  const report = (what: string) => console.log(`${what}: ${Math.round((performance.now() - startedAt) / 1000)} s`);
  const clients: pg.Client[] = [];
  try {
    for (let n = 0; n < writers; n += 1) clients.push(await connect(adminUrl, n));
    const [client] = clients;
    if (!client) return;
    for (const [name, value] of Object.entries(whileWriting))
      await client.query(`alter system set ${name} = '${value}'`);
    await client.query('select pg_reload_conf()');
    const indexes = await dropIndexes(client);
    await writePeople(client, size);
    await writeNetwork(client, size);
    report('users and stations');
    const pieces = Array.from({ length: Math.ceil(size.operations / piece) }, (_, n) => n * piece);
    await share(clients, pieces, (writer, from) => writeOperations(writer, size, from));
    report('operations and payments');
    // The largest first, so that both connections are busy until the end.
    await share(clients, indexes, (writer, definition) => writer.query(definition));
    await writeOpenOperations(client);
    report('indexes');
    await share(clients, large, (writer, table) => writer.query(`vacuum (analyze, parallel 0) ${table}`));
    report('vacuum');
    await share(clients, monthsOf(size.days), (writer, [from, to]) => writeHours(writer, from, to));
    await writeSums(client);
    report('figures per hour');
    await client.query('vacuum analyze');
    for (const name of Object.keys(whileWriting)) await client.query(`alter system reset ${name}`);
    await client.query('select pg_reload_conf()');
    await client.query('checkpoint');
    report('all, written to the disk');
  } finally {
    for (const client of clients) await client.end();
  }
}

async function connect(adminUrl: string, n: number): Promise<pg.Client> {
  const url = new URL(adminUrl);
  url.pathname = '/fpay';
  const client = new pg.Client({ connectionString: url.toString() });
  await client.connect();
  await client.query(`set session_replication_role = replica; set statement_timeout = 0; set synchronous_commit = off;
    set maintenance_work_mem = '1GB'; set work_mem = '256MB'; set max_parallel_maintenance_workers = 0;
    set max_parallel_workers_per_gather = 0; select setseed(0.14 + ${n} / 10.0)`);
  return client;
}

/** Each connection takes the next item as soon as it has finished one. */
async function share<Item>(
  clients: pg.Client[],
  items: readonly Item[],
  act: (client: pg.Client, item: Item) => Promise<unknown>,
) {
  const left = [...items];
  await Promise.all(
    clients.map(async (client) => {
      for (let item = left.shift(); item !== undefined; item = left.shift()) await act(client, item);
    }),
  );
}

/** Drops all indexes but the primary keys, which foreign keys refer to. Returns the statements that make them again. */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ drop: string; make: string }>(
    `select case when c.oid is null then 'drop index ' || i.indexrelid::regclass
          else format('alter table %s drop constraint %I', i.indrelid::regclass, c.conname) end as drop,
        case when c.oid is null then pg_get_indexdef(i.indexrelid)
          else format('alter table %s add constraint %I %s', i.indrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) end as make
      from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.contype = 'u' and c.conrelid = i.indrelid
      where i.indrelid = any ($1::regclass[]) and not i.indisprimary
        and not exists (select from pg_constraint f where f.contype = 'f' and f.conindid = i.indexrelid)
      order by array_position($1::regclass[], i.indrelid::regclass)`,
    [large],
  );
  for (const { drop } of rows) await client.query(drop);
  return rows.map(({ make }) => make);
}

function monthsOf(days: number): [from: number, to: number][] {
  return Array.from({ length: Math.ceil((days + 2) / 30) }, (_, n) => [30 * (n + 1), 30 * n]);
}

/** Whole UTC days, counted as the product counts an hour. */
async function writeHours(client: pg.Client, fromDaysAgo: number, toDaysAgo: number): Promise<void> {
  const day = (ago: number) => `date_trunc('day', now(), 'UTC') + interval '1 day' - interval '${24 * ago} hours'`;
  await client.query(
    `insert into stats_hours select * from count_operations(${day(fromDaysAgo)}, ${day(toDaysAgo)}, false)`,
  );
}

async function writeSums(client: pg.Client): Promise<void> {
  await client.query(`insert into stats_hours
    select hour, 0, is_temporary, sum(operations), sum(energy_wh), sum(total), sum(total_balance), sum(over_limit),
      sum(overcharge), sum(lost), sum(successful), sum(failed), sum(canceled), sum(failed_hold), sum(ongoing),
      sum(ongoing_total), sum(created), sum(free), sum(promo), sum(deposit), sum(paid_operations), sum(progress),
      sum(progress_operations), sum(ratings), sum(rating_sum), min(first_at), max(last_at), sum(idle_total),
      sum(refunded), sum(rewards)
    from stats_hours group by hour, is_temporary`);
  await client.query(`insert into stats_days
    select d.* from (select distinct date_trunc('day', hour, 'UTC') as day from stats_hours) x
      cross join lateral sum_stats_day(x.day) d`);
  await client.query(`insert into stats_months
    select m.* from (select distinct date_trunc('month', day, 'UTC') as month from stats_days) x
      cross join lateral sum_stats_month(x.month) m`);
}

/** One user in 20 is a guest, and a few hundred are staff. */
async function writePeople(client: pg.Client, { users }: BackofficeSize): Promise<void> {
  await client.query(`insert into accounts (id, kind, balance) overriding system value
    select 1000 + i, 'wallet', (i * 7919) % 100000 from generate_series(1::bigint, ${users}) i`);
  await client.query(`insert into users (id, name, phone_number, role, is_temporary, wallet_id, created_at, last_login_at)
    overriding system value
    select i, (array['Олена', 'Андрій', 'Ірина', 'Сергій', 'Наталія', 'Іван', 'Марія', 'Петро'])[1 + i % 8] || ' ' || md5(i::text),
      case when i % 20 = 0 then 'TMP' || lpad(i::text, 10, '0') else '+380' || lpad((i * 7919 % 1000000007)::text, 9, '0') end,
      case when i % 5000 = 1 then 'Support' when i % 900 = 2 then 'Banned' else 'User' end, i % 20 = 0, 1000 + i,
      now() - interval '1000 days' + i * interval '1000 days' / ${users}, now() - (i % 300) * interval '1 day'
    from generate_series(1::bigint, ${users}) i`);
  await client.query(
    `insert into wallets (id, owner_id) select 1000 + i, i from generate_series(1::bigint, ${users}) i`,
  );
  await client.query(`insert into rfid_cards (user_id, id_tag, created_at)
    select i, upper(substr(md5('card' || i), 1, 14)), now() from generate_series(1::bigint, ${users}, 10) i`);
  for (const table of ['users', 'accounts'])
    await client.query(`select setval(pg_get_serial_sequence('${table}', 'id'), ${users} + 2000)`);
}

async function writeNetwork(client: pg.Client, { stations }: BackofficeSize): Promise<void> {
  await client.query(`insert into stations (id, number, address, address_uk, lat, lon, created_at) overriding system value
    select i, 'F' || (1000 + i), i || ' Khreshchatyk Street, Kyiv', 'Київ, вул. Хрещатик, ' || i, 48 + i / 1000.0, 30 + i / 700.0, now()
    from generate_series(1, ${stations}) i`);
  await client.query(`insert into charge_points (id, identity, key_hash, vendor, created_at) overriding system value
    select i, 'CP-' || lpad(i::text, 6, '0'), '\\x00', 'Autel', now() from generate_series(1, ${stations}) i`);
  await client.query(`insert into connectors (id, station_id, charge_point_id, ocpp_connector, type, power_w) overriding system value
    select 4 * (i - 1) + c, i, i, c, 'ccstype2', 60000 from generate_series(1, ${stations}) i, generate_series(1, 4) c`);
  for (const table of ['stations', 'charge_points', 'connectors'])
    await client.query(`select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`);
}

/** Closed operations with their payments, and feedback on every tenth. Few users and stations have most of them. */
async function writeOperations(client: pg.Client, size: BackofficeSize, from: number): Promise<void> {
  const to = Math.min(from + piece, size.operations);
  const { users, stations, days } = size;
  await client.query(`
    with dice as (
      select i, random() as fate, random() as kind, 1 + floor(power(random(), 2) * ${users})::int % ${users} as owner,
        1 + floor(power(random(), 1.5) * ${stations})::int % ${stations} as station, floor(random() * 60000)::int as energy,
        now() - interval '${days} days' + i * (interval '${days} days' / ${size.operations}) as at
      from generate_series(${from + 1}::bigint, ${to}) i),
    shaped as (
      select *, case when fate < 0.88 then 'finished' when fate < 0.94 then 'canceled' when fate < 0.98 then 'failed'
          else 'failed_hold' end as status,
        case when kind < 0.7 then 'bank' when kind < 0.95 then 'bonuses' else 'free' end as type from dice)
    insert into operations (id, user_id, station_id, connector_id, charge_point_id, status, payment_type, hold_status, target,
      price, deposit, energy_limit_wh, id_tag, energy_wh, total, real_total, paid, lost, created_at, started_at, finished_at,
      closed_at, status_at)
    overriding system value
    select i, case when i % 1000 = 0 then 1 else owner end, station, 4 * (station - 1) + 1 + i % 4, station, status, type,
      case when type = 'free' then 'none' when status = 'finished' then 'success' when status = 'failed_hold' then
        (case when fate < 0.99 then 'failure' else 'expired' end) else 'reversed' end,
      'kwh', 1500, 100000, 66000, 'T' || lpad(i::text, 10, '0'), case when status = 'finished' then energy else 0 end,
      case when status = 'finished' and type <> 'free' then energy * 3 / 2 else 0 end,
      case when status = 'finished' and type <> 'free' then energy * 3 / 2 else 0 end,
      case when status = 'finished' and type <> 'free' then energy * 3 / 2 else 0 end,
      case when i % 20000 = 7 then 1000 else 0 end, at, at + interval '1 minute', at + interval '40 minutes',
      at + interval '41 minutes', at + interval '41 minutes'
    from shaped`);
  await client.query(`
    insert into payments (id, purpose, method, operation_id, user_id, amount, status, total, captured, description, invoice_id,
      masked_pan, rrn, held_at, created_at, closed_at)
    overriding system value
    select id, 'operation', payment_type, id, user_id, deposit, hold_status, nullif(total, 0), paid, 'F', case when payment_type =
      'bank' then 'inv' || lpad(id::text, 10, '0') end, case when payment_type = 'bank' then '444403******' || lpad((id * 31 % 10000)::text, 4, '0') end,
      case when payment_type = 'bank' then lpad(id::text, 12, '0') end, created_at, created_at, closed_at
    from operations where id > ${from} and id <= ${to} and payment_type <> 'free'`);
  await client.query(`
    insert into feedback (operation_id, user_id, station_id, rating, comment, created_at)
    select id, user_id, station_id, case when id % 7 = 0 then 1 + id % 4 else 5 end, case when id % 30 = 0 then 'Кабель закороткий' end,
      finished_at from operations where id > ${from} and id <= ${to} and id % 10 = 0 and status = 'finished'`);
  await client.query(`
    insert into transfers (key, kind, from_account, to_account, amount, operation_id, sender_id, created_at)
    select 'operation:' || id || ':deposit', 'operation_payment', 1000 + user_id, 2, deposit, id, user_id, created_at
    from operations where id > ${from} and id <= ${to} and payment_type = 'bonuses'`);
}

/** The newest operation of each connector is still open, if its user has no other. */
async function writeOpenOperations(client: pg.Client): Promise<void> {
  await client.query(`
    with newest as (
      select distinct on (user_id) id from (
        select distinct on (connector_id) id, user_id from (
          select id, user_id, connector_id from operations order by id desc limit 20000) o
        order by connector_id, id desc) one_each order by user_id, id desc)
    update operations o set closed_at = null, finished_at = null, total = 0, paid = 0, hold_status = case when payment_type =
      'free' then 'none' when o.id % 9 = 0 then 'created' else 'hold' end, status = (array['created', 'pending', 'starting',
      'ongoing', 'ongoing', 'ongoing', 'finishing', 'pending_final_payment', 'ongoing'])[1 + o.id % 9] from newest
    where newest.id = o.id`);
  await client.query(`update payments p set status = case when o.hold_status = 'created' then 'created' else 'hold' end,
    closed_at = null, captured = 0, total = null from operations o where o.id = p.operation_id and o.closed_at is null`);
  for (const table of ['operations', 'payments', 'feedback', 'transfers'])
    await client.query(`select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`);
}
