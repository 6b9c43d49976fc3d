import { type WebhookKind, webhookKinds } from '@fpay/contract/admin/integrations/webhooks';
import { type OperationStatus, operationStatuses } from '@fpay/contract/charging';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOperationStore, type OperationStore } from '../../charging/store.ts';
import { openPlatform } from '../../platform/platform.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { addOperation } from '../../testing/operation.ts';
import { assertWebhookData, createWebhookRecorder } from './events.ts';

/** The data of each event, as receivers get it. */
const clock = { now: () => new Date() };
let database: TestDatabase;
let opened: ReturnType<typeof openPlatform>;
let operations: OperationStore;
let user: number;
const db = () => opened.platform.db;

beforeAll(async () => {
  database = await testDatabase();
  opened = openPlatform({ databaseUrl: database.appUrl, log: pino({ level: 'silent' }), clock });
  const events = createWebhookRecorder({ clock, dueWork: { wake: () => {} }, checksData: true });
  operations = createOperationStore({ db: db(), clock, events });
  const row = { name: 'Admin', role: 'Admin' as const, phone_number: '+380670000001', created_at: clock.now() };
  user = (await db().insertInto('users').values(row).returning('id').executeTakeFirstOrThrow()).id;
  await db()
    .insertInto('webhook_endpoints')
    .values({
      name: 'Accounting',
      url: 'http://127.0.0.1/hook',
      kinds: [...webhookKinds],
      secret: Buffer.from('secret'),
      staff_id: user,
      created_at: clock.now(),
    })
    .execute();
});
afterAll(async () => {
  await opened.close();
  await database.drop();
});

/** The data as the database wrote it before the features did; receivers rely on it. */
const earlierData = (operation: number) => sql<{ data: string }>`
  select jsonb_build_object('operation', jsonb_build_object(
    'id', o.id,
    'status', o.status,
    'station', s.number,
    'connector', o.connector_id,
    'source', o.source,
    'payment_type', o.payment_type,
    'price', o.price,
    'energy_wh', o.energy_wh,
    'total', o.total,
    'stop_cause', o.stop_cause,
    'created_at', to_char(o.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'started_at', to_char(o.started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'finished_at', to_char(o.finished_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))::text as data
  from operations o join stations s on s.id = o.station_id where o.id = ${operation}`;
/** The events that each status had before the features wrote them. */
const earlierKinds: Record<OperationStatus, WebhookKind[]> = {
  created: [],
  pending: [],
  starting: [],
  ongoing: ['operation.started'],
  finishing: ['operation.started'],
  pending_final_payment: ['operation.finished'],
  finished: ['operation.finished', 'operation.settled'],
  canceled: ['operation.failed'],
  failed: ['operation.failed'],
  failed_hold: ['operation.failed'],
};

test.each(operationStatuses)(
  'the events of %s and their data are byte for byte what receivers got before',
  async (status) => {
    const operation = await addOperation({ db: db() }, user, 'finished');
    const from = status === 'pending' ? 'starting' : 'pending';
    await db().updateTable('operations').set({ status: from }).where('id', '=', operation).execute();
    const times = {
      started_at: clock.now(),
      finished_at: new Date(clock.now().getTime() + 61_007),
      stop_cause: 'limit',
    };
    const changes = { ...(status === 'canceled' ? {} : times), status_at: clock.now(), energy_wh: 1_234, total: 18_51 };
    await opened.platform.steps.run(async (step) => {
      await operations.enter(step, { id: operation, status: from }, status, changes);
    });
    const { rows } = await sql<{ kind: string; data: string; at: Date }>`
    select kind, payload::text as data, created_at as at from webhook_events where operation_id = ${operation} order by id`.execute(
      db(),
    );
    const { data } = (await earlierData(operation).execute(db())).rows[0] ?? {};
    expect(rows).toEqual(earlierKinds[status].map((kind) => ({ kind, data, at: changes.status_at })));
  },
);

test('data that is outside the contract is not stored', async () => {
  const operation = await addOperation({ db: db() }, user, 'finished');
  await sql`update operations set status = 'starting', created_at = 'infinity' where id = ${operation}`.execute(db());
  await expect(
    opened.platform.steps.run((step) => operations.enter(step, { id: operation, status: 'starting' }, 'ongoing', {})),
  ).rejects.toThrow(/operation.started is outside its contract/);
  expect(await operations.find(operation)).toMatchObject({ status: 'starting' });
  expect(() => assertWebhookData('test', {})).toThrow(/test is outside its contract/);
});
