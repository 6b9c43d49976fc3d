import { getUser } from '@fpay/contract/account';
import { stopOperation } from '@fpay/contract/charging';
import { idleFeeFor } from '@fpay/contract/idle-fee';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { runsAll } from '../../testing/slice.ts';
import { startIdleStack, idleTerms as terms } from '../testing/idle-stack.ts';

/** Longer than a silent device stays unnoticed. */
const provenAfterMinutes = 3;
let stack: Awaited<ReturnType<typeof startIdleStack>>;
vi.setConfig({ testTimeout: 300_000, hookTimeout: 90_000 });
beforeAll(async () => {
  stack = await startIdleStack({ timeout: 30_000 });
});
afterAll(() => stack.close());

type Charge = Awaited<ReturnType<typeof stack.startCharge>>;
type Idle = NonNullable<Awaited<ReturnType<typeof stack.read>>['idle']>;
const idleIs = (charge: Charge, isReached: (idle: Idle) => boolean) =>
  stack.idleIs(charge, (idle) => expect(idle && isReached(idle), JSON.stringify(idle)).toBe(true));

/**
 * The open interval began this much earlier, as if it had been observed since; those before it are as much older. A plan has
 * hours of idle time, which would take hundreds of looks.
 */
const passed = ({ id }: Charge, minutes: number) =>
  sql`update idle_intervals set began_at = began_at - ${minutes} * interval '1 minute',
      seen_at = case when is_open then seen_at else seen_at - ${minutes} * interval '1 minute' end
    where operation_id = ${id}`.execute(stack.db);

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('idle' as const), minutes: fc.integer({ min: 1, max: 25 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('flow' as const), wh: fc.integer({ min: 1, max: 200 }) }) },
);
const plan = fc.record({
  deposit: fc.constantFrom(20, 45, 150),
  firstWh: fc.integer({ min: 10, max: 300 }),
  steps: fc.array(step, { minLength: 1, maxLength: 5 }),
  // How long the cable stays in after the end; null: the plug is pulled.
  plugged: fc.option(fc.integer({ min: 1, max: 40 })),
});

test('random charges cost their energy and their idle minutes, never more than the deposit, and the books agree', async () => {
  const seen = { capped: 0, fee: 0, free: 0 };
  await fc.assert(
    fc.asyncProperty(plan, async ({ deposit, firstWh, steps, plugged }) => {
      const charge = await stack.startCharge(String(deposit));
      const began = Date.now();
      let register = 1_000 + firstWh;
      let minutes = 0;
      let lastFee = 0;
      const meter = (powerW: number) => charge.device.meter(1, charge.transactionId, register, powerW);
      const isCapped = async () => {
        const { idle, total } = await stack.read(charge);
        // Energy is paid first, so only more energy and a used deposit make a fee smaller that was shown.
        if (total < deposit * 100) expect(idle?.total ?? 0).toBeGreaterThanOrEqual(lastFee);
        lastFee = idle?.total ?? 0;
        return idle?.is_capped === true;
      };
      const idleFor = async (cause: 'full' | 'plugged_in', more: number) => {
        await idleIs(charge, (idle) => idle.cause === cause);
        minutes += more;
        await passed(charge, more);
        await idleIs(charge, (idle) => idle.seconds >= minutes * 60 || idle.is_capped);
      };

      await charge.device.status(1, 'Charging');
      await meter(20_000);
      let capped = false;
      for (const one of steps) {
        if (one.do === 'idle') {
          await meter(0);
          await charge.device.status(1, 'SuspendedEV');
          await idleFor('full', one.minutes);
          capped = await isCapped();
          if (capped) break;
        } else {
          await charge.device.status(1, 'Charging');
          await idleIs(charge, (idle) => idle.cause === null);
          register += one.wh;
          await meter(20_000);
        }
      }
      if (capped) {
        // The last minutes count only when a silent device would have been noticed; then the charge is stopped, and the
        // cable is not waited for.
        minutes += provenAfterMinutes;
        await passed(charge, provenAfterMinutes);
        await charge.device.asked('RemoteStopTransaction');
        await charge.device.stop(charge.transactionId, register, { reason: 'Remote' });
      } else if (plugged === null) {
        await charge.device.stop(charge.transactionId, register, { reason: 'EVDisconnected' });
      } else {
        await charge.client.call(stopOperation, { params: { id: String(charge.id) } });
        await charge.device.asked('RemoteStopTransaction');
        await charge.device.stop(charge.transactionId, register, { reason: 'Remote' });
        await charge.device.status(1, 'Finishing');
        if ((await stack.read(charge)).status === 'finishing') {
          await idleFor('plugged_in', plugged);
          capped = await isCapped();
        }
        await charge.device.status(1, 'Available');
      }

      const finished = await stack.until(charge.client, charge.id, 'finished');
      const energy = Math.ceil(((register - 1_000) * terms.price) / 1000);
      const { total, idle, real_total } = finished;
      const seconds = idle?.seconds ?? 0;
      // The minutes of the plan, and at most the seconds that the run itself took.
      expect(seconds).toBeGreaterThanOrEqual(capped ? 0 : minutes * 60);
      expect(seconds).toBeLessThanOrEqual(minutes * 60 + Math.ceil((Date.now() - began) / 1000));
      const left = deposit * 100 - (total - (idle?.total ?? 0));
      expect(idle?.total).toBe(Math.min(idleFeeFor(seconds, terms.fee, terms.grace), left));
      expect(Math.abs(total - (idle?.total ?? 0) - energy), 'rounding').toBeLessThanOrEqual(1);
      expect(total).toBeLessThanOrEqual(deposit * 100);
      expect(real_total).toBe(total);
      expect((await charge.client.call(getUser)).body.balance).toBe(1000_00 - total);
      if (total === deposit * 100) seen.capped += 1;
      else if ((idle?.total ?? 0) > 0) seen.fee += 1;
      else seen.free += 1;
      await stack.checkBooks();
    }),
    // The first ones of the same seed, and all of them with `npm test -- --all`.
    { seed: 20261117, numRuns: runsAll ? 10 : 4, endOnFailure: true },
  );
  // A run that met only one kind would prove little.
  expect(Object.values(seen).filter((count) => count > 0).length, JSON.stringify(seen)).toBeGreaterThanOrEqual(2);
});
