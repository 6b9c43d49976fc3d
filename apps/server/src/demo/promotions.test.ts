import { getPromotions } from '@fpay/contract/stations';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { seedDemoNetwork } from './network/seed.ts';

/** The markers of the specification, asked from the server on the first and the last of their days. */
let server: TestServer;
let now = new Date('2026-10-22T10:00:00Z');
beforeAll(async () => {
  server = await startTestServer({ clock: { now: () => now } });
  const { id: owner_id } = await server.addUser();
  await server.steps.run(async (step) => {
    const party = { name: 'Closed', owner_id, is_closed: true, created_at: now };
    const { id } = await step.db.insertInto('parties').values(party).returning('id').executeTakeFirstOrThrow();
    await seedDemoNetwork(step, { size: 'small', closedPartyId: id, secret: server.config.secret, now });
  });
}, 60_000);
afterAll(() => server.close());

const discount = 'discount at F1403';
const sun = 'sun at F1019';
const event = 'event at every station';

/** Kyiv's clock, which is three hours ahead of UTC until 25 October and two afterwards. */
test.each([
  ['22 October 2026, 23:59', '2026-10-22T20:59:00Z', [sun]],
  ['23 October 2026, 00:01', '2026-10-22T21:01:00Z', [discount, sun]],
  ['26 October 2026, 23:59', '2026-10-26T21:59:00Z', [discount, sun]],
  ['27 October 2026, 00:01', '2026-10-26T22:01:00Z', [discount, event, sun]],
  ['2 November 2027, 23:59', '2027-11-02T21:59:00Z', [discount, event, sun]],
  ['3 November 2027, 00:01', '2027-11-02T22:01:00Z', [discount, sun]],
  ['15 November 2026, 23:59', '2026-11-15T21:59:00Z', [discount, sun]],
  ['16 November 2026, 00:01', '2026-11-15T22:01:00Z', [sun]],
])('on %s the map has these markers [MAP-20] [MAP-21] [MAP-22]', async (_day, at, markers) => {
  now = new Date(at);
  const { body } = await server.client().call(getPromotions);
  const worn = body.filter(({ kind }) => kind === 'marker');
  expect(worn.map(({ code, station_number }) => `${code} at ${station_number ?? 'every station'}`).sort()).toEqual(
    markers,
  );
});
