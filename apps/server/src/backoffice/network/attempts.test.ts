import { type ConnectorType, connectorTypes } from '@fpay/contract/connectors';
import { sql, type Updateable } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Operations } from '../../platform/generated/database.ts';
import { addOperation } from '../../testing/operation.ts';
import { type Stack, startStack } from '../../testing/stack.ts';
import { attemptCounts, attempts, type ChargingAttempt } from './attempts.ts';

let stack: Stack;
let user: number;
beforeAll(async () => {
  stack = await startStack();
  user = (await stack.addUser()).id;
});
afterAll(() => stack.close());

const startedAt = new Date('2026-11-10T10:00:00Z');
const after = (seconds: number) => new Date(startedAt.getTime() + seconds * 1_000);

/** A charge of 20 minutes that went well, less what is said. */
async function add(changes: Updateable<Operations>, type: ConnectorType = 'ccstype2'): Promise<number> {
  const id = await addOperation(stack, user, 'finished');
  const usual = {
    start_attempt: 1,
    start_sent_at: after(-5),
    started_at: startedAt,
    first_energy_at: after(40),
    finished_at: after(1_200),
    closed_at: after(1_210),
    energy_wh: 20_000,
    stop_cause: 'driver',
    stop_reason: 'Remote',
    stop_requested_at: after(1_195),
  };
  await stack.db
    .updateTable('operations')
    .set({ ...usual, ...changes })
    .where('id', '=', id)
    .execute();
  await stack.db
    .updateTable('connectors')
    .set({ type })
    .where('id', '=', sql<number>`(select connector_id from operations where id = ${id})`)
    .execute();
  return id;
}

/** It never began. */
const unstarted = { started_at: null, first_energy_at: null, finished_at: null, energy_wh: 0, stop_requested_at: null };

async function verdictOf(id: number): Promise<ChargingAttempt | undefined> {
  const { rows } =
    await sql<ChargingAttempt>`select a.attempt, a.try, a.cause from ${attempts} a where a.id = ${id}`.execute(
      stack.db,
    );
  return rows[0];
}

test('ten operations of one day: three of eight attempts are right, and four of nine tries begin at once', async () => {
  const day = [
    [{}, 'right', 'first', null],
    [
      { start_attempt: 2, energy_wh: 12_000, stop_reason: 'EVDisconnected', stop_requested_at: null },
      'right',
      'later',
      null,
    ],
    [{ ...unstarted, status: 'canceled', start_attempt: 0, start_sent_at: null, stop_cause: null }, null, null, null],
    [
      { ...unstarted, status: 'failed_hold', start_attempt: 0, start_sent_at: null, failure_cause: 'bank_refused' },
      null,
      'failed',
      'bank_refused',
    ],
    [{ ...unstarted, status: 'failed', start_attempt: 3, failure_cause: 'no_plug' }, 'failed', 'failed', 'no_plug'],
    [{ energy_wh: 30_000 }, 'right', 'first', null],
    [
      {
        status: 'failed',
        energy_wh: 0,
        first_energy_at: null,
        finished_at: after(50),
        faulted_at: after(40),
        stop_reason: 'Other',
        stop_requested_at: null,
      },
      'failed',
      'failed',
      'fault_before',
    ],
    [
      { energy_wh: 18_000, stop_cause: 'station', stop_reason: 'PowerLoss', stop_requested_at: null },
      'failed',
      'first',
      'power_loss',
    ],
    [
      { ...unstarted, status: 'canceled', start_sent_at: after(0), closed_at: after(75) },
      'failed',
      'failed',
      'driver_gave_up',
    ],
    [
      { energy_wh: 9_000, stop_requested_at: after(1_020), stop_ignored_at: after(1_050), stop_reason: null },
      'failed',
      'first',
      'stop_ignored',
    ],
  ] as const;
  const ids: number[] = [];
  for (const [changes] of day) ids.push(await add(changes));
  const verdicts = await Promise.all(ids.map(verdictOf));
  expect(verdicts).toEqual(day.map(([, attempt, made, cause]) => ({ attempt, try: made, cause })));
  const { rows } = await sql`select ${attemptCounts} from ${attempts} a where a.id = any(${ids}::bigint[])`.execute(
    stack.db,
  );
  // 37.5 % and 44.4 %.
  expect(rows).toEqual([{ attempts: 8, right: 3, tries: 9, first: 4 }]);
});

