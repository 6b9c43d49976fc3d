import { getUser } from '@fpay/contract/account';
import { getOperation } from '@fpay/contract/charging';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../testing/client.ts';
import { startWorld, type World } from '../testing/world.ts';

/** A StopTransaction with an id that was never given ends a charge only when it can only mean that charge. */
let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const neverGiven = 1_998_765_433;
const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();
const look = async ({ client, id }: { client: Client; id: number }) =>
  (await client.call(getOperation, { params: { id: String(id) } })).body;

async function anomaliesOf(identity: string): Promise<string[]> {
  const rows = await world.db
    .selectFrom('charge_point_anomalies as a')
    .innerJoin('charge_points as p', 'p.id', 'a.charge_point_id')
    .select('a.kind')
    .where('p.identity', '=', identity)
    .execute();
  return rows.map(({ kind }) => kind);
}

test.each([
  ['another tag, an old time and another register', { idTag: 'OLDTAG', meterStop: 777, timestamp: ago(3 * 86_400) }],
  ['another tag, though time and register fit', { idTag: 'OLDTAG', meterStop: 100_150, timestamp: ago(0) }],
  ['no tag and a time before the start', { meterStop: 100_150, timestamp: ago(3 * 86_400) }],
  ['no tag and a register below the last reading', { meterStop: 100_050, timestamp: ago(0) }],
  ['no tag and more energy than the connector delivers', { meterStop: 190_000, timestamp: ago(0) }],
])('a stop of an unknown transaction with %s is answered and listed and ends no charge', async (_how, stop) => {
  const scene = await world.startCharge('150', 100_000, { connectors: 2 });
  await scene.device.meter(1, scene.transactionId, 100_120);
  const answer = await scene.device.call('StopTransaction', { transactionId: neverGiven, reason: 'Local', ...stop });
  expect(answer).toEqual('idTag' in stop ? { idTagInfo: { status: 'Accepted' } } : {});
  expect(await look(scene)).toMatchObject({ status: 'ongoing', energy: 120 });
  expect(await anomaliesOf(scene.identity)).toEqual(['unmatchedStop']);

  // The charge is still there for its readings and for its own stop.
  await scene.device.meter(1, scene.transactionId, 100_160);
  await scene.device.stop(scene.transactionId, 100_180);
  expect(await world.until(scene.client, scene.id, 'finished')).toMatchObject({ energy: 180, total: 2_70 });
  expect((await scene.client.call(getUser)).body.balance).toBe(1000_00 - 2_70);
  await world.checkBooks();
});

test.each([
  ['the tag of the charge', (idTag: string) => ({ idTag: idTag.toLowerCase() })],
  ['no tag, and a time and a register that fit', () => ({})],
])('a stop of an unknown transaction with %s ends that charge', async (_how, more) => {
  const scene = await world.startCharge('150', 100_000, { connectors: 2 });
  await scene.device.meter(1, scene.transactionId, 100_120);
  await scene.device.stop(neverGiven, 100_150, more(scene.idTag));
  expect(await world.until(scene.client, scene.id, 'finished')).toMatchObject({ energy: 150, total: 2_25 });
  await world.checkBooks();
});
