import {
  type AdminCase,
  adminCase,
  adminCases,
  answerCase,
  assignCase,
  caseCounts,
  caseStaff,
  closeCase,
  noteCase,
  openCase,
  reopenCase,
  snoozeCase,
} from '@fpay/contract/admin/cases';
import { giveFeedback } from '@fpay/contract/feedback';
import { answerSupport, askSupport, readSupport, supportThread, supportThreads } from '@fpay/contract/support';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addOperation } from '../testing/operation.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { createCases } from './service.ts';
import { createCaseStore } from './store.ts';

let server: TestServer;
let now = Date.now();
type Caller = Awaited<ReturnType<TestServer['signedIn']>>;
let support: Caller;
beforeAll(async () => {
  server = await startTestServer({ clock: { now: () => new Date(now) } });
  support = await server.signedIn('Support');
});
afterAll(() => server.close());

/** Asks a provider that answers this. */
async function sweepWith(known: Map<string, 'delivered' | 'failed'>): Promise<void> {
  const store = createCaseStore(server.db, server.clock);
  const none = { dueWork: { register: () => {} }, chargeOf: async () => null, stationNumbers: async () => new Map() };
  await createCases({ ...server.platform, store, ...none, smsDeliveries: async () => known }).sweep();
}

const one = (id: number) => ({ params: { id: String(id) } });
async function readCase(id: number, by = support): Promise<AdminCase> {
  const { status, body } = await by.client.call(adminCase, one(id));
  expect(status).toBe(200);
  return body;
}
const casesOf = async (operation: number) =>
  (await support.client.call(adminCases, { query: { operation: String(operation) } })).body.data;
const ask = async (driver: Caller, text: string, operation: number | null = null) =>
  (await driver.client.call(askSupport, { body: { text, charging_operation_id: operation } })).body.id;
const close = (operation: number, status: 'failed' | 'finished') =>
  server.db.updateTable('operations').set({ status }).where('id', '=', operation).execute();
const rate = (driver: Caller, operation: number, rating: number, comment: string | null) =>
  driver.client.call(giveFeedback, { body: { charging_operation_id: operation, rating, comment } });

async function chargeOf(driver: Caller, status: 'failed' | 'finished' = 'finished'): Promise<number> {
  const id = await addOperation(server, driver.id, 'finished');
  await close(id, status);
  return id;
}

test.each([
  ['a bad rating', 'finished', 2, { source: 'rating', rating: 2 }],
  ['an issue of a charge that did not work', 'failed', 1, { source: 'report', rating: null }],
] as const)('%s opens a case in the step that stores it', async (_title, status, rating, expected) => {
  const driver = await server.signedIn();
  const operation = await chargeOf(driver, status);
  await rate(driver, operation, rating, 'Кабель не виймається');
  const [found, ...others] = await casesOf(operation);
  expect(others).toEqual([]);
  expect(found).toMatchObject({
    ...expected,
    state: 'open',
    subject: 'Кабель не виймається',
    user: { id: driver.id },
    owner: null,
    charging_operation_id: operation,
    charging_station: expect.stringMatching(/^F/),
    waiting_since: new Date(now).toISOString(),
  });
  expect((await readCase(found?.id ?? 0)).entries).toMatchObject([
    { kind: 'from_driver', text: 'Кабель не виймається' },
  ]);
});

test('a rating of 3 opens no case', async () => {
  const driver = await server.signedIn();
  const operation = await chargeOf(driver);
  await rate(driver, operation, 3, 'Непогано');
  expect(await casesOf(operation)).toEqual([]);
});

test('a second report about a charge joins the open case, and after its end a new one is opened', async () => {
  const driver = await server.signedIn();
  const operation = await chargeOf(driver, 'failed');
  await rate(driver, operation, 1, 'Не стартує');
  const [first] = await casesOf(operation);
  const id = first?.id ?? 0;
  expect(await Promise.all([ask(driver, 'Стою вже 10 хвилин', operation), ask(driver, 'Алло', operation)])).toEqual([
    id,
    id,
  ]);
  expect((await readCase(id)).entries.map(({ text }) => text).toSorted()).toEqual([
    'Алло',
    'Не стартує',
    'Стою вже 10 хвилин',
  ]);
  await support.client.call(closeCase, one(id));
  const next = await ask(driver, 'Знову', operation);
  expect(next).not.toBe(id);
  // What the driver writes in the closed one joins the open one.
  await driver.client.call(answerSupport, { ...one(id), body: { text: 'Ще раз' } });
  expect((await readCase(next)).entries.map(({ text }) => text)).toEqual(['Знову', 'Ще раз']);
  expect((await support.client.call(reopenCase, one(id))).status).toBe(409);
});