const [ac, dc] = [
  Object.entries(connectorTypes).find(([, { current }]) => current === 'AC')?.[0] as ConnectorType,
  'ccstype2' as const,
];
test.each([
  ['energy after four minutes, from alternating current', { first_energy_at: after(240) }, ac, 'right', null],
  ['energy after four minutes, from direct current', { first_energy_at: after(240) }, dc, 'failed', 'no_energy'],
  ['a device without readings', { first_energy_at: null }, dc, 'right', null],
  [
    '20 Wh in two minutes',
    { first_energy_at: null, energy_wh: 20, finished_at: after(120), stop_requested_at: after(115) },
    dc,
    'right',
    null,
  ],
  ['20 Wh in twenty minutes', { first_energy_at: null, energy_wh: 20 }, dc, 'failed', 'no_energy'],
  [
    'a free charge without energy',
    { first_energy_at: null, energy_wh: 0, payment_type: 'free' },
    dc,
    'failed',
    'no_energy',
  ],
  ['a fault 50 s after the end', { faulted_at: after(1_250) }, dc, 'failed', 'fault_during'],
  ['a fault in mid-charge that went by', { faulted_at: after(600) }, dc, 'right', null],
  [
    'a watchdog ended it',
    { stop_cause: 'watchdog', stop_reason: null, stop_requested_at: null },
    dc,
    'failed',
    'lost_contact',
  ],
  [
    'the stop was obeyed after two minutes, with the device away',
    { stop_requested_at: after(1_080) },
    dc,
    'failed',
    'lost_contact',
  ],
  ['the device restarted', { stop_reason: 'Reboot', stop_requested_at: null }, dc, 'failed', 'reset'],
  ['staff called it failed', { status: 'failed' }, dc, 'failed', 'other'],
  ['the driver left after 20 s', { ...unstarted, status: 'canceled', closed_at: after(15) }, dc, null, null],
  [
    'the site had no power',
    { ...unstarted, status: 'canceled', start_attempt: 0, stop_cause: 'site_full' },
    dc,
    'failed',
    'no_power',
  ],
  ['the bank was away', { ...unstarted, status: 'failed_hold', failure_cause: 'bank_down' }, dc, 'failed', 'bank_down'],
  ['its money is still on its way', { status: 'pending_final_payment', closed_at: null }, dc, 'right', null],
] as const)('%s', async (_what, changes, type, attempt, cause) => {
  expect(await verdictOf(await add(changes, type))).toMatchObject({ attempt, cause });
});

test('an operation that is open has not been judged yet', async () => {
  expect(await verdictOf(await addOperation(stack, user, 'starting'))).toBeUndefined();
});

test('what decides it is stored when it happens', async () => {
  const { db } = stack;
  const stored = (id: number) =>
    db
      .selectFrom('operations')
      .select(['first_energy_at', 'faulted_at', 'failure_cause'])
      .where('id', '=', id)
      .executeTakeFirst();
  const charge = await stack.startCharge();
  await charge.device.meter(1, charge.transactionId, 1_050);
  expect(await stored(charge.id)).toEqual({ first_energy_at: null, faulted_at: null, failure_cause: null });
  await charge.device.meter(1, charge.transactionId, 1_100);
  await expect.poll(() => stored(charge.id)).toMatchObject({ first_energy_at: expect.any(Date) });
  const first = await stored(charge.id);
  await charge.device.meter(1, charge.transactionId, 1_300);
  await charge.device.stop(charge.transactionId, 1_300);
  await stack.until(charge.client, charge.id, 'finished');
  expect(await stored(charge.id)).toEqual(first);
  expect(await verdictOf(charge.id)).toEqual({ attempt: 'right', try: 'first', cause: null });
  await charge.device.status(1, 'Faulted', 'GroundFailure');
  expect(await verdictOf(charge.id)).toEqual({ attempt: 'failed', try: 'first', cause: 'fault_during' });

  const faulted = await stack.askedToStart();
  await faulted.device.status(1, 'Faulted', 'GroundFailure');
  await stack.until(faulted.client, faulted.id, 'failed');
  expect(await stored(faulted.id)).toMatchObject({ failure_cause: 'fault_before' });
});
