import {
  addStation,
  changeStation,
  endMaintenance,
  networkStation,
  networkStations,
  planMaintenance,
  restoreStation,
  retireStation,
  type StationForm,
  stationChoices,
} from '@fpay/contract/admin/network/stations';
import { kopecks } from '@fpay/contract/money';
import { getStation, getVirtualStation } from '@fpay/contract/stations';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startStack } from '../../testing/stack.ts';

/** Staff build stations in the back office, and drivers see them. */
let stack: Awaited<ReturnType<typeof startStack>>;
let admin: Awaited<ReturnType<typeof stack.signedIn>>;
let driver: typeof admin;
beforeAll(async () => {
  stack = await startStack();
  admin = await stack.signedIn('Admin');
  driver = await stack.signedIn('User');
});
afterAll(() => stack.close());

const aConnector = (charge_point: string, connector: number, rest: object = {}) => ({
  charge_point,
  connector,
  type: 'ccstype2' as const,
  power: 60_000,
  has_cable: true,
  price: kopecks(14_50),
  tariff: null,
  ...rest,
});
const aForm = (rest: Partial<StationForm> = {}): StationForm => ({
  address: '31D Slobozhanskyi Ave',
  address_uk: 'просп. Слобожанський, 31Д',
  lat: 48.5091,
  lon: 35.0702,
  party_id: null,
  note: null,
  opening_hours: null,
  connectors: [],
  listed: [],
  ...rest,
});
const read = async (number: string) => (await admin.client.call(networkStation, { params: { number } })).body;
const page = (number: string) => driver.client.call(getStation, { params: { number } });
const records = (id: number) =>
  stack.db
    .selectFrom('audit')
    .selectAll()
    .where('subject_kind', '=', 'station')
    .where('subject_id', '=', String(id))
    .orderBy('id');

test('a station is created with its connectors, and its page shows the note and the hours', async () => {
  const { identity } = await stack.addScripted({ connectors: 1 });
  const opening_hours = { weekdays: { from: '08:00', to: '22:00' }, weekend: null };
  const form = aForm({ note: 'За шлагбаумом ліворуч', opening_hours, connectors: [aConnector(identity, 2)] });
  const added = await admin.client.call(addStation, { body: { number: 'F3001', is_virtual: false, ...form } });
  expect(added).toMatchObject({ status: 200, body: { number: 'F3001' } });
  expect((await page('F3001')).body).toMatchObject({
    address_uk: 'просп. Слобожанський, 31Д',
    note: 'За шлагбаумом ліворуч',
    opening_hours,
    maintenance: [],
    connectors: [{ api_address: '2', type: 'ccstype2', price: 14_50 }],
  });
  const station = await read('F3001');
  expect(station.connector_list).toMatchObject([
    { charge_point: identity, connector: 2, price: 14_50, tariff: { is_fixed: true } },
  ]);
  expect(await records(station.id).execute()).toMatchObject([{ action: 'station.add', staff_id: admin.id }]);
  const list = await admin.client.call(networkStations, { query: { q: 'слобож' } });
  expect(list.body.map(({ number }) => number)).toContain('F3001');
  const choices = await admin.client.call(stationChoices);
  expect(choices.body.charge_points).toContain(identity);
  expect(choices.body.next_number).toBe('F3002');
});

test.each([
  ['number', { number: 'F3001' }],
  ['connectors.0.charge_point', { number: 'F3100', connectors: [aConnector('NO-SUCH', 1)] }],
  ['connectors.0.tariff', { number: 'F3100', connectors: [aConnector('CP-1', 3, { price: null, tariff: 'none' })] }],
  ['connectors.1.connector', { number: 'F3100', connectors: [aConnector('CP-1', 3), aConnector('CP-1', 3)] }],
  ['connectors.0.connector', { number: 'F3100', connectors: [aConnector('CP-1', 1)] }],
  ['party', { number: 'F3100', party_id: 4242 }],
  ['listed.0.connector', { number: 'F3100', is_virtual: true, listed: [{ charge_point: 'CP-1', connector: 77 }] }],
  ['lat', { number: 'F3100', lat: 95 }],
])('a wrong %s is refused under its field, and nothing is written', async (field, rest) => {
  const body = { is_virtual: false, ...aForm(), ...rest } as never;
  const refused = await admin.client.call(addStation, { body });
  expect(refused).toMatchObject({ status: 422, body: { errors: { [field]: [expect.any(String)] } } });
  expect((await admin.client.call(networkStation, { params: { number: 'F3100' } })).status).toBe(404);
});