test('an answer takes a case without an owner, ends the wait and is read when the driver opens the thread', async () => {
  const driver = await server.signedIn();
  const opened = now;
  const id = await ask(driver, 'Списали гроші, а зарядки не було');
  now += 4 * 60_000;
  expect((await support.client.call(answerCase, { ...one(id), body: { text: 'Бачимо, повертаємо' } })).status).toBe(
    204,
  );
  const answered = await readCase(id);
  expect(answered).toMatchObject({
    state: 'waiting',
    owner: { id: support.id },
    waiting_since: null,
    first_answer_at: new Date(opened + 4 * 60_000).toISOString(),
    actions: ['answer', 'note', 'assign', 'snooze', 'close'],
  });
  expect(answered.entries.at(-1)).toMatchObject({ kind: 'to_driver', push: null, telegram: null, read_at: null });
  // Neither push nor Telegram is there, so an SMS carries the link.
  await vi.waitFor(async () => expect((await readCase(id)).entries.at(-1)?.sms).not.toBe('queued'), 20_000);
  expect((await driver.client.call(supportThreads, {})).body).toMatchObject([
    { id, unread: 1, last_text: 'Бачимо, повертаємо', is_closed: false },
  ]);
  const thread = (await driver.client.call(supportThread, one(id))).body;
  expect(thread.messages.map(({ from, text }) => [from, text])).toEqual([
    ['driver', 'Списали гроші, а зарядки не було'],
    ['staff', 'Бачимо, повертаємо'],
  ]);
  expect((await readCase(id)).entries.at(-1)?.read_at).toBeNull();
  await driver.client.call(readSupport, one(id));
  expect((await readCase(id)).entries.at(-1)?.read_at).toBe(new Date(now).toISOString());
  await driver.client.call(answerSupport, { ...one(id), body: { text: 'Дякую' } });
  expect(await readCase(id)).toMatchObject({ state: 'open', waiting_since: new Date(now).toISOString() });
});

test('an accepted SMS becomes delivered when its provider says so', async () => {
  const driver = await server.signedIn();
  const id = await ask(driver, 'Питання');
  await support.client.call(answerCase, { ...one(id), body: { text: 'Відповідь' } });
  await vi.waitFor(async () => expect((await readCase(id)).entries.at(-1)?.sms).not.toBe('queued'), 20_000);
  const entry = (await readCase(id)).entries.at(-1)?.id ?? 0;
  const smsId = `sms-${entry}`;
  await server.features.cases.service.messageReported(entry, { channel: 'sms', state: 'accepted', smsId });
  expect((await readCase(id)).entries.at(-1)?.sms).toBe('accepted');
  await sweepWith(new Map([[smsId, 'delivered']]));
  expect((await readCase(id)).entries.at(-1)?.sms).toBe('delivered');
});

test('a push is sent instead of an SMS, and Telegram where it is linked', async () => {
  const driver = await server.signedIn();
  const id = await ask(driver, 'Питання');
  await server.db.updateTable('users').set({ telegram_id: 77_001 }).where('id', '=', driver.id).execute();
  await support.client.call(answerCase, { ...one(id), body: { text: 'Відповідь' } });
  expect((await readCase(id)).entries.at(-1)).toMatchObject({ push: null, telegram: expect.any(String), sms: null });
});

test('a note is never shown to the driver', async () => {
  const driver = await server.signedIn();
  const id = await ask(driver, 'Питання');
  await support.client.call(noteCase, { ...one(id), body: { text: 'Третій зрив за місяць' } });
  const thread = (await driver.client.call(supportThread, one(id))).body;
  expect(thread.messages.map(({ text }) => text)).toEqual(['Питання']);
  expect((await driver.client.call(supportThreads, {})).body).toMatchObject([{ last_text: 'Питання' }]);
});

test('a snoozed case comes back at its time, or when the driver writes', async () => {
  const driver = await server.signedIn();
  const [slept, written] = [await ask(driver, 'Борг'), await ask(driver, 'Картка')];
  const until = new Date(now + 3_600_000).toISOString();
  for (const id of [slept, written])
    expect((await support.client.call(snoozeCase, { ...one(id), body: { until } })).status).toBe(204);
  expect(await readCase(slept)).toMatchObject({ state: 'snoozed', snoozed_until: until });
  await driver.client.call(answerSupport, { ...one(written), body: { text: 'Ще є питання' } });
  expect(await readCase(written)).toMatchObject({ state: 'open', snoozed_until: null });
  now += 3_601_000;
  await vi.waitFor(
    async () => expect(await readCase(slept)).toMatchObject({ state: 'open', snoozed_until: null }),
    20_000,
  );
  expect((await readCase(slept)).entries.at(-1)).toMatchObject({ event: 'woke', staff: null });
  const past = new Date(now - 1000).toISOString();
  expect((await support.client.call(snoozeCase, { ...one(slept), body: { until: past } })).body).toMatchObject({
    code: 'snooze_time',
  });
});

