import {
  type Chunk,
  getAlternatives,
  getChunk,
  getConnectors,
  getLink,
  getPromotions,
  getStation,
  getVirtualConnectors,
  getVirtualStation,
} from '@fpay/contract/stations';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../testing/client.ts';
import { type StationServer, startStationServer } from './testing/server.ts';

// Sunday 1 November 2026, 14:00 in Kyiv.
const now = new Date('2026-11-01T12:00:00Z');
let server: StationServer;
let driver: Client;
let partyId: number;
let member: Client;

beforeAll(async () => {
  server = await startStationServer({ clock: { now: () => now } });
  driver = await server.signedIn(await server.network.user());
  partyId = await server.network.party(true);
  member = await server.signedIn(await server.network.user(partyId));
});
afterAll(() => server.close());

describe('a station', () => {
  it('is returned with its connectors, their prices and its banner [ENT-08] [ENT-09] [ENT-10] [API-41]', async () => {
    const { id, connectorIds, chargePointId } = await server.network.station({
      number: 'F1400',
      lat: 48.46471,
      lon: 35.04625,
      connectors: [
        { type: 'ccstype2', powerW: 120_000 },
        { type: 'chademo', status: 'Preparing', price: 0 },
      ],
    });
    await server.db.insertInto('promotions').values({ code: 'free_parking', kind: 'banner', station_id: id }).execute();
    const { status, body } = await driver.call(getStation, { params: { number: 'F1400' } });
    expect(status).toBe(200);
    const common = { charging_station_id: id, has_cable: true, progress: null, time_left: null, idle: null };
    const noDiscount = { old_price: null, discount_string: null };
    expect(body).toEqual({
      id,
      number: 'F1400',
      address: 'F1400 St, 1, Dnipro',
      address_uk: 'вул. F1400, 1, Дніпро',
      lat: 48.46471,
      lon: 35.04625,
      is_online: true,
      promo: 'free_parking',
      reward: null,
      note: null,
      opening_hours: null,
      maintenance: [],
      photos: [],
      connectors: [
        {
          id: connectorIds[0],
          api_address: '1',
          type: 'ccstype2',
          status: 'free',
          power: 120_000,
          price: 15_00,
          ...common,
          ...noDiscount,
        },
        {
          id: connectorIds[1],
          api_address: '2',
          type: 'chademo',
          status: 'ready',
          power: 60_000,
          price: 0,
          ...common,
          ...noDiscount,
        },
      ],
    });
    const stored = await server.db
      .selectFrom('connectors')
      .select(['charge_point_id', 'ocpp_connector'])
      .where('id', 'in', connectorIds)
      .orderBy('id')
      .execute();
    expect(stored).toEqual([1, 2].map((ocpp_connector) => ({ charge_point_id: chargePointId, ocpp_connector })));
  });

  it('is public, because the sign-in page shows the scanned station; its number may be in lower case', async () => {
    const { body } = await server.client().call(getStation, { params: { number: 'f1400' } });
    expect([body.number, body.connectors.length]).toEqual(['F1400', 2]);
    expect((await server.client().call(getConnectors, { params: { number: 'F1400' } })).body).toHaveLength(2);
    expect((await server.client().get('/api/station/v/F1400')).status).toBe(404);
  });

  it('that does not exist is 404; an offline one has no connectors [API-42]', async () => {
    const unknown = await driver.call(getStation, { params: { number: 'F9999' } });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'not_found']);
    expect((await driver.call(getStation, { params: { number: "F1'; --" } })).status).toBe(404);

    const { chargePointId } = await server.network.station({ number: 'F1500', isOnline: false });
    const offline = await driver.call(getStation, { params: { number: 'F1500' } });
    expect([offline.body.is_online, offline.body.connectors]).toEqual([false, []]);
    const states = await driver.call(getConnectors, { params: { number: 'F1500' } });
    expect(states.body.map(({ status }) => status)).toEqual(['unknown']);

    await server.steps.run((step) => server.setOnline(step, [chargePointId], true));
    const online = await driver.call(getStation, { params: { number: 'F1500' } });
    expect([online.body.is_online, online.body.connectors[0]?.status]).toEqual([true, 'free']);
  });

  it('whose price cannot be read answers 500 and says why [API-43]', async () => {
    await server.network.station({ number: 'F1501', connectors: [{ price: null }] });
    const missing = await driver.call(getStation, { params: { number: 'F1501' } });
    expect([missing.status, missing.body]).toEqual([
      500,
      { message: 'pricing service did not respond', code: 'pricing_unavailable' },
    ]);

    const { connectorIds } = await server.network.station({ number: 'F1502' });
    const { id } = await server.db
      .insertInto('tariffs')
      .values({ name: 'broken', price: 10_00, hours: JSON.stringify('by moonlight') })
      .returning('id')
      .executeTakeFirstOrThrow();
    await server.db.updateTable('connectors').set({ tariff_id: id }).where('id', 'in', connectorIds).execute();
    const broken = await driver.call(getStation, { params: { number: 'F1502' } });
    expect([broken.status, broken.body.message]).toEqual([500, 'pricing service did not respond']);
    // The statuses of the connectors are returned all the same.
    expect((await driver.call(getConnectors, { params: { number: 'F1502' } })).status).toBe(200);
  });

  it("shows the hour's price, and the usual one beside a lower one [STN-21]", async () => {
    const { connectorIds } = await server.network.station({ number: 'F1503' });
    const { id } = await server.db
      .insertInto('tariffs')
      .values({
        name: 'by the sun',
        price: 16_00,
        hours: JSON.stringify([{ weekdays: [7], from: 14, to: 15, price: 10_00 }]),
        discount: JSON.stringify({ from: '10-23', to: '11-15', percent: 10, text: null }),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await server.db.updateTable('connectors').set({ tariff_id: id }).where('id', 'in', connectorIds).execute();
    const { body } = await driver.call(getStation, { params: { number: 'F1503' } });
    const [connector] = body.connectors;
    expect([connector?.price, connector?.old_price, connector?.discount_string]).toEqual([9_00, 10_00, '−10%']);
  });

  it('leaves out a connector of an unknown type', async () => {
    await server.network.station({ number: 'F1504', connectors: [{ type: 'schuko' }, { type: 'type2' }] });
    const { body } = await driver.call(getStation, { params: { number: 'F1504' } });
    expect(body.connectors.map(({ type }) => type)).toEqual(['type2']);
  });
});

