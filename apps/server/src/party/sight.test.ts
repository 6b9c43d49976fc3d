import { leaveParty, partyData, partyOperations, partyStats } from '@fpay/contract/party';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PartyServer, startPartyServer } from './testing/parties.ts';

let server: PartyServer;
const clock = { at: new Date('2026-11-15T12:00:00Z') };
beforeAll(async () => {
  server = await startPartyServer({ clock: { now: () => clock.at } });
});
afterAll(() => server.close());

const year = { user: 'all', period: 'year', tz: 'Europe/Kyiv' } as const;

test('the owner sees charges and figures of a member from joining to leaving, nothing before or after [PARTY-22]', async () => {
  const { id, owner } = await server.partyOf({ isClosed: false, members: 0 });
  const driver = await server.signedIn();
  const station = await server.station({ number: 'F5401' });
  const charge = (at: string) => server.charge({ user: driver.id, station, at: new Date(at), energyWh: 10_000 });
  await charge('2026-11-15T09:00:00Z');
  await server.join(id, driver.id, new Date('2026-11-15T10:00:00Z'));
  const inside = await charge('2026-11-15T11:00:00Z');

  const seen = async (user = 'all') => {
    const operations = (await owner.client.call(partyOperations, { query: { ...year, user } })).body;
    const stats = (await owner.client.call(partyStats, { query: { ...year, user } })).body;
    return { ids: operations.map((one: { id: number }) => one.id), total: stats.total, by_user: stats.by_user };
  };
  const expected = { ids: [inside], total: 10_000, by_user: [{ id: driver.id, energy: 10_000 }] };
  expect(await seen()).toEqual(expected);
  const { body } = await owner.client.call(partyData, {});
  expect(body.member_list.find((one: { id: number }) => one.id === driver.id)).toMatchObject({
    operations_24h: 1,
    energy_24h: 10_000,
    energy_week: 10_000,
  });
  expect((await driver.client.call(partyData, {})).body.own).toMatchObject({ charges: 1 });

  clock.at = new Date('2026-11-15T12:30:00Z');
  expect((await driver.client.call(leaveParty, { body: { return_to_owner: false } })).status).toBe(200);
  await charge('2026-11-15T12:40:00Z');
  clock.at = new Date('2026-11-15T13:00:00Z');
  expect(await seen()).toEqual(expected);
  expect(await seen(String(driver.id))).toEqual(expected);
  const [operation] = (await owner.client.call(partyOperations, { query: year })).body;
  // The number may have changed since, and it is none of the owner's business any more.
  expect(operation?.user).toMatchObject({ id: driver.id, phone_number: '' });

  // A second stay is seen as well, and what was between the two is not.
  await server.join(id, driver.id, new Date('2026-11-15T12:50:00Z'));
  const again = await charge('2026-11-15T12:55:00Z');
  expect((await seen()).ids).toEqual([again, inside]);
});
