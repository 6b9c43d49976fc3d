import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { figure } from '../../testing/figures.ts';
import { keptLog } from '../../testing/kept-log.ts';
import { addOperation } from '../../testing/operation.ts';
import { poison } from '../../testing/poison.ts';
import { type MovedStack, startMovedStack } from '../../testing/stack.ts';
import type { PassedTime } from '../../testing/timeline.ts';

/** One row of every loop of charging cannot be handled; the others must be handled all the same. */
const { log, lines } = keptLog();
let stack: MovedStack;
let user: number;
beforeAll(async () => {
  stack = await startMovedStack({ log });
  user = (await stack.addUser()).id;
});
afterAll(() => stack.close());
beforeEach(() => void lines.splice(0));

type Status = Parameters<typeof addOperation>[2];

const statusOf = async (id: number) =>
  (await stack.db.selectFrom('operations').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status;
const failures = (loop: string) => figure(stack, 'fpay_row_failures_total', `{loop="${loop}"}`);
const change = (id: number, changes: ReturnType<typeof sql>) =>
  sql`update operations set ${changes} where id = ${id}`.execute(stack.db);
const changePoint = (id: number, changes: ReturnType<typeof sql>) =>
  sql`update charge_points set ${changes} where id = (select charge_point_id from operations where id = ${id})`.execute(
    stack.db,
  );

function expectLogged(loop: string, id: number): void {
  expect(lines).toContainEqual(expect.objectContaining({ level: 50, msg: 'row failed', loop, id }));
}

const now = () => sql`${stack.clock.now()}::timestamptz`;
const add = (status: Status, driver = user) => addOperation(stack, driver, status, stack.clock.now());

interface Trouble {
  type: string;
  status: Status;
  /** Without it the operation is in trouble by itself as time passes. */
  begins?: (id: number) => Promise<unknown>;
  lasts: PassedTime;
  /** Its charge point sends readings meanwhile. */
  isRead?: true;
  ends: string;
}

/** Two operations with the same problem; the first, which the loop handles first, cannot be written. */
async function pair({ status, begins, lasts, isRead }: Trouble): Promise<[bad: number, good: number]> {
  const bad = await add(status);
  const good = await add(status);
  for (const id of [bad, good]) {
    await changePoint(id, sql`is_online = true, online_changed_at = ${now()}`);
    await change(id, sql`last_sample_at = ${now()}`);
  }
  for (const id of [bad, good]) await begins?.(id);
  stack.ahead(lasts);
  for (const id of isRead ? [bad, good] : []) await change(id, sql`last_sample_at = ${now()}`);
  await poison(stack.database, 'operation_log', `new.operation_id = ${bad}`);
  return [bad, good];
}

const troubles: Trouble[] = [
  {
    type: 'over_limit',
    status: 'ongoing',
    begins: (id) => change(id, sql`limit_reached_at = ${now()}`),
    lasts: { minutes: 3 },
    ends: 'finishing',
  },
  { type: 'silent', status: 'ongoing', lasts: { minutes: 16 }, ends: 'finishing' },
  {
    type: 'idle',
    status: 'ongoing',
    begins: (id) => change(id, sql`idle_since = ${now()}`),
    lasts: { minutes: 61 },
    isRead: true,
    ends: 'finishing',
  },
  { type: 'hold_ending', status: 'ongoing', lasts: { days: 8 }, isRead: true, ends: 'failed' },
  { type: 'stuck', status: 'starting', lasts: { minutes: 11 }, ends: 'failed' },
  { type: 'stuck', status: 'finishing', lasts: { minutes: 11 }, ends: 'failed' },
  {
    type: 'forgotten',
    status: 'finishing',
    async begins(id) {
      await change(id, sql`status = 'ongoing'`);
      stack.ahead({ minutes: 1 });
      await sql`update connectors set ocpp_status = 'Available', status_at = ${now()}
        where id = (select connector_id from operations where id = ${id})`.execute(stack.db);
    },
    lasts: { minutes: 11 },
    ends: 'failed',
  },
  {
    type: 'away',
    status: 'ongoing',
    begins: (id) => changePoint(id, sql`is_online = false, online_changed_at = ${now()}`),
    lasts: { hours: 25 },
    ends: 'failed',
  },
];

test.each(troubles)(
  'watchdog rule $type ($status): an operation that cannot be written does not keep others from being ended',
  async (trouble) => {
    const { type, ends } = trouble;
    const [bad, good] = await pair(trouble);
    const before = await failures(`watchdog.${type}`);
    await stack.charging.watch();
    expect(await statusOf(good)).toBe(ends);
    expect(await statusOf(bad)).not.toBe(ends);
    expectLogged(`watchdog.${type}`, bad);
    expect(await failures(`watchdog.${type}`)).toBeGreaterThan(before);
  },
);

test('the warning of idle drivers: one that cannot be written does not keep others from being sent', async () => {
  const drivers = [await stack.addUser(), await stack.addUser()];
  const ids: number[] = [];
  for (const { id } of drivers) {
    await sql`update users set telegram_id = ${700_000_000 + id} where id = ${id}`.execute(stack.db);
    const operation = await add('ongoing', id);
    await change(operation, sql`idle_since = ${now()}`);
    ids.push(operation);
  }
  const [bad = 0, good = 0] = ids;
  stack.ahead({ minutes: 31 });
  await poison(stack.database, 'notices', `new.operation_id = ${bad} and new.kind = 'idle'`);
  await stack.charging.watch();
  const warned = await stack.db.selectFrom('notices').select('operation_id').where('kind', '=', 'idle').execute();
  expect(warned).toEqual([{ operation_id: good }]);
  expectLogged('watchdog.idle-notice', bad);
  expect(await failures('watchdog.idle-notice')).toBeGreaterThan(0);
});

test('stray charges: one that cannot be stopped does not keep others from being stopped, whatever the watchdog rules do', async () => {
  const { chargePointId } = await pointOf(await stack.addScripted());
  const ids: number[] = [];
  for (const tag of ['STRAY1', 'STRAY2']) {
    const { rows } = await sql<{ id: number }>`
      insert into ocpp_transactions (charge_point_id, ocpp_connector, id_tag, meter_start_wh, device_started_at, started_at)
      values (${chargePointId}, 1, ${tag}, 0, '', ${now()}) returning id`.execute(stack.db);
    ids.push(rows[0]?.id ?? 0);
  }
  const [bad = 0, good = 0] = ids;
  stack.ahead({ minutes: 2 });
  await poison(stack.database, 'commands', `new.payload->>'transactionId' = '${bad}'`);
  await stack.charging.watch();
  const { rows } = await sql<{ id: string }>`
    select payload->>'transactionId' as id from commands where charge_point_id = ${chargePointId}
      and action = 'RemoteStopTransaction'`.execute(stack.db);
  expect(rows).toEqual([{ id: String(good) }]);
  expectLogged('charging.stray', bad);
  expect(await failures('charging.stray')).toBeGreaterThan(0);
});

async function pointOf({ identity }: { identity: string }) {
  const { id } = await stack.db
    .selectFrom('charge_points')
    .select('id')
    .where('identity', '=', identity)
    .executeTakeFirstOrThrow();
  return { chargePointId: id };
}

/** A charge point with two connectors and a charge on each; that of the first cannot be written. */
async function twoCharges(status: Status) {
  const station = await stack.addScripted({ connectors: 2 });
  const { chargePointId } = await pointOf(station);
  const ids: number[] = [];
  for (const connector of station.connectors) {
    const id = await add(status);
    await change(id, sql`charge_point_id = ${chargePointId}, connector_id = ${connector}`);
    ids.push(id);
  }
  const [bad = 0, good = 0] = ids;
  await poison(stack.database, 'operation_log', `new.operation_id = ${bad}`);
  return { ...station, chargePointId, bad, good };
}

const notesOf = async (id: number) =>
  (await stack.db.selectFrom('operation_log').select('text').where('operation_id', '=', id).execute()).map(
    ({ text }) => text,
  );
const isOnline = async (id: number) =>
  (await stack.db.selectFrom('charge_points').select('is_online').where('id', '=', id).executeTakeFirstOrThrow())
    .is_online;

test('a charge point with an operation that cannot be written still disconnects and reconnects, and its other charges are updated', async () => {
  const { device, connect, chargePointId, bad, good } = await twoCharges('ongoing');
  await device.close();
  const goneAway = () =>
    sql`update charge_point_links set node_id = null, offline_due_at = now() where charge_point_id = ${chargePointId}`.execute(
      stack.db,
    );
  await goneAway();
  await vi.waitFor(async () => expect(await isOnline(chargePointId)).toBe(false), { timeout: 10_000 });
  expect(await notesOf(good)).toEqual(['the station is away']);
  expectLogged('charging.offline', bad);
  await connect();
  expect(await isOnline(chargePointId)).toBe(true);
  expect(await notesOf(good)).toEqual(['the station is away', 'the station is back']);
  expectLogged('charging.online', bad);
  expect(await failures('charging.offline')).toBe(1);
  expect(await failures('charging.online')).toBe(1);
}, 30_000);

test('a start that waits for its charge point continues although another start there cannot be written', async () => {
  const { device, connect, bad, good } = await twoCharges('starting');
  for (const id of [bad, good])
    await change(id, sql`start_phase = 'lost', next_action_at = ${now()} + interval '1 hour'`);
  await poison(stack.database, 'operations', `new.id = ${bad}`);
  await device.close();
  await connect();
  const { start_phase } = await stack.db
    .selectFrom('operations')
    .select('start_phase')
    .where('id', '=', good)
    .executeTakeFirstOrThrow();
  expect(start_phase).toBe('accepted');
  expectLogged('charging.reconnect', bad);
  expect(await failures('charging.reconnect')).toBe(1);
});

test('charge points that have been away go offline although one of them cannot be written', async () => {
  const [one, other] = [await stack.addScripted(), await stack.addScripted()];
  const bad = (await pointOf(one)).chargePointId;
  const good = (await pointOf(other)).chargePointId;
  await poison(stack.database, 'charge_points', `new.id = ${bad} and not new.is_online`);
  for (const { device } of [one, other]) await device.close();
  await sql`update charge_point_links set node_id = null, offline_due_at = now()
    where charge_point_id in (${bad}, ${good})`.execute(stack.db);
  await vi.waitFor(async () => expect(await isOnline(good)).toBe(false), { timeout: 10_000 });
  expectLogged('gateway.offline', bad);
  expect(await failures('gateway.offline')).toBeGreaterThan(0);
}, 30_000);

test('a connector whose operation cannot be written is still shown as faulted', async () => {
  const { device, connectors, bad } = await twoCharges('starting');
  await device.status(1, 'Faulted', 'GroundFailure');
  const { ocpp_status } = await stack.db
    .selectFrom('connectors')
    .select('ocpp_status')
    .where('id', '=', connectors[0] ?? 0)
    .executeTakeFirstOrThrow();
  expect(ocpp_status).toBe('Faulted');
  expectLogged('charging.fault', bad);
});

test('a new charge begins on a connector although the one before it cannot be closed', async () => {
  const fixture = await stack.startCharge();
  await poison(stack.database, 'operation_log', `new.operation_id = ${fixture.id}`);
  const answer = await fixture.device.start(1, 'AN-UNKNOWN-TAG', 2_000);
  expect(answer.idTagInfo.status).toBe('Invalid');
  expectLogged('charging.replaced', fixture.transactionId);
});

test('a promotion with invalid terms does not keep a charge from being settled, nor the next promotion from paying', async () => {
  const fixture = await stack.startCharge('150');
  const { rows } = await sql<{ id: number }>`
    insert into promotions (code, kind, station_id, terms)
    select code, 'reward', o.station_id, terms::jsonb from operations o, (values
      ('broken', '{"min_energy_wh": 0, "amount": -5}'), ('right', '{"min_energy_wh": 0, "amount": 100}')) as given (code, terms)
    where o.id = ${fixture.id} returning id`.execute(stack.db);
  await fixture.device.stop(fixture.transactionId, 1_100);
  await stack.until(fixture.client, fixture.id, 'finished');
  expect((await notesOf(fixture.id)).at(-1)).toBe(`promotion ${rows[1]?.id}: 100 back to the balance`);
  expectLogged('charging.reward', rows[0]?.id ?? 0);
});

test('due work: an operation that cannot be claimed does not keep others from their next step', async () => {
  const [bad, good] = [await add('finished'), await add('finished')];
  for (const id of [bad, good]) await change(id, sql`next_action_at = ${now()} + interval '1 hour'`);
  await poison(stack.database, 'operations', `new.id = ${bad}`);
  stack.ahead({ hours: 1 });
  const dueOf = async (id: number) =>
    (await stack.db.selectFrom('operations').select('next_action_at').where('id', '=', id).executeTakeFirstOrThrow())
      .next_action_at;
  await vi.waitFor(async () => expect(await dueOf(good)).toBeNull(), { timeout: 10_000 });
  expect(await dueOf(bad)).not.toBeNull();
  expectLogged('due.operation', bad);
  expect(await failures('due.operation')).toBeGreaterThan(0);
}, 15_000);
