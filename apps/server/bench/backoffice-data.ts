import pg from 'pg';

export interface BackofficeSize {
  operations: number;
  users: number;
  stations: number;
  /** The operations are spread evenly over so many days, up to now. */
  days: number;
}

/** Tables whose plain indexes are built after the rows, because that is several times faster than row by row. */
const large = ['operations', 'payments', 'feedback', 'users', 'transfers', 'rfid_cards', 'stats_changes'];
const piece = 250_000;

/**
 * Fills a migrated, empty database by SQL alone. It works as the superuser, because foreign keys and triggers are left out
 * while the rows are written; the rows keep all their rules.
 */
export async function writeBackofficeData(adminUrl: string, size: BackofficeSize): Promise<void> {
  const url = new URL(adminUrl);
  url.pathname = '/fpay';
  const client = new pg.Client({ connectionString: url.toString() });
  await client.connect();
  const startedAt = performance.now();
  const seconds = () => `${Math.round((performance.now() - startedAt) / 1000)} s`;
  try {
    await client.query(`set session_replication_role = replica; set statement_timeout = 0; set synchronous_commit = off;
      set maintenance_work_mem = '512MB'; set work_mem = '128MB'; set jit = off; select setseed(0.14)`);
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(
      `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
        where indrelid = any ($1::regclass[]) and not indisunique and not indisprimary`,
      [large],
    );
    for (const { name } of indexes) await client.query(`drop index ${name}`);
    await writePeople(client, size);
    await writeNetwork(client, size);
    console.log(`users and stations: ${seconds()}`);
    for (let from = 0; from < size.operations; from += piece) await writeOperations(client, size, from);
    await writeOpenOperations(client);
    console.log(`operations and payments: ${seconds()}`);
    for (const { definition } of indexes) await client.query(definition);
    console.log(`indexes: ${seconds()}`);
    await client.query('set session_replication_role = origin');
    await client.query('vacuum analyze');
    await client.query(`insert into stats_changes (hour)
      select h from generate_series(date_trunc('hour', now(), 'UTC') - interval '${size.days} days 2 hours', now(), '1 hour') h`);
    let counted = 1;
    while (counted > 0) {
      const { rows } = await client.query<{ counted: number }>('select recount_stats(1000) as counted');
      counted = rows[0]?.counted ?? 0;
    }
    await client.query('vacuum analyze stats_hours');
    await client.query('vacuum analyze stats_changes');
    console.log(`figures per hour: ${seconds()}`);
  } finally {
    await client.end();
  }
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
    insert into feedback (operation_id, user_id, rating, comment, created_at)
    select id, user_id, case when id % 7 = 0 then 1 + id % 4 else 5 end, case when id % 30 = 0 then 'Кабель закороткий' end,
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
