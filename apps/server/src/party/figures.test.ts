import { billedStatuses, endedStatuses, isAmong, type OperationStatus } from '@fpay/contract/charging';
import { partyOperations, partyStats } from '@fpay/contract/party';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dateIn } from '../platform/zone-time.ts';
import { type PartyServer, startPartyServer } from './testing/parties.ts';

let server: PartyServer;
const now = new Date('2026-11-15T12:35:00Z');
const zones = ['Europe/Kyiv', 'America/Havana', 'Pacific/Kiritimati', 'Asia/Kolkata', 'UTC'] as const;
beforeAll(async () => {
  server = await startPartyServer({ clock: { now: () => now } });
});
afterAll(() => server.close());

const percentage = (part: number, total: number) => (total === 0 ? null : Math.round((part / total) * 100));

interface Charge {
  id: number;
  user: number;
  station: string;
  at: Date;
  energyWh: number;
  price: number;
  status: OperationStatus;
}

test('statistics equal a naive recomputation over random charges, users, periods and time zones [PARTY-12] [PARTY-13] [PARTY-14] [PARTY-20] [ENT-28]', async () => {
  const { id, owner, members } = await server.partyOf({ isClosed: false, members: 3 });
  const outsider = await server.signedIn();
  const own = [
    await server.station({ number: 'F5201', partyId: id }),
    await server.station({ number: 'F5202', partyId: id }),
    await server.station({ number: 'F5203', partyId: id }),
  ];
  const foreign = await server.station({ number: 'F5301' });
  const memberIds = [owner.id, ...members.map((member) => member.id)];
  const users = [...memberIds, outsider.id];
  // The third station of the party has no charges.
  const places = [own[0], own[1], foreign].flatMap((station) => station ?? []);
  const someCharge = fc.record({
    user: fc.constantFrom(...users),
    place: fc.constantFrom(...places),
    // From October, over the end of summer time, until now.
    at: fc.date({ min: new Date('2026-10-20T00:00:00Z'), max: now, noInvalidDate: true }),
    energyWh: fc.integer({ min: 0, max: 90_000 }),
    price: fc.constantFrom(0, 12_50, 15_00),
    status: fc.constantFrom(...endedStatuses),
  });
  const charges: Charge[] = [];
  for (const { place, ...charge } of fc.sample(someCharge, { numRuns: 200, seed: 7 })) {
    const added = await server.charge({ ...charge, station: place });
    charges.push({ ...charge, id: added, station: place.number });
  }

  const ask = fc.record({
    user: fc.constantFrom('all' as const, 'avg' as const, ...memberIds.map(String)),
    tz: fc.constantFrom(...zones),
    days: fc.tuple(fc.integer({ min: 0, max: 26 }), fc.integer({ min: 1, max: 26 })),
  });
  for (const { user, tz, days } of fc.sample(ask, { numRuns: 40, seed: 11 })) {
    const from = new Date(Date.parse('2026-10-20T00:00:00Z') + days[0] * 86_400_000);
    const to = new Date(Math.min(now.getTime(), from.getTime() + days[1] * 86_400_000));
    if (to <= from) continue;
    const query = {
      user: user as 'all',
      tz,
      manual_range: 'true' as const,
      start_date: from.toISOString(),
      end_date: to.toISOString(),
    };
    const inPeriod = charges.filter(({ at }) => at >= from && at < to);
    const ofUsers = inPeriod.filter((charge) => (Number.isNaN(Number(user)) ? true : charge.user === Number(user)));
    const counted = ofUsers.filter(
      ({ user: who, station, status }) =>
        isAmong(billedStatuses, status) && (memberIds.includes(who) || station.startsWith('F52')),
    );
    const divisor = user === 'avg' ? memberIds.length : 1;
    const sum = (some: Charge[]) => some.reduce((total, { energyWh }) => total + energyWh, 0);
    const shares = (some: Charge[]) => {
      const [total, free] = [sum(some), sum(some.filter(({ price }) => price === 0))];
      const party = sum(some.filter((charge) => memberIds.includes(charge.user)));
      return {
        total: Math.round(total / divisor),
        free: Math.round(free / divisor),
        free_percentage: percentage(free, total),
        party: Math.round(party / divisor),
        party_percentage: percentage(party, total),
      };
    };
    const { status, body } = await owner.client.call(partyStats, { query });
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...shares(counted), charges: counted.length });
    for (const station of body.by_station) {
      const there = counted.filter((charge) => charge.station === station.number);
      expect(station).toMatchObject({ ...shares(there), total_percentage: percentage(sum(there), sum(counted)) });
    }
    const listed = body.by_station.map((station: { number: string }) => station.number);
    const expected = new Set(['F5201', 'F5202', 'F5203', ...counted.map(({ station }) => station)]);
    expect(listed.toSorted()).toEqual([...expected].toSorted());
    const perDay = new Map<string, number>();
    for (const { at, energyWh } of counted) perDay.set(dateIn(tz, at), (perDay.get(dateIn(tz, at)) ?? 0) + energyWh);
    for (const { date, energy } of body.by_day)
      expect([date, energy]).toEqual([date, Math.round((perDay.get(date) ?? 0) / divisor)]);
    expect(body.by_day.map((day: { date: string }) => day.date)).toEqual(expect.arrayContaining([...perDay.keys()]));

    const list = await owner.client.call(partyOperations, { query: { ...query, limit: '500' } });
    const ofMembers = ofUsers.filter((charge) => memberIds.includes(charge.user));
    expect(list.body.map((one: { id: number }) => one.id)).toEqual(
      ofMembers
        .toSorted((one, other) => other.at.getTime() - one.at.getTime() || other.id - one.id)
        .map(({ id }) => id),
    );
  }
});

