import { addOcpiPartner } from '@fpay/contract/admin/integrations/ocpi';
import type { OperationStatus } from '@fpay/contract/charging';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { startTestServer } from '../../testing/server.ts';
import { type CdrRow, cdrOf } from './cdr.ts';

type TestServer = Awaited<ReturnType<typeof startTestServer>>;
let server: TestServer;
let admin: Client;
let own: string;
let foreign: string;
let connector: { id: number; stationId: number; pointId: number };
let driver: number;

beforeAll(async () => {
  server = await startTestServer({ env: { PUBLIC_URL: 'https://charge.example', SELLER_VAT: '1' } });
  admin = (await server.signedIn('Admin')).client;
  own = await addPartner('UA', 'FPY');
  foreign = await addPartner('PL', 'P01');
  connector = await addConnector();
  driver = (await server.addUser()).id;
});
afterAll(() => server.close());

async function addPartner(country_code: string, party_id: string): Promise<string> {
  const body = { name: `Partner ${party_id}`, country_code, party_id, has_registration: false };
  return (await admin.call(addOcpiPartner, { body })).body.token;
}

async function addConnector() {
  const { db } = server;
  const created_at = new Date();
  const point = await db
    .insertInto('charge_points')
    .values({ identity: 'CP-CDR', key_hash: Buffer.alloc(32), created_at })
    .returning('id')
    .executeTakeFirstOrThrow();
  const address_uk = 'вул. Січових Стрільців, будинок номер 4, корпус 2, Дніпро';
  const station = await db
    .insertInto('stations')
    .values({ number: 'F7000', address: 'Street, 1, Dnipro', address_uk, lat: 48.46, lon: 35.04, created_at })
    .returning('id')
    .executeTakeFirstOrThrow();
  const row = await db
    .insertInto('connectors')
    .values({ station_id: station.id, charge_point_id: point.id, ocpp_connector: 1, type: 'ccstype2', power_w: 60_000 })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id: row.id, stationId: station.id, pointId: point.id };
}

interface Charge {
  endedAt: string;
  energyWh?: number;
  total?: number;
  idle?: { total: number; seconds: number };
  captured?: number;
  status?: OperationStatus;
}
let charges = 0;