describe('connectors', () => {
  it('are returned with status, progress and time left of their operation [API-44] [CONN-26]', async () => {
    const { id, connectorIds } = await server.network.station({
      number: 'F1510',
      connectors: [{ status: 'Charging' }, { status: 'Charging' }, { status: 'Preparing' }],
    });
    const [first = 0, second = 0, third = 0] = connectorIds;
    await server.network.operation(first, {
      status: 'ongoing',
      energyWh: 5_000,
      limitWh: 20_000,
      powerW: 50_000,
      soc: 61,
    });
    await server.network.operation(second, { status: 'finishing', energyWh: 5_000, limitWh: 20_000 });
    await server.network.operation(third, { status: 'pending', limitWh: 20_000 });
    const { body } = await driver.call(getConnectors, { params: { number: 'F1510' } });
    expect(body).toEqual([
      { id: first, api_address: '1', charging_station_id: id, status: 'charging', progress: 61, time_left: 1_080 },
      { id: second, api_address: '2', charging_station_id: id, status: 'charging', progress: 25, time_left: null },
      { id: third, api_address: '3', charging_station_id: id, status: 'occupied', progress: null, time_left: null },
    ]);
  });

  it('are suspended into ready, or still charging while a transaction runs [CONN-23]', async () => {
    const { chargePointId, connectorIds } = await server.network.station({
      number: 'F1511',
      connectors: [{ status: 'SuspendedEV' }, { status: 'SuspendedEV' }],
    });
    await server.db
      .insertInto('ocpp_transactions')
      .values({
        charge_point_id: chargePointId,
        connector_id: connectorIds[1] ?? null,
        ocpp_connector: 2,
        id_tag: 'TAG',
        meter_start_wh: 0,
        device_started_at: now.toISOString(),
        started_at: now,
      })
      .execute();
    const { body } = await driver.call(getConnectors, { params: { number: 'F1511' } });
    expect(body.map(({ status }) => status)).toEqual(['ready', 'charging']);
  });
});

describe('a virtual station', () => {
  it('has a number of its own and lists connectors of several stations [STN-06] [API-41] [API-44]', async () => {
    const one = await server.network.station({ number: 'F1520' });
    const two = await server.network.station({ number: 'F1521', connectors: [{}, { type: 'gbtdc' }] });
    const listed = [two.connectorIds[1] ?? 0, one.connectorIds[0] ?? 0];
    await server.network.virtualStation('F1522', listed);
    const { body } = await driver.call(getVirtualStation, { params: { number: 'F1522' } });
    expect([body.number, body.is_online]).toEqual(['F1522', true]);
    expect(
      body.connectors.map(({ id, charging_station_id, station_number }) => [id, charging_station_id, station_number]),
    ).toEqual([
      [listed[0], two.id, 'F1521'],
      [listed[1], one.id, 'F1520'],
    ]);
    const states = await driver.call(getVirtualConnectors, { params: { number: 'F1522' } });
    expect(states.body.map(({ id }) => id)).toEqual(listed);
    // Each kind has its own page.
    expect((await driver.call(getStation, { params: { number: 'F1522' } })).status).toBe(404);
    expect((await driver.call(getVirtualStation, { params: { number: 'F1520' } })).status).toBe(404);
  });
});

