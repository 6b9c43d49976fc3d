import pg from 'pg';
import { keyHash } from '../src/ocpp/connections/charge-point-key.ts';

export interface SeededPoint {
  identity: string;
  password: string;
  /** 0 without a charge. */
  transactionId: number;
  /** The tag of the operation at its first connector. */
  idTag: string;
}

const key = Buffer.alloc(20, 7);

/**
 * Writes charge points with two connectors and a station each; the first connector has an operation. Charging: its device
 * has begun. Starting: its device has not. Also beside another network, whose numbers and phones are longer.
 */
export async function seedChargePoints(
  ownerUrl: string,
  {
    secret,
    count,
    first = 1,
    operations = 'charging',
  }: { secret: string; count: number; first?: number; operations?: 'charging' | 'starting' | 'none' },
): Promise<SeededPoint[]> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  const run = (text: string, values: unknown[] = []) => client.query(text, values);
  const last = first + count - 1;
  await run(
    `insert into users (name, phone_number, created_at) select 'D' || n, '+38050' || n, now() from generate_series($1::int, $2::int) n`,
    [first, last],
  );
  await run(
    `insert into charge_points (identity, key_hash, booted_at, created_at, vendor, model, configuration)
     select 'CPB' || n, $3, now(), now(), 'V', 'M', '{"configuredFor":"V / M / "}' from generate_series($1::int, $2::int) n`,
    [first, last, keyHash(secret, key)],
  );
  await run(
    `insert into stations (number, address, address_uk, lat, lon, created_at) select 'FB' || n, 'A', 'A', 48, 35, now() from generate_series($1::int, $2::int) n`,
    [first, last],
  );
  await run(
    `insert into connectors (station_id, charge_point_id, ocpp_connector, type, power_w)
     select s.id, c.id, k, 'ccstype2', 60000
     from generate_series($1::int, $2::int) n join charge_points c on c.identity = 'CPB' || n
       join stations s on s.number = 'FB' || n cross join generate_series(1, 2) k`,
    [first, last],
  );
  if (operations !== 'none') await addOperations(client, [first, last], operations);
  const { rows } = await client.query<{ identity: string; id: number; tag: string }>(
    `select c.identity, coalesce(t.id, 0)::int as id, coalesce(o.id_tag, '') as tag
     from generate_series($1::int, $2::int) n join charge_points c on c.identity = 'CPB' || n
       left join operations o on o.charge_point_id = c.id left join ocpp_transactions t on t.operation_id = o.id
     order by n`,
    [first, last],
  );
  await run('analyze');
  await client.end();
  return rows.map(({ identity, id, tag }) => ({
    identity,
    password: key.toString('hex'),
    transactionId: id,
    idTag: tag,
  }));
}

/** An operation at the first connector of each; when it is charging, its device has begun. */
async function addOperations(
  client: pg.Client,
  [first, last]: [number, number],
  operations: 'charging' | 'starting',
): Promise<void> {
  const isCharging = operations === 'charging';
  await client.query(
    `insert into operations (user_id, station_id, connector_id, charge_point_id, status, start_phase, payment_type, target, price, deposit, energy_limit_wh, id_tag, created_at, next_action_at)
     select u.id, k.station_id, k.id, k.charge_point_id, $3, $4, 'bank', 'uah', 1500, 30000, 20000, 'TAG' || k.id, now(),
       case when $3 = 'starting' then now() + interval '10 minutes' end
     from generate_series($1::int, $2::int) n join charge_points c on c.identity = 'CPB' || n
       join connectors k on k.charge_point_id = c.id and k.ocpp_connector = 1 join users u on u.name = 'D' || n`,
    [first, last, isCharging ? 'ongoing' : 'starting', isCharging ? null : 'accepted'],
  );
  if (!isCharging) return;
  await client.query(
    `insert into ocpp_transactions (charge_point_id, connector_id, ocpp_connector, operation_id, id_tag, meter_start_wh, device_started_at, started_at)
     select o.charge_point_id, o.connector_id, 1, o.id, o.id_tag, 1000000, '', now() - interval '1 hour'
     from generate_series($1::int, $2::int) n join charge_points c on c.identity = 'CPB' || n
       join operations o on o.charge_point_id = c.id`,
    [first, last],
  );
}