async function addCharge({ endedAt, energyWh = 12_345, total = 185_18, idle, captured = total, status }: Charge) {
  charges += 1;
  const finished_at = new Date(endedAt);
  const started_at = new Date(finished_at.getTime() - 5_400_000);
  const { id } = await server.db
    .insertInto('operations')
    .values({
      user_id: driver,
      station_id: connector.stationId,
      connector_id: connector.id,
      charge_point_id: connector.pointId,
      status: status ?? 'finished',
      payment_type: 'bank',
      target: 'uah',
      price: 15_00,
      deposit: 500_00,
      id_tag: `TAG${charges}`,
      created_at: started_at,
      started_at,
      finished_at,
      closed_at: finished_at,
      energy_wh: energyWh,
      total,
      real_total: total,
      paid: captured,
      idle_total: idle?.total ?? 0,
      idle_seconds: idle?.seconds ?? 0,
      idle_fee: idle ? 1_00 : 0,
      idle_grace_minutes: idle ? 1 : 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const payment = await server.db
    .insertInto('payments')
    .values({
      operation_id: id,
      user_id: driver,
      amount: 500_00,
      captured,
      method: 'bank',
      status: 'success',
      purpose: 'operation',
      description: 'A charge',
      created_at: started_at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, payment: payment.id };
}

const refund = (payment: number, amount: number, at: string, status: 'success' | 'failure' = 'success') =>
  server.db
    .insertInto('refunds')
    .values({
      payment_id: payment,
      amount,
      status,
      ext_ref: `ref-${payment}-${at}`,
      created_at: new Date(at),
      ended_at: new Date(at),
    })
    .execute();

async function cdrs(query: string, token = own) {
  const response = await fetch(`${server.url}/ocpi/2.2.1/cdrs?${query}`, {
    headers: { authorization: `Token ${Buffer.from(token).toString('base64')}` },
  });
  const { data, status_code } = (await response.json()) as { data: Record<string, unknown>[]; status_code: number };
  return { data, code: status_code, headers: response.headers };
}
const month = (year: number) => `date_from=${year}-01-01T00:00:00Z&date_to=${year}-02-01T00:00:00Z`;

describe('charge detail records', () => {
  test('have exact energy and money, with the idle fee as parking', async () => {
    const { id } = await addCharge({
      endedAt: '2025-01-10T12:00:00Z',
      total: 195_18,
      idle: { total: 10_00, seconds: 660 },
    });
    const { data, code } = await cdrs(month(2025));
    expect(code).toBe(1000);
    const party = { country_code: 'UA', party_id: 'FPY' };
    const contract = `UA-FPY-C${String(driver).padStart(9, '0')}`;
    expect(data).toEqual([
      {
        ...party,
        id: String(id),
        session_id: String(id),
        start_date_time: '2025-01-10T10:30:00Z',
        end_date_time: '2025-01-10T12:00:00Z',
        cdr_token: { ...party, uid: contract, type: 'APP_USER', contract_id: contract },
        auth_method: 'COMMAND',
        cdr_location: {
          id: 'F7000',
          name: 'FPay F7000',
          address: 'вул. Січових Стрільців, будинок номер 4, корп',
          city: 'Дніпро',
          country: 'UKR',
          coordinates: { latitude: '48.460000', longitude: '35.040000' },
          evse_uid: String(connector.id),
          evse_id: `UA*FPY*E${connector.id}`,
          connector_id: '1',
          connector_standard: 'IEC_62196_T2_COMBO',
          connector_format: 'CABLE',
          connector_power_type: 'DC',
        },
        currency: 'UAH',
        charging_periods: [
          {
            start_date_time: '2025-01-10T10:30:00Z',
            dimensions: [
              { type: 'ENERGY', volume: 12.345 },
              { type: 'TIME', volume: 1.3167 },
            ],
          },
          { start_date_time: '2025-01-10T11:49:00Z', dimensions: [{ type: 'PARKING_TIME', volume: 0.1833 }] },
        ],
        total_energy: 12.345,
        total_time: 1.5,
        total_parking_time: 0.1833,
        total_cost: { excl_vat: 162.65, incl_vat: 195.18 },
        total_energy_cost: { excl_vat: 154.3167, incl_vat: 185.18 },
        total_parking_cost: { excl_vat: 8.3333, incl_vat: 10 },
        last_updated: '2025-01-10T12:00:00Z',
      },
    ]);
  });

  test('are for our own party only: another partner gets none of our drivers', async () => {
    await addCharge({ endedAt: '2025-01-11T12:00:00Z' });
    const { data, code, headers } = await cdrs(month(2025), foreign);
    expect([data, code, headers.get('x-total-count')]).toEqual([[], 1000, '0']);
    expect((await cdrs('', 'fpo_wrong')).code).toBe(2000);
  });

  test('never change: a refund adds a credit and a record of the rest', async () => {
    const { id, payment } = await addCharge({ endedAt: '2024-01-10T12:00:00Z', total: 100_00 });
    const first = (await cdrs(month(2024))).data;
    await refund(payment, 30_00, '2024-01-12T08:00:00Z');
    await refund(payment, 70_00, '2024-01-13T08:00:00Z');
    await refund(payment, 5_00, '2024-01-14T08:00:00Z', 'failure');
    const { data } = await cdrs(month(2024));
    expect(data[0]).toEqual(first[0]);
    const money = data.map((cdr) => [
      cdr.id,
      (cdr.total_cost as { incl_vat: number }).incl_vat,
      cdr.credit ?? false,
      cdr.credit_reference_id,
      cdr.last_updated,
    ]);
    expect(money).toEqual([
      [`${id}`, 100, false, undefined, '2024-01-10T12:00:00Z'],
      [`${id}-C1`, -100, true, `${id}`, '2024-01-12T08:00:00Z'],
      [`${id}-1`, 70, false, undefined, '2024-01-12T08:00:00Z'],
      [`${id}-C2`, -70, true, `${id}-1`, '2024-01-13T08:00:00Z'],
    ]);
    const balance = money.reduce((sum, [, amount]) => sum + Number(amount), 0);
    expect(balance).toBe(0);
  });

  test('come in pages with the headers of the other lists, and only of charges that were paid', async () => {
    for (const day of ['05', '06', '07']) await addCharge({ endedAt: `2023-01-${day}T12:00:00Z` });
    await addCharge({ endedAt: '2023-01-08T12:00:00Z', captured: 0 });
    await addCharge({ endedAt: '2023-01-08T12:00:00Z', energyWh: 0 });
    await addCharge({ endedAt: '2023-01-08T12:00:00Z', status: 'failed' });
    const page = await cdrs(`${month(2023)}&limit=2`);
    expect(page.data).toHaveLength(2);
    expect([page.headers.get('x-total-count'), page.headers.get('x-limit')]).toEqual(['3', '100']);
    const link = /^<https:\/\/charge\.example\/ocpi\/2\.2\.1\/cdrs\?(.+)>; rel="next"$/.exec(
      page.headers.get('link') ?? '',
    );
    const rest = await cdrs(link?.[1] ?? '');
    expect([rest.data.length, rest.headers.get('link')]).toEqual([1, null]);
    const ids = [...page.data, ...rest.data].map(({ last_updated }) => String(last_updated).slice(8, 10));
    expect(ids).toEqual(['05', '06', '07']);
    expect((await cdrs('limit=0')).code).toBe(2001);
  });
});

test('a seller without VAT has one price, and a connector that OCPI cannot name has no record', () => {
  const at = new Date('2025-01-01T10:00:00Z');
  const row: CdrRow = {
    ...{ operation: 7, sequence: 0, is_credit: false, amount: 100_01, total: 100_01, recorded_at: at, user_id: 1 },
    ...{
      is_guest: true,
      source: 'rfid',
      started_at: at,
      finished_at: at,
      energy_wh: 1,
      idle_total: 0,
      idle_seconds: 0,
    },
    ...{ number: 'F1', address_uk: 'Дніпро', lat: 1, lon: 1, connector_id: 1, type: 'type2', power_w: 22_000 },
    has_cable: false,
  };
  const seller = { identity: { countryCode: 'UA', partyId: 'FPY' }, operator: 'FPay', hasVat: false };
  expect(cdrOf(row, seller)).toMatchObject({
    total_cost: { excl_vat: 100.01 },
    total_energy: 0.001,
    cdr_token: { type: 'RFID' },
    auth_method: 'AUTH_REQUEST',
  });
  expect(JSON.stringify(cdrOf(row, seller))).not.toContain('incl_vat');
  expect(cdrOf({ ...row, type: 'warp' }, seller)).toBeNull();
});
