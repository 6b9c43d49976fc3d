import { randomBytes } from 'node:crypto';
import { addOcpiPartner, endOcpiPartner, ocpiPartners, renewOcpiToken } from '@fpay/contract/admin/integrations/ocpi';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { Client } from '../../testing/client.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { type Receiver, startReceiver } from '../testing/receiver.ts';

let now = Date.parse('2026-11-17T10:00:00Z');
const clock = { now: () => new Date(now) };
let server: TestServer;
let admin: Client;
let fixed: string;
let emsp: Receiver;
let parties = 0;

beforeAll(async () => {
  server = await startTestServer({ clock, env: { PUBLIC_URL: 'https://charge.example', SELLER_VAT: '1' } });
  admin = (await server.signedIn('Admin')).client;
  fixed = (await addPartner(false)).token;
  emsp = await startReceiver();
});
afterAll(async () => {
  await emsp.close();
  await server.close();
});
beforeEach(() => server.db.deleteFrom('rate_limits').execute());

async function addPartner(hasRegistration: boolean) {
  parties += 1;
  const party = `P${String(parties).padStart(2, '0')}`;
  const { status, body } = await admin.call(addOcpiPartner, {
    body: { name: `Partner ${party}`, country_code: 'PL', party_id: party, has_registration: hasRegistration },
  });
  expect(status).toBe(200);
  return { ...body, party };
}

const authorization = (token: string) => `Token ${Buffer.from(token).toString('base64')}`;

async function ask(path: string, token: string | null = fixed, init: RequestInit = {}) {
  const response = await fetch(server.url + path, {
    ...init,
    headers: {
      ...(token !== null && { authorization: authorization(token) }),
      ...(init.body !== undefined && { 'content-type': 'application/json' }),
      ...(init.headers as Record<string, string>),
    },
  });
  const body = JSON.parse(await response.text());
  return { http: response.status, headers: response.headers, code: body.status_code, data: body.data, body };
}

/** The shapes of the specification, written independently of the code. */
const time = z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/));
const Connector = z.strictObject({
  id: z.string().check(z.maxLength(36)),
  standard: z.enum(['IEC_62196_T2', 'IEC_62196_T2_COMBO', 'CHADEMO', 'GBT_AC', 'GBT_DC', 'TESLA_S', 'IEC_62196_T1']),
  format: z.enum(['SOCKET', 'CABLE']),
  power_type: z.enum(['AC_1_PHASE', 'AC_3_PHASE', 'DC']),
  max_voltage: z.int(),
  max_amperage: z.int(),
  max_electric_power: z.optional(z.int()),
  tariff_ids: z.optional(z.array(z.string())),
  last_updated: time,
});
const Evse = z.strictObject({
  uid: z.string().check(z.maxLength(36)),
  evse_id: z.string().check(z.regex(/^UA\*FPY\*E\w+$/)),
  status: z.enum(['AVAILABLE', 'BLOCKED', 'CHARGING', 'INOPERATIVE', 'OUTOFORDER', 'RESERVED', 'UNKNOWN']),
  capabilities: z.array(z.string()),
  physical_reference: z.string().check(z.maxLength(16)),
  connectors: z.array(Connector).check(z.minLength(1)),
  last_updated: time,
});
const decimals = z.string().check(z.regex(/^-?\d{1,3}\.\d{5,7}$/));
const Location = z.strictObject({
  country_code: z.literal('UA'),
  party_id: z.literal('FPY'),
  id: z.string().check(z.maxLength(36)),
  publish: z.literal(true),
  name: z.string(),
  address: z.string().check(z.maxLength(255)),
  city: z.string().check(z.minLength(1), z.maxLength(45)),
  country: z.literal('UKR'),
  coordinates: z.strictObject({ latitude: decimals, longitude: decimals }),
  directions: z.optional(z.array(z.strictObject({ language: z.string(), text: z.string() }))),
  operator: z.strictObject({ name: z.string() }),
  time_zone: z.literal('Europe/Kyiv'),
  opening_times: z.looseObject({ twentyfourseven: z.boolean() }),
  evses: z.array(Evse),
  last_updated: time,
});
const Tariff = z.strictObject({
  country_code: z.literal('UA'),
  party_id: z.literal('FPY'),
  id: z.string().check(z.maxLength(36)),
  currency: z.literal('UAH'),
  type: z.literal('AD_HOC_PAYMENT'),
  elements: z
    .array(
      z.strictObject({
        price_components: z.array(
          z.strictObject({
            type: z.enum(['ENERGY', 'FLAT']),
            price: z.number(),
            vat: z.optional(z.number()),
            step_size: z.literal(1),
          }),
        ),
        restrictions: z.optional(z.looseObject({})),
      }),
    )
    .check(z.minLength(1)),
  last_updated: time,
});

