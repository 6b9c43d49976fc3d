import { approvals, approve } from '@fpay/contract/admin/approvals';
import { importStations } from '@fpay/contract/admin/network/exchange';
import { addStation, changeStation } from '@fpay/contract/admin/network/stations';
import {
  addTariff,
  changeTariff,
  networkTariff,
  networkTariffs,
  previewTariff,
  type TariffTerms,
  withdrawTariffChange,
} from '@fpay/contract/admin/network/tariffs';
import { getOperation } from '@fpay/contract/charging';
import { kopecks, watts } from '@fpay/contract/money';
import { getStation } from '@fpay/contract/stations';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startStack } from '../../testing/stack.ts';

/** Staff set prices, now and for later; running charges keep theirs. */
let stack: Awaited<ReturnType<typeof startStack>>;
let admin: Awaited<ReturnType<typeof stack.signedIn>>;
beforeAll(async () => {
  stack = await startStack();
  admin = await stack.signedIn('Admin');
});
afterAll(() => stack.close());

const terms = (price: number, rest: Partial<TariffTerms> = {}): TariffTerms => ({
  price: kopecks(price),
  hours: null,
  discount: null,
  idle: null,
  ...rest,
});
const read = async (id: number) => (await admin.client.call(networkTariff, { params: { id: String(id) } })).body;
const add = (name: string, given: TariffTerms) => admin.client.call(addTariff, { body: { name, ...given } });
const change = (id: number, given: TariffTerms, starts_at: string | null = null) =>
  admin.client.call(changeTariff, { params: { id: String(id) }, body: { ...given, starts_at } });

test('a change applies to new charges at once and never to a running one', async () => {
  const { body: tariff } = await add('Денний', terms(15_00));
  const charge = await stack.startCharge();
  const { number, connector, client } = charge;
  await stack.db.updateTable('connectors').set({ tariff_id: tariff.id }).where('id', '=', connector).execute();
  expect(await read(tariff.id)).toMatchObject({ connectors: 1, stations: 1, running: 1, price_now: 15_00 });

  expect((await change(tariff.id, terms(18_00))).status).toBe(200);
  const { body: operation } = await client.call(getOperation, { params: { id: String(charge.id) } });
  expect(operation.price).toBe(15_00);
  const { body: page } = await client.call(getStation, { params: { number } });
  expect(page.connectors.map(({ price }) => price)).toEqual([18_00]);
  const { changes } = await read(tariff.id);
  expect(changes.map(({ price, status }) => ({ price, status }))).toEqual([
    { price: 18_00, status: 'applied' },
    { price: 15_00, status: 'applied' },
  ]);
  expect(changes[0]?.staff).toMatch(/^Admin/);
});

test('an idle fee is changed, planned, kept in the history, and refused with bad numbers', async () => {
  const idle = { fee: kopecks(2_00), grace_minutes: 10 };
  const { body: tariff } = await add('З простоєм', terms(15_00, { idle }));
  expect(await read(tariff.id)).toMatchObject({ idle, is_fixed: false });
  for (const bad of [
    { fee: 0, grace_minutes: 10 },
    { fee: 100_01, grace_minutes: 10 },
    { fee: 2_00, grace_minutes: 0 },
  ])
    expect((await change(tariff.id, terms(15_00, { idle: bad as never }))).status).toBe(422);
  const later = { fee: kopecks(3_00), grace_minutes: 5 };
  await change(tariff.id, terms(15_00, { idle: later }), new Date(Date.now() + 1_000).toISOString());
  await vi.waitFor(async () => expect((await read(tariff.id)).idle).toEqual(later), { timeout: 20_000, interval: 200 });
  await change(tariff.id, terms(15_00));
  const { changes, idle: none } = await read(tariff.id);
  expect(none).toBeNull();
  expect(changes.map((one) => one.idle)).toEqual([null, later, idle]);
});

