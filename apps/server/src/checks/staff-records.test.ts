import { newPayment } from '@fpay/contract/charging';
import { type Endpoint, isStaffChange } from '@fpay/contract/endpoint';
import { endpoints } from '@fpay/contract/endpoints';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addOperation } from '../testing/operation.ts';
import { type Stack, startStack } from '../testing/stack.ts';

/**
 * One successful call of every staff call that changes something, each of which leaves exactly one record by the caller. A new
 * call of the contract fails the last test until it is made here.
 */
let stack: Stack;
let boss: Awaited<ReturnType<Stack['signedIn']>>;
let second: Awaited<ReturnType<Stack['signedIn']>>;
beforeAll(async () => {
  stack = await startStack();
  boss = await stack.signedIn('SuperAdmin');
  second = await stack.signedIn('SuperAdmin');
}, 60_000);
afterAll(() => stack.close());

const nameOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>) => `${method} ${path}`;
const changes = endpoints.filter(isStaffChange).map(nameOf);
const made = new Set<string>();

async function recordsBy(staff: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from audit
    where staff_id = ${staff} and action not like 'read.%'`.execute(stack.db);
  return rows[0]?.count ?? 0;
}

type Values = Record<string, string | number>;

/** Makes the call and returns its answer; fails when it was refused or did not leave exactly one record. */
async function record(name: string, values: Values = {}, body: object = {}, by = boss): Promise<Record<string, never>> {
  const [method = '', path = ''] = name.split(' ');
  const url = path.replace(/:(\w+)/g, (_, part: string) => encodeURIComponent(String(values[part])));
  const before = await recordsBy(by.id);
  const answer = await by.client.mutate(method, url, body);
  expect([name, answer.status < 300, answer.status < 300 ? null : answer.body]).toEqual([name, true, null]);
  expect([name, (await recordsBy(by.id)) - before]).toEqual([name, 1]);
  made.add(name);
  return answer.body;
}

const users = '/api/admin/users';
const network = '/api/admin/network';

test('users and their money [ADM-OP-33]', async () => {
  const [user, other] = [await stack.addUser(), await stack.addUser()];
  await stack.db.updateTable('users').set({ telegram_id: 77 }).where('id', '=', user.id).execute();
  const body = { user_id: user.id };
  await record(`POST ${users}/send-sms`, {}, { phone_number: user.phone, message: 'Hello' });
  await record(`POST ${users}/telegram-message`, {}, { ...body, message: 'Hello' });
  await record(`PATCH ${users}/role`, {}, { ...body, role: 'Support' });
  await record(`PATCH ${users}/role`, {}, { ...body, role: 'User' });
  await record(`POST ${users}/ban`, {}, body);
  await record(`DELETE ${users}/ban`, {}, body);
  const texts = { uk: 'Подяка', en: 'Thanks', pl: 'Podziękowanie' };
  await record('PATCH /api/admin/reasons', {}, { reasons: [{ texts, kinds: ['give'] }] });
  await record('POST /api/admin/notes/:subject/:id', { subject: 'user', id: user.id }, { text: 'Calls often' });
  await record(`POST ${users}/balance/increase`, {}, { ...body, amount: 40_00 });
  await record(`POST ${users}/balance/decrease`, {}, { ...body, amount: 10_00 });
  const { id } = await stack.db
    .selectFrom('transfers')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  await record(`DELETE ${users}/balance/transactions`, {}, { id, cancel_payment: false, allow_partial: false });
  await record(`POST ${users}/wallet/share`, {}, { owner_id: other.id, user_ids: [user.id] });
  await record(`DELETE ${users}/wallet/share`, {}, { owner_id: other.id });
  for (const decide of ['POST', 'DELETE']) {
    const asked = await record(`POST ${users}/balance/increase`, {}, { user_id: other.id, amount: 5_000_01 });
    await record(`${decide} /api/admin/approvals/:id`, { id: asked.approval_id ?? 0 }, {}, second);
  }
});

test('cases [ADM-OP-33]', async () => {
  const driver = await stack.signedIn();
  const { id } = await record(
    'POST /api/admin/cases',
    {},
    { user_id: driver.id, subject: 'Cable', note: 'Calls again' },
  );
  const one = { id: id ?? 0 };
  await record('POST /api/admin/cases/:id/answer', one, { text: 'We see it' });
  await record('POST /api/admin/cases/:id/note', one, { text: 'The third time' });
  await record('POST /api/admin/cases/:id/assign', one, { staff_id: second.id });
  const until = new Date(Date.now() + 3_600_000).toISOString();
  await record('POST /api/admin/cases/:id/snooze', one, { until });
  await record('POST /api/admin/cases/:id/close', one);
  await record('POST /api/admin/cases/:id/reopen', one);
});

test('operations and payments [ADM-OP-33]', async () => {
  const operation = '/api/admin/operation';
  const running = async () => (await stack.startCharge('150')).id;
  const ended = await stack.startCharge('150');
  await ended.device.stop(ended.transactionId, 1_100);
  await stack.until(ended.client, ended.id, 'finished');
  await record(`POST ${operation}/soft-stop/:id`, { id: await running() });
  await record(`PATCH ${operation}/stop-message/:id`, { id: await running() });
  await record(`PATCH ${operation}/:id`, { id: ended.id }, { energy: 0, update_total: true });
  await record(
    'PATCH /api/admin/status/operation/:id',
    { id: await running() },
    { status: 'canceled', override: true },
  );
  const { id: driver } = await stack.addUser();
  await record(`POST ${operation}/soft-start/:id`, { id: await addOperation(stack, driver, 'pending') });
  await record(`POST ${operation}/soft-cancel/:id`, { id: await addOperation(stack, driver, 'starting') });

  const { transactionId, identity } = await stack.startCharge('150');
  const point = await idOf(identity);
  const payload = { chargePointId: point, transactionId };
  await record('POST /api/admin/command', {}, { command: 'remotestoptransaction', payload });

  async function held(): Promise<{ payment: number; end: () => Promise<unknown> }> {
    const station = await stack.addScripted();
    const { client } = await stack.driver();
    const card = { connector: station.connector, amount: '100', payment_type: 'card', target: 'uah' } as const;
    const { body } = await client.call(newPayment, { body: card });
    await stack.payAtBank(body.page_url);
    const { idTag } = await station.device.asked('RemoteStartTransaction');
    const { transactionId: transaction } = await station.device.start(1, String(idTag), 0);
    const row = await stack.db.selectFrom('payments').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
    return { payment: row?.id ?? 0, end: () => station.device.stop(transaction, 100) };
  }
  const becomes = (payment: number, status: string) =>
    vi.waitFor(
      async () => {
        const row = await stack.db.selectFrom('payments').select('status').where('id', '=', payment).executeTakeFirst();
        expect(row?.status).toBe(status);
      },
      { timeout: 20_000, interval: 100 },
    );
  const [released, captured, forced] = [await held(), await held(), await held()];
  await record('DELETE /api/admin/payment/hold/:paymentId', { paymentId: released.payment });
  await captured.end();
  await becomes(captured.payment, 'success');
  await record('POST /api/admin/payment/:paymentId', { paymentId: captured.payment }, { amount: 1_00 });
  await record('DELETE /api/admin/payment/:paymentId', { paymentId: captured.payment }, { amount: 50 });
  await record('POST /api/admin/payment/refund-request/:paymentId', { paymentId: captured.payment }, { amount: 50 });
  await record('PATCH /api/admin/status/hold/:id', { id: forced.payment }, { status: 'reversed', override: true });

  const fault = { kind: 'orphan_payment', subject: 'an invoice', details: {} } as const;
  await stack.payments.anomalies.note({ db: stack.db }, fault);
  const [listed] = await stack.payments.anomalies.open({ limit: 1 });
  await record('POST /api/admin/money/resolve/:id', { id: listed?.id ?? 0 }, { comment: 'Clear' });
}, 120_000);

async function idOf(identity: string): Promise<number> {
  const row = await stack.db
    .selectFrom('charge_points')
    .select('id')
    .where('identity', '=', identity)
    .executeTakeFirst();
  return row?.id ?? 0;
}

test('stations, tariffs and promotions [ADM-OP-33]', async () => {
  const place = { address: 'A', address_uk: 'А', lat: 48.5, lon: 35, party_id: null, note: null, opening_hours: null };
  const form = { ...place, connectors: [], listed: [] };
  const at = { number: 'F7001' };
  await record(`POST ${network}/stations`, {}, { number: 'F7001', is_virtual: false, ...form });
  await record(`PATCH ${network}/stations/:number`, at, { ...form, note: 'At the gate' });
  const pictures = await Promise.all(
    [40, 80].map((r) =>
      sharp({ create: { width: 60, height: 40, channels: 3, background: { r, g: 1, b: 1 } } })
        .png()
        .toBuffer(),
    ),
  );
  const keys: string[] = [];
  for (const picture of pictures) {
    const body = { content: picture.toString('base64') };
    keys.push(String((await record(`POST ${network}/stations/:number/photos`, at, body)).key));
  }
  await record(`PATCH ${network}/stations/:number/photos`, at, { keys: keys.toReversed() });
  await record(`DELETE ${network}/stations/:number/photos/:key`, { ...at, key: keys[0] ?? '' });
  const work = { connector_id: null, reason: 'New cable', starts_at: null, ends_at: null };
  const { id: window } = await record(`POST ${network}/stations/:number/maintenance`, at, work);
  await record(`DELETE ${network}/maintenance/:id`, { id: window ?? 0 });
  const [code] = (await record(`POST ${network}/codes`, {}, { stations: ['F7001'] })) as unknown as { code: string }[];
  await record(`PATCH ${network}/codes/:code`, { code: code?.code ?? '' }, { station: 'F7001' });

  const terms = { price: 10_00, hours: null, discount: null, idle: null };
  const { id: tariff } = await record(`POST ${network}/tariffs`, {}, { name: 'A tariff', ...terms });
  const later = { ...terms, price: 11_00, starts_at: new Date(Date.now() + 3_600_000).toISOString() };
  const { id: change } = await record(`POST ${network}/tariffs/:id/changes`, { id: tariff ?? 0 }, later);
  await record(`DELETE ${network}/tariff-changes/:id`, { id: change ?? 0 });

  const promotion = { kind: 'marker', code: 'sun', station_number: 'F7001', days: null, reward: null };
  const { id } = await record(`POST ${network}/promotions`, {}, promotion);
  await record(`PATCH ${network}/promotions/:id`, { id: id ?? 0 }, { ...promotion, code: 'event' });
  await record(`DELETE ${network}/promotions/:id`, { id: id ?? 0 });

  const file =
    'number;address;address_uk;lat;lon;charge_point;connector;type;power;price\nF7002;B;Б;48;35;CP-7002;1;type2;22000;900';
  await record(`POST ${network}/import`, {}, { format: 'csv', content: file });
  await record(`DELETE ${network}/stations/:number`, at);
  await record(`POST ${network}/stations/:number/restore`, at);
  const site = { name: 'A car park', limit: 100_000, reserve: 0, hours: null, stations: ['F7001'] };
  const { id: added } = await record(`POST ${network}/sites`, {}, site);
  await record(`PATCH ${network}/sites/:id`, { id: added ?? 0 }, { ...site, limit: 90_000 });
});

test('devices, cards and parties [ADM-OP-33]', async () => {
  const { id: point } = await record(`POST ${network}/charge-points`, {}, { identity: 'CP-NEW' });
  await record(`POST ${network}/charge-points/:id/key`, { id: point ?? 0 });
  await sql`update charge_points set needs_certificate = true where id = ${point}`.execute(stack.db);
  await record(`POST ${network}/charge-points/:id/security`, { id: point ?? 0 }, { needs_certificate: false });
  const setting = { action: 'ChangeConfiguration', key: 'HeartbeatInterval', value: '300' };
  await record(`POST ${network}/charge-points/:id/change`, { id: point ?? 0 }, setting);
  await record(`POST ${network}/charge-points/:id/command`, { id: point ?? 0 }, { action: 'ClearCache' });
  const { identity } = await stack.addScripted();
  const begun = await record(`POST ${network}/charge-points/:id/commissioning`, { id: await idOf(identity) });
  const of = { id: begun.id ?? 0 };
  for (const { check, connector, state } of (begun.steps ?? []) as {
    check: string;
    connector: number | null;
    state: string;
  }[]) {
    if (state !== 'done')
      await record(`POST ${network}/commissionings/:id/fault`, of, { check, connector, note: 'absent' });
  }
  await record(`POST ${network}/commissionings/:id/finish`, of);

  const user = await stack.addUser();
  await record(`POST ${network}/cards`, {}, { lines: '04A1B2C3D4' });
  const card = await stack.db.selectFrom('rfid_cards').select('id').executeTakeFirstOrThrow();
  await record(`PATCH ${network}/cards/:id`, card, { user: String(user.id) });
  await record(`POST ${network}/cards/:id/block`, card);
  await record(`DELETE ${network}/cards/:id/block`, card);

  const [owner, member] = [await stack.addUser(), await stack.addUser()];
  const party = {
    id: (await record(`POST ${network}/parties`, {}, { name: 'Taxi', owner: owner.phone, is_closed: false })).id ?? 0,
  };
  await record(`PATCH ${network}/parties/:id`, party, { name: 'Couriers' });
  await record(`POST ${network}/parties/:id/members`, party, { user: member.phone });
  await record(`POST ${network}/parties/:id/close`, party);
  await record(`POST ${network}/parties/:id/open`, party, { return_to_owner: false });
  await record(`POST ${network}/parties/:id/owner`, party, { user: String(member.id) });
  await record(`DELETE ${network}/parties/:id/members/:user`, { ...party, user: owner.id }, { return_to_owner: false });
});

test('integrations and the service [ADM-OP-33]', async () => {
  const integrations = '/api/admin/integrations';
  const key = { name: 'A key', scopes: ['stations'], calls_per_minute: 60, expires_at: null };
  const { id } = await record(`POST ${integrations}/keys`, {}, key);
  await record(`DELETE ${integrations}/keys/:id`, { id: id ?? 0 });
  const partner = { name: 'Partner', country_code: 'PL', party_id: 'ABC', has_registration: true };
  const ocpi = { id: (await record(`POST ${integrations}/ocpi`, {}, partner)).id ?? 0 };
  await record(`POST ${integrations}/ocpi/:id/token`, ocpi);
  await record(`DELETE ${integrations}/ocpi/:id`, ocpi);
  const hook = { name: 'A hook', url: 'http://127.0.0.1:9/', kinds: ['operation.opened'] };
  const webhook = { id: (await record(`POST ${integrations}/webhooks`, {}, hook)).id ?? 0 };
  await record(`PATCH ${integrations}/webhooks/:id`, webhook, { ...hook, name: 'Another' });
  await record(`POST ${integrations}/webhooks/:id/secret`, webhook);
  const { delivery } = await record(`POST ${integrations}/webhooks/:id/test`, webhook);
  await record(`POST ${integrations}/deliveries/:id/redeliver`, { id: delivery ?? 0 });
  await record(`POST ${integrations}/webhooks/:id/pause`, webhook);
  await record(`DELETE ${integrations}/webhooks/:id/pause`, webhook);
  await record(`DELETE ${integrations}/webhooks/:id`, webhook);
  await record('POST /api/admin/shut-down', {}, { text: null, start_time: null, end_time: null });
  await record('POST /api/admin/turn-on');
});

test('every staff call of the contract that changes something was made above [ADM-OP-33]', () => {
  expect(changes.filter((name) => !made.has(name))).toEqual([]);
  expect([...made].filter((name) => !changes.includes(name))).toEqual([]);
});
