import { addStation } from '@fpay/contract/admin/network/stations';
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
import { kopecks } from '@fpay/contract/money';
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