test('a planned change applies by itself when its time has come, unless it was withdrawn', async () => {
  const { body: tariff } = await add('За розкладом', terms(10_00));
  const soon = new Date(Date.now() + 1_500).toISOString();
  await change(tariff.id, terms(12_00), soon);
  const { body: withdrawn } = await change(tariff.id, terms(99_00), soon);
  const id = String(withdrawn.id);
  expect((await admin.client.call(withdrawTariffChange, { params: { id } })).status).toBe(204);
  expect((await admin.client.call(withdrawTariffChange, { params: { id } })).status).toBe(409);
  expect(await read(tariff.id)).toMatchObject({ price_now: 10_00, has_plan: true });
  await vi.waitFor(async () => expect((await read(tariff.id)).price_now).toBe(12_00), { timeout: 20_000 });
  const after = await read(tariff.id);
  expect(after.has_plan).toBe(false);
  expect(after.changes.map(({ price, status }) => [price, status])).toEqual([
    [99_00, 'withdrawn'],
    [12_00, 'applied'],
    [10_00, 'applied'],
  ]);
  const past = await change(tariff.id, terms(1_00), '2020-01-01T00:00:00Z');
  expect(past).toMatchObject({ status: 422, body: { errors: { starts_at: [expect.any(String)] } } });
  const records = stack.db
    .selectFrom('audit')
    .select(['action', 'actor', 'staff_id'])
    .where('subject_id', '=', String(tariff.id))
    .where('subject_kind', '=', 'tariff');
  // What the job applied names who planned it.
  expect(await records.orderBy('id').execute()).toEqual([
    ...['tariff.add', 'tariff.plan', 'tariff.plan', 'tariff.withdraw'].map((action) => ({
      action,
      actor: 'staff',
      staff_id: admin.id,
    })),
    { action: 'tariff.apply', actor: 'job', staff_id: admin.id },
  ]);
});

test('a tariff by hours and weekdays with a discount is previewed for a day', async () => {
  const given = terms(14_50, {
    hours: [
      { weekdays: [1, 2, 3, 4, 5], from: 0, to: 6, price: kopecks(9_90) },
      { weekdays: [1, 2, 3, 4, 5], from: 17, to: 22, price: kopecks(16_90) },
    ],
    discount: { from: '11-18', to: '11-18', percent: 14, text: null },
  });
  const preview = async (date: string) =>
    (await admin.client.call(previewTariff, { body: { terms: given, date } })).body;
  const wednesday = await preview('2026-11-18');
  expect(wednesday).toHaveLength(24);
  expect([wednesday[5], wednesday[12], wednesday[17]]).toEqual([
    { hour: 5, price: 8_51, old_price: 9_90 },
    { hour: 12, price: 12_47, old_price: 14_50 },
    { hour: 17, price: 14_53, old_price: 16_90 },
  ]);
  expect(new Set((await preview('2026-11-21')).map(({ price }) => price))).toEqual(new Set([14_50]));
  // The clocks go back on this day, and the preview still has each hour once.
  expect((await preview('2026-10-25')).map(({ hour }) => hour)).toEqual(Array.from({ length: 24 }, (_, hour) => hour));
});

test('a name that exists, hours that end before they begin and an unknown tariff are refused', async () => {
  await add('Один', terms(1_00));
  expect(await add('Один', terms(2_00))).toMatchObject({
    status: 422,
    body: { errors: { name: [expect.any(String)] } },
  });
  const hours = [{ weekdays: [1], from: 9, to: 8, price: kopecks(1) }];
  expect(await add('Два', terms(1_00, { hours }))).toMatchObject({ status: 422 });
  expect((await change(424_242, terms(1_00))).status).toBe(404);
  const names = (await admin.client.call(networkTariffs)).body.map(({ name }) => name);
  expect(names).toContain('Один');
  expect(names).not.toContain('Два');
});

test('a connector of a new station gets a tariff by its name', async () => {
  await add('Нічний', terms(7_70));
  const { identity } = await stack.addScripted();
  const place = { address: 'A', address_uk: 'А', lat: 48, lon: 35, party_id: null, note: null, opening_hours: null };
  const connector = { charge_point: identity, connector: 2, type: 'type2', power: 22_000, has_cable: false } as const;
  const connectors = [{ ...connector, price: null, tariff: 'Нічний' }];
  const body = { number: 'F3500', is_virtual: false, ...place, connectors, listed: [] };
  expect((await admin.client.call(addStation, { body })).status).toBe(200);
  const { body: page } = await admin.client.call(getStation, { params: { number: 'F3500' } });
  expect(page.connectors).toMatchObject([{ price: 7_70, has_cable: false }]);
});