describe('a chunk', () => {
  it('contains address, place and stations of the marker; an unknown place gives none [API-40]', async () => {
    await server.network.station({ number: 'F1530', lat: 49.83803, lon: 24.02301 });
    await server.network.station({ number: 'F1531', lat: 49.838, lon: 24.023, isOnline: false });
    const visitor = server.client();
    const { body } = await visitor.call(getChunk, { body: { numbers: ['F1531', 'F1530', 'F1530', 'nonsense'] } });
    const { stations, ...head } = body as Chunk;
    expect(head).toEqual({
      address: 'F1530 St, 1, Dnipro',
      address_uk: 'вул. F1530, 1, Дніпро',
      lat: 49.838,
      lon: 24.023,
    });
    expect(stations.map(({ number, is_online, connectors }) => [number, is_online, connectors.length])).toEqual([
      ['F1530', true, 1],
      ['F1531', false, 0],
    ]);
    const empty = await visitor.call(getChunk, { body: { numbers: ['F9998'] } });
    expect(empty.body).toEqual({ stations: [] });
    expect((await visitor.call(getChunk, { body: { numbers: [] } })).body).toEqual({ stations: [] });
    expect((await visitor.call(getChunk, { body: { numbers: 'F1530' } as never })).status).toBe(422);
  });

  it('is made of the stations whose coordinates round to the same 4 decimals [MAP-25]', async () => {
    const near = await server.network.station({ number: 'F1532', lat: 50.450049, lon: 30.52345 });
    const alsoNear = await server.network.station({ number: 'F1533', lat: 50.44995, lon: 30.523549 });
    const far = await server.network.station({ number: 'F1534', lat: 50.45005, lon: 30.5235 });
    expect([near.chunk, alsoNear.chunk, far.chunk]).toEqual(['50.4500,30.5235', '50.4500,30.5235', '50.4501,30.5235']);
  });
});

describe('a QR link', () => {
  it('leads to a station, real or virtual; an unknown link to none [API-45]', async () => {
    const { id, connectorIds } = await server.network.station({ number: 'F1540' });
    await server.network.link('k7Qp2', id);
    await server.network.link('hub1', await server.network.virtualStation('F1541', connectorIds));
    const visitor = server.client();
    const found = await visitor.call(getLink, { params: { link: 'k7Qp2' } });
    expect(found.body).toEqual({ station_number: 'F1540', is_virtual: false });
    expect((await visitor.call(getLink, { params: { link: 'hub1' } })).body).toEqual({
      station_number: 'F1541',
      is_virtual: true,
    });
    expect((await visitor.call(getLink, { params: { link: 'K7qP2' } })).status).toBe(404);
  });
});

describe('alternatives to a station', () => {
  it('are numbers that differ in one digit and the nearest free connectors of the type, without closed stations', async () => {
    const at = (lat: number) => ({ lat, lon: 28.84, connectors: [{ type: 'ccstype2' }] });
    await server.network.station({
      number: 'F7700',
      ...at(45.35),
      connectors: [{ type: 'ccstype2', status: 'Charging' }],
    });
    await server.network.station({ number: 'F7701', ...at(45.36) });
    await server.network.station({ number: 'F7702', ...at(45.351), connectors: [{ type: 'type2' }] });
    await server.network.station({ number: 'F7703', ...at(45.352), partyId });
    await server.network.station({ number: 'F7704', ...at(45.355) });
    const taken = await driver.call(getAlternatives, { query: { number: 'F7700', type: 'ccstype2' } });
    expect(taken.body.free.map(({ number, distance }) => [number, Math.round(distance / 10) * 10])).toEqual([
      ['F7704', 560],
      ['F7701', 1110],
    ]);
    const unknown = await server.client().call(getAlternatives, { query: { number: 'f7709' } });
    expect(unknown.body).toEqual({ similar: ['F7700', 'F7701', 'F7702'], free: [] });
    const located = await server.client().call(getAlternatives, { query: { number: 'F7709', near: '45.3511,28.84' } });
    expect(located.body.free[0]).toMatchObject({
      number: 'F7702',
      api_address: '1',
      type: 'type2',
      price: expect.any(Number),
    });
    expect((await server.client().get('/api/alternatives?number=F1&near=here')).status).toBe(422);
  });
});

