import * as z from 'zod/mini';
import { Kopecks, kopecks, type WattHours } from './money.ts';
import { realTotalOf, totalOf } from './price.ts';

/** More than any network asks for a minute at a connector. */
const mostIdleFee = 100_00;
const mostGraceMinutes = 240;

/** The fee for a car that is full, or for a cable that stays plugged in after the end. */
export const IdleFee = z.object({
  /** Kopecks per minute. */
  fee: Kopecks.check(z.gte(1), z.lte(mostIdleFee)),
  /** The first minutes cost nothing. There is always one, so that the driver is warned before the fee begins. */
  grace_minutes: z.int().check(z.gte(1), z.lte(mostGraceMinutes)),
});
export type IdleFee = z.infer<typeof IdleFee>;

/** The idle time of an operation whose tariff has a fee for it. */
export const OperationIdle = z.extend(IdleFee, {
  /** Idle time that was observed so far, and what of it is part of the total. */
  seconds: z.int(),
  total: Kopecks,
  /** The deposit is used up, so more idle time costs nothing. */
  is_capped: z.boolean(),
  /** Why idle time is counted now: the car is full, or the cable is still plugged in. Null while it is not counted. */
  cause: z.nullable(z.enum(['full', 'plugged_in'])),
  /** Power has ended and the receipt waits until the cable is out. */
  is_awaiting_unplug: z.boolean(),
});
export type OperationIdle = z.infer<typeof OperationIdle>;

/** Whole minutes that are paid. A minute that has begun costs nothing until it is over. */
export function billedIdleMinutes(idleSeconds: number, graceMinutes: number): number {
  return Math.max(0, Math.floor(idleSeconds / 60) - graceMinutes);
}

/** What the observed idle time costs, before the deposit limits it. */
export function idleFeeFor(idleSeconds: number, feePerMinute: number, graceMinutes: number): Kopecks {
  return kopecks(billedIdleMinutes(idleSeconds, graceMinutes) * feePerMinute);
}

export interface Bill {
  energyTotal: Kopecks;
  idleTotal: Kopecks;
  /** What is charged: both together, never above the deposit. */
  total: Kopecks;
  /** As `total`, with the energy past the limit. */
  realTotal: Kopecks;
}

/**
 * Energy is paid first and the idle fee takes what is left of the deposit. A charge that delivered nothing is not billed
 * at all, so it has no idle fee either.
 */
export function billOf(
  { price, deposit, idleFee }: { price: Kopecks; deposit: Kopecks; idleFee: Kopecks },
  energy: WattHours,
): Bill {
  const energyTotal = totalOf(energy, price, deposit);
  const idleTotal = kopecks(energyTotal === 0 ? 0 : Math.min(idleFee, deposit - energyTotal));
  return {
    energyTotal,
    idleTotal,
    total: kopecks(energyTotal + idleTotal),
    realTotal: kopecks(realTotalOf(energy, price) + idleTotal),
  };
}