const waiting = async (tariff: number) => {
  const second = await stack.signedIn('Admin');
  const asked = (await second.client.call(approvals)).body.filter(({ subject }) => subject.id === tariff);
  const decide = (client: typeof admin.client, id: number) => client.call(approve, { params: { id: String(id) } });
  return { asked, approve: (id = asked[0]?.id ?? 0, by = second.client) => decide(by, id) };
};

test('a paid tariff becomes free when a second staff member has approved it, and costs the same until then [ADM-OP-31]', async () => {
  const { body: tariff } = await add('До безкоштовного', terms(12_00));
  const { body: changed } = await change(tariff.id, terms(0));
  expect(changed.is_waiting).toBe(true);
  expect(await read(tariff.id)).toMatchObject({ price_now: 12_00, is_waiting: true });
  const { asked, approve: decide } = await waiting(tariff.id);
  expect(asked).toMatchObject([
    {
      action: 'tariff',
      amount: 6_000_00,
      user: null,
      is_mine_to_decide: true,
      details: { is_free: true, starts_at: null },
    },
  ]);
  expect((await decide(asked[0]?.id, admin.client)).status).toBe(403);
  expect(await read(tariff.id)).toMatchObject({ price_now: 12_00 });
  expect((await decide()).status).toBe(200);
  expect(await read(tariff.id)).toMatchObject({ price_now: 0, is_waiting: false });
});

test('what is approved for later begins later, and what was withdrawn cannot be approved [ADM-OP-31]', async () => {
  const { body: tariff } = await add('Безкоштовний за планом', terms(12_00));
  const at = new Date(Date.now() + 3_600_000).toISOString();
  const free = { hours: [{ weekdays: [6, 7], from: 1, to: 2, price: kopecks(0) }] };
  expect((await change(tariff.id, terms(12_00, free), at)).body.is_waiting).toBe(true);
  expect(await read(tariff.id)).toMatchObject({ has_plan: false, is_waiting: true });
  await (await waiting(tariff.id)).approve();
  expect(await read(tariff.id)).toMatchObject({ price_now: 12_00, hours: null, has_plan: true, is_waiting: false });

  const gone = { from: '12-24', to: '12-26', percent: 100, text: null };
  const { body: changed } = await change(tariff.id, terms(12_00, { discount: gone }));
  const params = { id: String(changed.id) };
  expect((await admin.client.call(withdrawTariffChange, { params })).status).toBe(204);
  expect((await (await waiting(tariff.id)).approve()).status).toBe(409);
  expect(await read(tariff.id)).toMatchObject({ discount: null, is_waiting: false });
});

test('a price falls at once as far as the limit of one charge, in however many changes [ADM-OP-31]', async () => {
  const { body: tariff } = await add('Падає', terms(20_00));
  const falls = [];
  for (const price of [15_00, 10_00, 9_99, 12_00]) falls.push((await change(tariff.id, terms(price))).body.is_waiting);
  expect(falls).toEqual([false, false, true, false]);
  expect(await read(tariff.id)).toMatchObject({ price_now: 12_00 });
});

test('a connector does not become free by another tariff or by a file, without a second person [ADM-OP-31]', async () => {
  await add('Вільний', terms(0));
  const { identity, number } = await stack.addScripted();
  const connector = {
    charge_point: identity,
    connector: 1,
    type: 'ccstype2' as const,
    power: watts(60_000),
    has_cable: true,
  };
  const place = { address: 'Main St', address_uk: 'Головна', lat: 48.4, lon: 35.1, party_id: null, note: null };
  const set = (price: number | null, tariff: string | null) =>
    admin.client.call(changeStation, {
      params: { number },
      body: {
        ...place,
        opening_hours: null,
        listed: [],
        connectors: [{ ...connector, price: price === null ? null : kopecks(price), tariff }],
      },
    });
  expect((await set(14_00, null)).status).toBe(200);
  expect(await set(null, 'Вільний')).toMatchObject({
    status: 422,
    body: { errors: { 'connectors.0.tariff': [expect.any(String)] } },
  });
  expect(await set(0, null)).toMatchObject({
    status: 422,
    body: { errors: { 'connectors.0.price': [expect.any(String)] } },
  });
  const content = JSON.stringify({ tariffs: [{ name: 'fixed 14.00', ...terms(0) }], stations: [] });
  const imported = await admin.client.call(importStations, { body: { format: 'json', content } });
  expect(imported.body).toMatchObject({ written: 0, problems: [{ reason: expect.stringContaining('second person') }] });
});