describe("a closed party's station", () => {
  it('is visible to its members only in station, connectors, chunk and link [PARTY-19] [API-42]', async () => {
    const closed = await server.network.station({ number: 'F1550', partyId });
    await server.network.station({ number: 'F1551' });
    await server.network.link('closed', closed.id);
    const otherParty = await server.network.party(true);
    const rival = await server.signedIn(await server.network.user(otherParty));
    const at = { params: { number: 'F1550' } };
    for (const outsider of [driver, rival]) {
      const refused = await outsider.call(getStation, at);
      expect([refused.status, refused.body.code]).toEqual([403, 'closed_station']);
      expect(refused.body).not.toHaveProperty('address');
      expect((await outsider.call(getConnectors, at)).status).toBe(403);
      expect((await outsider.call(getLink, { params: { link: 'closed' } })).status).toBe(403);
      const chunk = await outsider.call(getChunk, { body: { numbers: ['F1550', 'F1551'] } });
      expect(chunk.body.stations.map(({ number }) => number)).toEqual(['F1551']);
      expect((await outsider.call(getChunk, { body: { numbers: ['F1550'] } })).body).toEqual({ stations: [] });
    }
    const visitor = server.client();
    expect((await visitor.call(getStation, at)).body.code).toBe('closed_station');
    expect((await visitor.call(getConnectors, at)).status).toBe(403);
    expect((await visitor.call(getLink, { params: { link: 'closed' } })).status).toBe(403);
    expect((await visitor.call(getChunk, { body: { numbers: ['F1550'] } })).body).toEqual({ stations: [] });

    expect((await member.call(getStation, at)).body.number).toBe('F1550');
    expect((await member.call(getConnectors, at)).body).toHaveLength(1);
    expect((await member.call(getLink, { params: { link: 'closed' } })).body.station_number).toBe('F1550');
    const chunk = await member.call(getChunk, { body: { numbers: ['F1550', 'F1551'] } });
    expect(chunk.body.stations).toHaveLength(2);
  });

  it('is hidden behind a virtual station too, wholly or connector by connector [PARTY-19]', async () => {
    const closed = await server.network.station({ number: 'F1560', partyId });
    const open = await server.network.station({ number: 'F1561' });
    const both = [...closed.connectorIds, ...open.connectorIds];
    await server.network.virtualStation('F1562', both);
    await server.network.virtualStation('F1563', both, partyId);
    const mixed = { params: { number: 'F1562' } };
    const own = { params: { number: 'F1563' } };
    const idsOf = async (client: Client) => [
      (await client.call(getVirtualStation, mixed)).body.connectors.map(({ id }) => id),
      (await client.call(getVirtualConnectors, mixed)).body.map(({ id }) => id),
    ];
    expect(await idsOf(driver)).toEqual([open.connectorIds, open.connectorIds]);
    expect(await idsOf(member)).toEqual([both, both]);
    expect((await driver.call(getVirtualStation, own)).status).toBe(403);
    expect((await driver.call(getVirtualConnectors, own)).status).toBe(403);
    expect((await member.call(getVirtualStation, own)).status).toBe(200);
  });

  it('of an open party is visible to everyone', async () => {
    await server.network.station({ number: 'F1564', partyId: await server.network.party(false) });
    expect((await driver.call(getStation, { params: { number: 'F1564' } })).status).toBe(200);
  });
});

describe('promotions of today', () => {
  it('are read from the table: station, days and kind, without those of stations that the user may not see [STN-19]', async () => {
    const { id } = await server.network.station({ number: 'F1570' });
    const closed = await server.network.station({ number: 'F1571', partyId });
    await server.db
      .insertInto('promotions')
      .values([
        { code: 'discount', kind: 'marker', station_id: id, from_day: '10-23', to_day: '11-15' },
        { code: 'summer', kind: 'marker', station_id: id, from_day: '06-01', to_day: '08-31' },
        { code: 'event', kind: 'marker', from_day: '10-27', to_day: '11-02' },
        { code: 'members', kind: 'banner', station_id: closed.id },
      ])
      .execute();
    const { body } = await server.client().call(getPromotions);
    expect(body).toContainEqual({ code: 'discount', kind: 'marker', station_number: 'F1570' });
    expect(body).toContainEqual({ code: 'event', kind: 'marker', station_number: null });
    expect(body.map(({ code }) => code)).not.toContain('summer');
    expect(body.map(({ code }) => code)).not.toContain('members');
    expect((await member.call(getPromotions)).body.map(({ code }) => code)).toContain('members');
  });
});