async function addStation({
  party = null as number | null,
  retired = false,
  price = 1_500,
  status = 'Available',
} = {}) {
  const tag = randomBytes(4).toString('hex').toUpperCase();
  const at = clock.now();
  const { db } = server;
  const point = await db
    .insertInto('charge_points')
    .values({
      identity: `CP-${tag}`,
      key_hash: randomBytes(32),
      created_at: at,
      is_online: true,
      online_changed_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const tariff = await db.insertInto('tariffs').values({ name: tag, price }).returning('id').executeTakeFirstOrThrow();
  const number = `F${Number.parseInt(tag, 16) % 100_000_000}`;
  const station = await db
    .insertInto('stations')
    .values({
      number,
      address: 'Street, 1, Dnipro',
      address_uk: 'вул. Січових Стрільців, 4, Дніпро',
      lat: 48.46,
      lon: 35.04,
      created_at: at,
      party_id: party,
      retired_at: retired ? at : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const connector = await db
    .insertInto('connectors')
    .values({
      station_id: station.id,
      charge_point_id: point.id,
      ocpp_connector: 1,
      type: 'ccstype2',
      power_w: 60_000,
      tariff_id: tariff.id,
      ocpp_status: status,
      status_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { number, connector: connector.id, tariff: tariff.id };
}

const locationIds = async (query = '') =>
  (await ask(`/ocpi/2.2.1/locations${query}`)).data.map(({ id }: { id: string }) => id);

test('versions and details name absolute public addresses', async () => {
  const versions = await ask('/ocpi/versions');
  expect(versions.body).toEqual({
    data: [{ version: '2.2.1', url: 'https://charge.example/ocpi/2.2.1' }],
    status_code: 1000,
    timestamp: '2026-11-17T10:00:00Z',
  });
  const { data } = await ask('/ocpi/2.2.1');
  expect(data.endpoints.map(({ identifier, role }: Record<string, string>) => `${identifier} ${role}`)).toEqual([
    'credentials SENDER',
    'locations SENDER',
    'tariffs SENDER',
    'sessions SENDER',
    'cdrs SENDER',
  ]);
});

test.each(['/ocpi/versions', '/ocpi/2.2.1', '/ocpi/2.2.1/credentials', '/ocpi/2.2.1/locations', '/ocpi/2.2.1/tariffs'])(
  '%s needs a token',
  async (path) => {
    for (const token of [null, 'fpo_wrong', '']) {
      const { http, code, data } = await ask(path, token);
      expect([http, code, data]).toEqual([401, 2000, undefined]);
    }
  },
);

test('a token that was encoded with a line feed is accepted everywhere, one that is not encoded only before a version is chosen', async () => {
  const httpOf = async (path: string, sent: string) =>
    (await ask(path, null, { headers: { authorization: `Token ${sent}` } })).http;
  const encoded = Buffer.from(`${fixed}\n`).toString('base64');
  expect([await httpOf('/ocpi/versions', fixed), await httpOf('/ocpi/versions', encoded)]).toEqual([200, 200]);
  // A party that reads the list of versions may be one of OCPI 2.1.1, which knows no encoding.
  for (const path of ['/ocpi/2.2.1', '/ocpi/2.2.1/credentials', '/ocpi/2.2.1/locations'])
    expect([path, await httpOf(path, fixed), await httpOf(path, encoded)]).toEqual([path, 401, 200]);
});

test('text that the database cannot store is refused and is no error of ours', async () => {
  for (const path of ['%00', 'F1%00', 'F1/%00', 'F1/1/%00', '%ED%A0%80']) {
    const { http } = await ask(`/ocpi/2.2.1/locations/${path}`, fixed);
    expect([path, http < 500]).toEqual([path, true]);
  }
  const { http, code } = await ask('/ocpi/2.2.1/locations?date_from=%00&offset=%00&limit=%00', fixed);
  expect([http < 500, code < 3000]).toEqual([true, true]);
  for (const body of ['{"token":"a\\u0000b"}', '['.repeat(40_000), `${'['.repeat(9_000)}${']'.repeat(9_000)}`]) {
    const refused = await ask('/ocpi/2.2.1/credentials', fixed, { method: 'POST', body });
    expect([refused.http < 500, refused.code < 3000]).toEqual([true, true]);
  }
});

test('ids of the request come back, and the parties change places', async () => {
  const { headers } = await ask('/ocpi/2.2.1/locations', fixed, {
    headers: {
      'x-request-id': 'r-1',
      'x-correlation-id': 'c-1',
      'ocpi-from-party-id': 'P01',
      'ocpi-from-country-code': 'PL',
      'ocpi-to-party-id': 'FPY',
      'ocpi-to-country-code': 'UA',
    },
  });
  const names = ['x-request-id', 'x-correlation-id', 'ocpi-from-party-id', 'ocpi-to-party-id', 'ocpi-to-country-code'];
  expect(names.map((name) => headers.get(name))).toEqual(['r-1', 'c-1', 'FPY', 'P01', 'PL']);
});

test('a location has the shape of the specification, and its parts can be read alone', async () => {
  const { number, connector, tariff } = await addStation();
  const { data } = await ask(`/ocpi/2.2.1/locations/${number}`);
  expect(z.safeParse(Location, data).error?.issues).toBeUndefined();
  expect(data).toMatchObject({
    id: number,
    city: 'Дніпро',
    coordinates: { latitude: '48.460000', longitude: '35.040000' },
    evses: [
      {
        uid: String(connector),
        status: 'AVAILABLE',
        connectors: [
          {
            standard: 'IEC_62196_T2_COMBO',
            power_type: 'DC',
            max_electric_power: 60_000,
            tariff_ids: [String(tariff)],
          },
        ],
      },
    ],
  });
  expect(JSON.stringify(data)).not.toContain('null');
  expect((await ask(`/ocpi/2.2.1/locations/${number}/${connector}`)).data).toEqual(data.evses[0]);
  expect((await ask(`/ocpi/2.2.1/locations/${number}/${connector}/1`)).data).toEqual(data.evses[0].connectors[0]);
  for (const path of ['F99999999', `${number}/1x`, `${number}/${connector}/2`]) {
    expect(await ask(`/ocpi/2.2.1/locations/${path}`)).toMatchObject({ http: 404, code: 2003 });
  }
});

test.each([
  ['Available', 'AVAILABLE'],
  ['Preparing', 'CHARGING'],
  ['Charging', 'CHARGING'],
  ['Finishing', 'BLOCKED'],
  ['Reserved', 'RESERVED'],
  ['Unavailable', 'INOPERATIVE'],
  ['Faulted', 'OUTOFORDER'],
  ['Nonsense', 'UNKNOWN'],
])('a connector that reports %s is %s', async (status, expected) => {
  const { number } = await addStation({ status });
  expect((await ask(`/ocpi/2.2.1/locations/${number}`)).data.evses[0].status).toBe(expected);
});

test('stations of closed parties and retired ones are hidden, with their tariffs', async () => {
  const owner = await server.addUser();
  const party = await server.db
    .insertInto('parties')
    .values({ name: 'Fleet', owner_id: owner.id, is_closed: true, created_at: clock.now() })
    .returning('id')
    .executeTakeFirstOrThrow();
  const closed = await addStation({ party: party.id });
  const retired = await addStation({ retired: true });
  const shown = await locationIds();
  for (const hidden of [closed, retired]) {
    expect(shown).not.toContain(hidden.number);
    expect((await ask(`/ocpi/2.2.1/locations/${hidden.number}`)).http).toBe(404);
    const tariffs = (await ask('/ocpi/2.2.1/tariffs')).data.map(({ id }: { id: string }) => id);
    expect(tariffs).not.toContain(String(hidden.tariff));
  }
});

test('pages follow each other by their links until the last one, and count all', async () => {
  for (let count = 0; count < 3; count += 1) await addStation();
  const all = await locationIds();
  const seen: string[] = [];
  let path: string | null = '/ocpi/2.2.1/locations?limit=2';
  while (path !== null) {
    const { headers, data }: Awaited<ReturnType<typeof ask>> = await ask(path);
    expect([headers.get('x-total-count'), headers.get('x-limit')]).toEqual([String(all.length), '100']);
    seen.push(...data.map(({ id }: { id: string }) => id));
    const link: string | undefined = /^<https:\/\/charge\.example(.*)>; rel="next"$/.exec(
      headers.get('link') ?? '',
    )?.[1];
    path = link ?? null;
  }
  expect(seen).toEqual(all);
});

test('date_from is inclusive and date_to is not, and a status change raises last_updated', async () => {
  now += 3_600_000;
  const { number, connector } = await addStation();
  const at = clock.now().toISOString();
  expect(await locationIds(`?date_from=${at}`)).toEqual([number]);
  expect(await locationIds(`?date_to=${at}`)).not.toContain(number);
  now += 60_000;
  const later = clock.now();
  await server.db
    .updateTable('connectors')
    .set({ ocpp_status: 'Charging', status_at: later })
    .where('id', '=', connector)
    .execute();
  expect(await locationIds(`?date_from=${later.toISOString()}`)).toEqual([number]);
  const beyond = await ask('/ocpi/2.2.1/locations?offset=100000');
  expect([beyond.data, beyond.headers.get('link')]).toEqual([[], null]);
});

test.each([
  'limit=0',
  'limit=x',
  'offset=-1',
  'date_from=yesterday',
  'date_to=2026-13-01T00:00:00Z',
  'limit=1&limit=2',
])('the query %s is refused with 2001 in an answer of 200', async (query) => {
  expect(await ask(`/ocpi/2.2.1/locations?${query}`)).toMatchObject({ http: 200, code: 2001 });
});

test('a tariff has the shape of the specification: net price, VAT, special hours before the usual price', async () => {
  const { tariff } = await addStation({ price: 1_800 });
  const hours = JSON.stringify([{ weekdays: [6, 7], from: 22, to: 24, price: 1_200 }]);
  await server.db.updateTable('tariffs').set({ hours }).where('id', '=', tariff).execute();
  const { data } = await ask('/ocpi/2.2.1/tariffs');
  for (const one of data) expect(z.safeParse(Tariff, one).error?.issues).toBeUndefined();
  expect(data.find(({ id }: { id: string }) => id === String(tariff)).elements).toEqual([
    {
      price_components: [{ type: 'ENERGY', price: 10, vat: 20, step_size: 1 }],
      restrictions: { start_time: '22:00', end_time: '00:00', day_of_week: ['SATURDAY', 'SUNDAY'] },
    },
    { price_components: [{ type: 'ENERGY', price: 15, vat: 20, step_size: 1 }] },
  ]);
});

test('sessions need date_from, and sessions of our own drivers are never given to a partner', async () => {
  expect(await ask('/ocpi/2.2.1/sessions')).toMatchObject({ http: 200, code: 2001 });
  const { code, data, headers } = await ask('/ocpi/2.2.1/sessions?date_from=2026-01-01T00:00:00Z');
  expect([code, data, headers.get('x-total-count')]).toEqual([1000, [], '0']);
});

/** Plays the partner's side of a registration. */
function playEmsp(versions: object = [{ version: '2.2.1', url: emsp.url.replace('/hook', '/details') }]) {
  emsp.received.length = 0;
  emsp.answers((response, { path }) => {
    const data =
      path === '/hook' ? versions : { version: '2.2.1', endpoints: [{ identifier: 'credentials', url: emsp.url }] };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ data, status_code: 1000, timestamp: '2026-11-17T10:00:00Z' }));
  });
}
const credentialsOf = (party: string, url = emsp.url) => ({
  token: 'token-b',
  url,
  roles: [{ role: 'EMSP', party_id: party, country_code: 'PL', business_details: { name: 'Partner' } }],
});
const send = (method: string, token: string, body?: object) =>
  ask('/ocpi/2.2.1/credentials', token, { method, ...(body && { body: JSON.stringify(body) }) });

test('a partner registers with token A, gets token C, and A is void', async () => {
  const { token: a, party } = await addPartner(true);
  playEmsp();
  expect((await ask('/ocpi/versions', a)).http).toBe(200);
  expect((await ask('/ocpi/2.2.1/locations', a)).http).toBe(401);
  expect((await send('PUT', a, credentialsOf(party))).http).toBe(405);
  expect((await send('DELETE', a)).http).toBe(405);
  const { http, code, data } = await send('POST', a, credentialsOf(party));
  expect([http, code]).toEqual([200, 1000]);
  expect(data).toMatchObject({
    url: 'https://charge.example/ocpi/versions',
    roles: [{ role: 'CPO', party_id: 'FPY' }],
  });
  expect(emsp.received.map(({ path, headers }) => [path, headers.authorization])).toEqual([
    ['/hook', authorization('token-b')],
    ['/details', authorization('token-b')],
  ]);
  const c = data.token;
  expect((await ask('/ocpi/versions', a)).http).toBe(401);
  expect((await ask('/ocpi/2.2.1/locations', c)).http).toBe(200);
  expect((await send('GET', c)).data.token).toBe(c);
  expect((await send('POST', c, credentialsOf(party))).http).toBe(405);

  const renewed = (await send('PUT', c, credentialsOf(party))).data.token;
  expect((await ask('/ocpi/versions', c)).http).toBe(200);
  now += 5 * 60_000;
  expect((await ask('/ocpi/versions', c)).http).toBe(401);
  expect((await send('DELETE', renewed)).body).toEqual({ status_code: 1000, timestamp: expect.any(String) });
  expect((await ask('/ocpi/versions', renewed)).http).toBe(401);
});

test('of two registrations at once one succeeds', async () => {
  const { token, party } = await addPartner(true);
  playEmsp();
  const answers = await Promise.all([1, 2, 3].map(() => send('POST', token, credentialsOf(party))));
  const tokens = answers.filter(({ code }) => code === 1000).map(({ data }) => data.token);
  expect(tokens).toHaveLength(1);
  expect((await ask('/ocpi/2.2.1/locations', tokens[0])).http).toBe(200);
});

test('a registration is refused when the API of the partner cannot be used, and the invitation stays', async () => {
  const { token, party } = await addPartner(true);
  playEmsp([{ version: '2.1.1', url: emsp.url }]);
  expect(await send('POST', token, credentialsOf(party))).toMatchObject({ http: 200, code: 3002 });
  emsp.answers((response) => void response.writeHead(500).end());
  expect(await send('POST', token, credentialsOf(party))).toMatchObject({ http: 200, code: 3001 });
  expect(await send('POST', token, credentialsOf('XXX'))).toMatchObject({ http: 200, code: 2001 });
  expect(await send('POST', token, { token: 'b' })).toMatchObject({ http: 200, code: 2001 });
  const broken = await ask('/ocpi/2.2.1/credentials', token, { method: 'POST', body: '{' });
  expect(broken.http).toBe(400);
  playEmsp();
  expect((await send('POST', token, credentialsOf(party))).code).toBe(1000);
});

test('staff renew a token or end a partnership, and the old token is refused at once', async () => {
  const { id, token } = await addPartner(false);
  const again = await admin.call(renewOcpiToken, { params: { id: String(id) } });
  expect((await ask('/ocpi/versions', token)).http).toBe(401);
  expect((await ask('/ocpi/2.2.1/locations', again.body.token)).http).toBe(200);
  expect((await admin.call(endOcpiPartner, { params: { id: String(id) } })).status).toBe(204);
  expect((await ask('/ocpi/versions', again.body.token)).http).toBe(401);
  expect((await admin.call(endOcpiPartner, { params: { id: String(id) } })).status).toBe(409);
  const { body } = await admin.call(ocpiPartners);
  expect(body.partners.find((partner) => partner.id === id)?.status).toBe('ended');
});

test('one party is one partner', async () => {
  const { party } = await addPartner(true);
  const answer = await admin.call(addOcpiPartner, {
    body: { name: 'Again', country_code: 'PL', party_id: party, has_registration: true },
  });
  expect([answer.status, answer.body.code]).toEqual([409, 'ocpi_partner_exists']);
});