test('a change removes a connector and brings it back at another station', async () => {
  const { identity, number } = await stack.addScripted({ connectors: 2 });
  const [first] = (await read(number)).connector_list;
  const kept = aForm({ connectors: [aConnector(identity, 1, { price: kopecks(9_90) })] });
  expect((await admin.client.call(changeStation, { params: { number }, body: kept })).status).toBe(200);
  expect((await page(number)).body.connectors).toMatchObject([{ id: first?.id, price: 9_90 }]);
  const other = aForm({ connectors: [aConnector(identity, 2)] });
  await admin.client.call(addStation, { body: { number: 'F3002', is_virtual: false, ...other } });
  expect((await page('F3002')).body.connectors).toMatchObject([{ api_address: '2', price: 14_50 }]);
  const { id } = await read(number);
  expect(await records(id).execute()).toMatchObject([{ action: 'station.change', before: { number } }]);
});

test('a virtual station lists connectors of others in its order', async () => {
  const { identity } = await stack.addScripted({ connectors: 2 });
  const listed = [
    { charge_point: identity, connector: 2 },
    { charge_point: identity, connector: 1 },
  ];
  await admin.client.call(addStation, { body: { number: 'F3003', is_virtual: true, ...aForm({ listed }) } });
  const { body } = await driver.client.call(getVirtualStation, { params: { number: 'F3003' } });
  expect(body.connectors.map(({ api_address }) => api_address)).toEqual(['2', '1']);
  expect(await read('F3003')).toMatchObject({ is_virtual: true, connectors: 2, is_online: true });
});

test('a station where a car charges is not retired, and its connector is not removed; later it is', async () => {
  const charge = await stack.startCharge();
  const { identity, number, connector, device } = charge;
  const refused = { status: 409, body: { code: 'connector_in_use' } };
  expect(await admin.client.call(retireStation, { params: { number } })).toMatchObject(refused);
  expect(await admin.client.call(changeStation, { params: { number }, body: aForm() })).toMatchObject(refused);
  await device.stop(charge.transactionId, 1_000);
  await stack.until(charge.client, charge.id, 'failed');
  await device.status(1, 'Available');
  expect((await admin.client.call(retireStation, { params: { number } })).status).toBe(204);
  expect((await page(number)).status).toBe(404);
  expect((await admin.client.call(changeStation, { params: { number }, body: aForm() })).status).toBe(404);
  const retired = await admin.client.call(networkStations, { query: { retired: 'true' } });
  expect(retired.body.map((station) => station.number)).toContain(number);
  expect((await admin.client.call(restoreStation, { params: { number } })).status).toBe(204);
  expect((await page(number)).body.connectors).toMatchObject([{ id: connector }]);
  expect((await read(number)).connector_list).toMatchObject([{ charge_point: identity }]);
});

test('announced work stops new charges, is shown to drivers, and ends by itself or by staff', async () => {
  const { number, connectors } = await stack.addScripted({ connectors: 2 });
  const plan = (body: object) =>
    admin.client.call(planMaintenance, {
      params: { number },
      body: { connector_id: null, reason: 'Замінюємо кабель', starts_at: null, ends_at: null, ...body },
    });
  const soon = new Date(Date.now() + 1_500).toISOString();
  expect((await plan({ connector_id: connectors[1], ends_at: soon })).status).toBe(200);
  const during = (await page(number)).body;
  expect(during.maintenance).toMatchObject([
    { connector_id: connectors[1], reason: 'Замінюємо кабель', ends_at: soon },
  ]);
  expect(during.connectors.map(({ status }) => status)).toEqual(['ready', 'oos']);
  await vi.waitFor(async () => expect((await page(number)).body.maintenance).toEqual([]), { timeout: 20_000 });
  expect((await page(number)).body.connectors.map(({ status }) => status)).toEqual(['ready', 'ready']);

  const whole = await plan({});
  expect((await page(number)).body.connectors.map(({ status }) => status)).toEqual(['oos', 'oos']);
  expect((await admin.client.call(endMaintenance, { params: { id: String(whole.body.id) } })).status).toBe(204);
  expect((await page(number)).body.connectors.map(({ status }) => status)).toEqual(['ready', 'ready']);
  const again = await admin.client.call(endMaintenance, { params: { id: String(whole.body.id) } });
  expect(again).toMatchObject({ status: 409, body: { code: 'action_not_applicable' } });

  const later = new Date(Date.now() + 3_600_000).toISOString();
  await plan({ starts_at: later });
  expect((await page(number)).body.maintenance).toEqual([]);
  expect((await read(number)).maintenance).toMatchObject([{ is_active: false, starts_at: later }]);
  expect(await plan({ starts_at: later, ends_at: soon })).toMatchObject({ status: 422 });
  expect(await plan({ connector_id: 4242 })).toMatchObject({ status: 404 });
  const actions = await records((await read(number)).id).execute();
  expect(actions.map(({ action }) => action)).toEqual([
    'station.maintenance',
    'station.maintenance',
    'station.maintenance-end',
    'station.maintenance',
  ]);
});