test('a call becomes a case that its driver sees from the first answer on', async () => {
  const driver = await server.signedIn();
  const operation = await chargeOf(driver);
  const body = { charging_operation_id: operation, subject: 'Просить рахунок', note: 'Компанія «Дніпро»' };
  const { id } = (await support.client.call(openCase, { body })).body;
  expect((await support.client.call(openCase, { body })).body.id).toBe(id);
  expect(await readCase(id)).toMatchObject({ source: 'call', subject: 'Просить рахунок', owner: { id: support.id } });
  expect((await driver.client.call(supportThreads, {})).body).toEqual([]);
  expect((await driver.client.call(supportThread, one(id))).status).toBe(404);
  await support.client.call(answerCase, { ...one(id), body: { text: 'Надіслали' } });
  expect((await driver.client.call(supportThreads, {})).body).toMatchObject([{ id, unread: 1 }]);
  // No driver waited for it, so it does not count as a first answer.
  expect((await readCase(id)).first_answer_at).toBeNull();
  const ofUser = { user_id: driver.id, subject: 'Питання про тариф' };
  expect((await support.client.call(openCase, { body: ofUser })).body.id).not.toBe(id);
  expect((await support.client.call(openCase, { body: { ...ofUser, user_id: 9_999_999 } })).status).toBe(404);
});

test('an anomaly about a payment opens a case of its driver', async () => {
  const driver = await server.signedIn();
  const operation = await chargeOf(driver);
  for (const kind of ['chargeback', 'refund_refused'])
    await server.steps.run((step) =>
      server.features.cases.service.fromAnomaly(step, { kind, user: driver.id, operation }),
    );
  const [found, ...others] = await casesOf(operation);
  expect(others).toEqual([]);
  expect(found).toMatchObject({ source: 'anomaly', anomaly: 'chargeback', waiting_since: null });
  expect((await readCase(found?.id ?? 0)).entries.map(({ event }) => event)).toEqual(['opened', 'joined']);
});

test('a case is given to staff who may answer, and to no others', async () => {
  const driver = await server.signedIn();
  const [other, analytic] = [await server.signedIn('Operator'), await server.signedIn('Analytic')];
  const id = await ask(driver, 'Питання');
  const assign = (staff_id: number | null) => support.client.call(assignCase, { ...one(id), body: { staff_id } });
  expect((await assign(other.id)).status).toBe(204);
  expect(await readCase(id)).toMatchObject({ owner: { id: other.id } });
  expect((await assign(analytic.id)).body).toMatchObject({ code: 'user_not_found' });
  expect((await assign(null)).status).toBe(204);
  const able = (await support.client.call(caseStaff, {})).body.map(({ id: staff }) => staff);
  expect(able).toEqual(expect.arrayContaining([support.id, other.id]));
  expect(able).not.toContain(analytic.id);
  // Who only reads is offered no action.
  expect((await readCase(id, analytic)).actions).toEqual([]);
});

test('the queue has views, filters, a search and sorts', async () => {
  const staff = await server.signedIn('Support');
  const driver = await server.signedIn();
  const operation = await chargeOf(driver, 'failed');
  const idsOf = async (query: Record<string, string>) =>
    (await staff.client.call(adminCases, { query: { user: String(driver.id), ...query } })).body.data.map(
      ({ id }) => id,
    );
  const [free, mine, closed] = [
    await ask(driver, 'Один'),
    await ask(driver, 'Два'),
    await ask(driver, 'Три', operation),
  ];
  await staff.client.call(answerCase, { ...one(mine), body: { text: 'Бачимо' } });
  await staff.client.call(closeCase, one(closed));
  now += 1000;
  await staff.client.call(noteCase, { ...one(free), body: { text: 'Нотатка' } });
  expect(await idsOf({})).toEqual(
    [free, closed, mine].toSorted((a, b) => Number(b === free) - Number(a === free) || b - a),
  );
  expect(await idsOf({ sort: 'id' })).toEqual([free, mine, closed]);
  expect(await idsOf({ view: 'mine' })).toEqual([mine]);
  expect(await idsOf({ view: 'new' })).toEqual([free]);
  expect(await idsOf({ view: 'waiting' })).toEqual([mine]);
  expect(await idsOf({ view: 'closed' })).toEqual([closed]);
  expect((await idsOf({ view: 'open' })).toSorted()).toEqual([free, mine].toSorted());
  expect(await idsOf({ source: 'rating' })).toEqual([]);
  const { number } = await server.db
    .selectFrom('stations as s')
    .innerJoin('operations as o', 'o.station_id', 's.id')
    .select('s.number')
    .where('o.id', '=', operation)
    .executeTakeFirstOrThrow();
  for (const q of [String(operation), number.toLowerCase()]) expect(await idsOf({ q })).toContain(closed);
  expect(await idsOf({ q: driver.phone })).toHaveLength(3);
  expect(await idsOf({ q: 'user' })).toHaveLength(3);
  expect(await idsOf({ q: 'Олена' })).toEqual([]);
  expect((await staff.client.call(adminCases, { query: { sort: 'owner' } })).status).toBe(400);
  const counts = (await staff.client.call(caseCounts, {})).body;
  expect(counts).toMatchObject({ mine: 1, first_answer_seconds: expect.any(Number) });
});