test('operations are listed page by page with what the detail shows [PARTY-16] [API-55]', async () => {
  const { id, owner, member } = await server.partyOf({ isClosed: true });
  const station = await server.station({ number: 'F5401', partyId: id });
  const ids: number[] = [];
  for (let hour = 1; hour <= 3; hour += 1)
    ids.push(
      await server.charge({
        user: member.id,
        station,
        at: new Date(now.getTime() - hour * 3_600_000),
        energyWh: 42_600,
        price: 14_50,
      }),
    );
  const query = { user: String(member.id) as 'all', period: '24h', tz: 'Europe/Kyiv', limit: '2' } as const;
  const first = await owner.client.call(partyOperations, { query });
  expect(first.body.map((one: { id: number }) => one.id)).toEqual([ids[0], ids[1]]);
  expect(first.body[0]).toMatchObject({
    created_at: expect.any(String),
    closed_at: expect.any(String),
    energy: 42_600,
    price: 14_50,
    total: 617_70,
    user: { id: member.id, phone_number: member.phone },
    status: 'finished',
    station_number: 'F5401',
    connector_type: 'ccstype2',
    car_name: null,
  });
  const second = await owner.client.call(partyOperations, { query: { ...query, before: String(ids[1]) } });
  expect(second.body.map((one: { id: number }) => one.id)).toEqual([ids[2]]);
});

test.each([
  ['without a user', { period: 'today', tz: 'Europe/Kyiv' }],
  ['with a user that is no id', { user: 'everybody', period: 'today', tz: 'Europe/Kyiv' }],
  ['without a period', { user: 'all', tz: 'Europe/Kyiv' }],
  ['with an unknown period', { user: 'all', period: 'decade', tz: 'Europe/Kyiv' }],
  ['with an unknown time zone', { user: 'all', period: 'today', tz: 'Europe/Nowhere' }],
  ['with half a range', { user: 'all', manual_range: 'true', start_date: '2026-11-01T00:00:00Z', tz: 'UTC' }],
  [
    'with a range that ends before it begins',
    {
      user: 'all',
      manual_range: 'true',
      start_date: '2026-11-02T00:00:00Z',
      end_date: '2026-11-01T00:00:00Z',
      tz: 'UTC',
    },
  ],
  [
    'with a range of three years',
    {
      user: 'all',
      manual_range: 'true',
      start_date: '2023-11-02T00:00:00Z',
      end_date: '2026-11-01T00:00:00Z',
      tz: 'UTC',
    },
  ],
])('statistics %s are refused [VAL-31]', async (_, query) => {
  const { owner } = await server.partyOf({ isClosed: false, members: 0 });
  const { status } = await owner.client.get(`/api/party/stats?${new URLSearchParams(query as Record<string, string>)}`);
  expect(status).toBe(422);
});
