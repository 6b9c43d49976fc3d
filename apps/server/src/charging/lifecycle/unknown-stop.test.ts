import { getUser } from '@fpay/contract/account';
import { getOperation } from '@fpay/contract/charging';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { type Stack, startStack } from '../../testing/stack.ts';

/** A StopTransaction with an unknown id ends a charge only when it can refer to no other. */
let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

const neverGiven = 1_998_765_433;
const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();
const look = async ({ client, id }: { client: Client; id: number }) =>
  (await client.call(getOperation, { params: { id: String(id) } })).body;

async function anomaliesOf(identity: string): Promise<string[]> {
  const rows = await stack.db
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
  const fixture = await stack.startCharge('150', 100_000, { connectors: 2 });
  await fixture.device.meter(1, fixture.transactionId, 100_120);
  const answer = await fixture.device.call('StopTransaction', { transactionId: neverGiven, reason: 'Local', ...stop });
  expect(answer).toEqual('idTag' in stop ? { idTagInfo: { status: 'Accepted' } } : {});
  expect(await look(fixture)).toMatchObject({ status: 'ongoing', energy: 120 });
  expect(await anomaliesOf(fixture.identity)).toEqual(['unmatchedStop']);

  // The charge still accepts its readings and its own stop.
  await fixture.device.meter(1, fixture.transactionId, 100_160);
  await fixture.device.stop(fixture.transactionId, 100_180);
  expect(await stack.until(fixture.client, fixture.id, 'finished')).toMatchObject({ energy: 180, total: 2_70 });
  expect((await fixture.client.call(getUser)).body.balance).toBe(1000_00 - 2_70);
  await stack.checkBooks();
});

test.each([
  ['the tag of the charge', (idTag: string) => ({ idTag: idTag.toLowerCase() })],
  ['no tag, and a time and a register that fit', () => ({})],
])('a stop of an unknown transaction with %s ends that charge', async (_how, more) => {
  const fixture = await stack.startCharge('150', 100_000, { connectors: 2 });
  await fixture.device.meter(1, fixture.transactionId, 100_120);
  await fixture.device.stop(neverGiven, 100_150, more(fixture.idTag));
  expect(await stack.until(fixture.client, fixture.id, 'finished')).toMatchObject({ energy: 150, total: 2_25 });
  await stack.checkBooks();
});