test('what the state does not allow is refused, and the driver opens a closed case again', async () => {
  const driver = await server.signedIn();
  const id = await ask(driver, 'Питання');
  expect((await support.client.call(reopenCase, one(id))).body).toMatchObject({ code: 'case_state' });
  await support.client.call(closeCase, one(id));
  expect((await support.client.call(answerCase, { ...one(id), body: { text: 'Запізно' } })).body).toMatchObject({
    code: 'case_state',
  });
  expect((await driver.client.call(supportThread, one(id))).body.is_closed).toBe(true);
  await driver.client.call(answerSupport, { ...one(id), body: { text: 'Ще питання' } });
  expect(await readCase(id)).toMatchObject({ state: 'open' });
  expect((await support.client.call(closeCase, one(999_999))).status).toBe(404);
});

test('the case of another driver is not found', async () => {
  const [driver, stranger] = [await server.signedIn(), await server.signedIn()];
  const operation = await chargeOf(driver);
  const id = await ask(driver, 'Питання', operation);
  const answers = await Promise.all([
    stranger.client.call(supportThread, one(id)),
    stranger.client.call(answerSupport, { ...one(id), body: { text: 'Привіт' } }),
    stranger.client.call(readSupport, one(id)),
    stranger.client.call(askSupport, { body: { text: 'Привіт', charging_operation_id: operation } }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
});

test('a driver may write 20 messages an hour of at most 1,000 characters', async () => {
  const driver = await server.signedIn();
  const id = await ask(driver, 'Питання');
  const write = (text: string) => driver.client.call(answerSupport, { ...one(id), body: { text } });
  expect((await write('я'.repeat(1001))).status).toBe(422);
  expect((await write('   ')).status).toBe(422);
  for (let count = 1; count < 20; count += 1) expect((await write('я'.repeat(1000))).status).toBe(204);
  expect((await write('Ще')).status).toBe(429);
});

test('a guest keeps the cases after joining an account, and a deletion erases them', async () => {
  const [guest, driver] = [await server.signedIn('Guest'), await server.signedIn()];
  const id = await ask(guest, 'Питання гостя');
  await support.client.call(noteCase, { ...one(id), body: { text: 'Нотатка' } });
  const tables = server.features.cases.userTables.cases;
  if (!tables || typeof tables.onUserMerged === 'string' || typeof tables.onUserDeleted === 'string')
    throw new Error('cases have no answer for accounts');
  const { onUserMerged, onUserDeleted } = tables;
  await server.steps.run((step) => onUserMerged(step, guest.id, driver.id));
  expect((await driver.client.call(supportThreads, {})).body).toMatchObject([{ id }]);
  await server.steps.run((step) => onUserDeleted(step, driver.id));
  expect((await support.client.call(adminCase, one(id))).status).toBe(404);
  expect(await server.db.selectFrom('case_entries').select('id').where('case_id', '=', id).execute()).toEqual([]);
});

test('reading a case is recorded once an hour', async () => {
  const [driver, staff] = [await server.signedIn(), await server.signedIn('Support')];
  const id = await ask(driver, 'Питання');
  for (const _ of [1, 2]) await readCase(id, staff);
  const rows = await server.db
    .selectFrom('audit')
    .select(['action', 'subject_kind', 'subject_id'])
    .where('staff_id', '=', staff.id)
    .execute();
  expect(rows).toEqual([{ action: 'read.case', subject_kind: 'case', subject_id: String(id) }]);
});
