import { stationReport } from '@fpay/contract/admin/network/station-report';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kyivDate } from '../../platform/kyiv-time.ts';
import { type MovedStack, startMovedStack } from '../../testing/stack.ts';

/** Energy that a device delivered and no bill contains: in the books once, and in the report of its station. */
let stack: MovedStack;
let boss: Awaited<ReturnType<MovedStack['signedIn']>>;
beforeAll(async () => {
  stack = await startMovedStack();
  boss = await stack.signedIn('Admin');
});
afterAll(() => stack.close());

async function unbilledAt(chargePoint: { identity: string }) {
  const { rows } = await sql<{ number: string }>`select s.number from stations s
    join connectors c on c.station_id = s.id join charge_points p on p.id = c.charge_point_id
    where p.identity = ${chargePoint.identity} limit 1`.execute(stack.db);
  const today = kyivDate(stack.clock.now());
  const { body } = await boss.client.call(stationReport, {
    params: { number: rows[0]?.number ?? '' },
    query: { from: today, to: today },
  });
  return [body.figures.unbilled_energy, body.figures.unbilled];
}

/** Losses that belong to no payment, of an operation or of none. */
async function losses(operation: number | null): Promise<number> {
  const { rows } = await sql<{ sum: number }>`
    select coalesce(sum(case when from_account = 5 then amount else -amount end), 0)::bigint as sum from transfers
    where kind = 'lost' and payment_id is null and operation_id is not distinct from ${operation}::bigint`.execute(
    stack.db,
  );
  return rows[0]?.sum ?? 0;
}

test('field problem 57: energy past the limit is a loss, the bill has the deposit and the operation lost nothing of it', async () => {
  const fixture = await stack.startCharge('1');
  // The deposit of 1 UAH pays for 66 Wh.
  await fixture.device.stop(fixture.transactionId, 1_140);
  const ended = await stack.until(fixture.client, fixture.id, 'finished');
  expect(ended).toMatchObject({ energy: 140, total: 1_00, real_total: 2_10 });
  const row = await stack.db.selectFrom('operations').select('lost').where('id', '=', fixture.id).executeTakeFirst();
  expect(row?.lost).toBe(0);
  expect(await losses(fixture.id)).toBe(1_10);
  expect(await unbilledAt(fixture)).toEqual([73, 1_10]);
  // The same stop again books nothing more.
  await fixture.device.stop(fixture.transactionId, 1_140);
  expect(await losses(fixture.id)).toBe(1_10);
  await stack.checkBooks();
});

test('a charge within its deposit has no unbilled energy', async () => {
  const fixture = await stack.startCharge();
  await fixture.device.stop(fixture.transactionId, 1_140);
  await stack.until(fixture.client, fixture.id, 'finished');
  expect([await losses(fixture.id), ...(await unbilledAt(fixture))]).toEqual([0, 0, 0]);
});

test('field problem 57: what an unknown card took is a loss of the station at its tariff', async () => {
  const place = await stack.addScripted();
  const { transactionId, idTagInfo } = await place.device.start(1, '04DEAD0057', 1_000);
  expect(idTagInfo.status).toBe('Invalid');
  await place.device.meter(1, transactionId, 1_200);
  stack.ahead({ minutes: 2 });
  await stack.charging.watch();
  // It may never report the end.
  expect(await unbilledAt(place)).toEqual([200, 3_00]);
  await place.device.stop(transactionId, 1_300, { idTag: '04DEAD0057' });
  await place.device.stop(transactionId, 1_300, { idTag: '04DEAD0057' });
  expect(await unbilledAt(place)).toEqual([300, 4_50]);
  expect(await losses(null)).toBe(4_50);
  await stack.checkBooks();
});

test('a second start on a running charge is never billed, and what it delivers is a loss', async () => {
  const fixture = await stack.startCharge();
  const second = await fixture.device.start(1, fixture.idTag, 500_000);
  expect(second.idTagInfo.status).toBe('ConcurrentTx');
  await fixture.device.stop(second.transactionId, 500_200);
  await fixture.device.stop(fixture.transactionId, 1_140);
  expect(await stack.until(fixture.client, fixture.id, 'finished')).toMatchObject({ energy: 140, total: 2_10 });
  expect(await unbilledAt(fixture)).toEqual([200, 3_00]);
  await stack.checkBooks();
});

test('the books are wrong when a row of unbilled energy and its transfer differ', async () => {
  const fixture = await stack.startCharge('1');
  await fixture.device.stop(fixture.transactionId, 1_140);
  await stack.until(fixture.client, fixture.id, 'finished');
  await sql`insert into unbilled_energy (station_id, operation_id, energy_wh, amount, transfer_key, booked_at)
    select station_id, id, 10, 15, 'never made', now() from operations where id = ${fixture.id}`.execute(stack.db);
  await expect(stack.checkBooks()).rejects.toThrow();
});
