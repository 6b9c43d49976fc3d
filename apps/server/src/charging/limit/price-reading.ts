import { kopecks, wattHours } from '@fpay/contract/money';
import { realTotalOf, totalOf } from '@fpay/contract/price';
import { strongestW } from '../../ocpp/counting/energy.ts';
import {
  type ChargeReading,
  exactTimerWithinMs,
  type OperationTerms,
  type PricedReading,
} from '../../ocpp/device/charging-port.ts';
import { planStop } from './limit-guard.ts';

/** A distant due time is checked this long before it, early enough for an exact timer. */
const lookAheadMs = 30_000;

/** The price of a reading, and the time left until the limit. */
export function priceReading(
  { isFree, price, deposit, energyLimitWh }: OperationTerms,
  reading: ChargeReading,
): PricedReading {
  const energy = wattHours(reading.energyWh);
  const total = isFree ? 0 : totalOf(energy, kopecks(price), kopecks(deposit));
  return {
    total,
    realTotal: realTotalOf(energy, kopecks(price)),
    isAtLimit: !isFree && total >= deposit,
    ...stopOf(energyLimitWh, reading),
  };
}

/** When the stop is due, and what is due before it. */
export function stopOf(limitWh: number | null, reading: ChargeReading): Pick<PricedReading, 'stopAt' | 'nextAt'> {
  if (limitWh === null) return { stopAt: null, nextAt: null };
  const { stopAtMs, askAtMs } = planOf(limitWh, reading);
  return { stopAt: stopAtMs, nextAt: lookAt(askAtMs ?? stopAtMs, reading.receivedAt) };
}

export const planOf = (limitWh: number, { energyWh, powerW, receivedAt, ratedW }: ChargeReading) =>
  planStop(limitWh, { atMs: receivedAt, energyWh, powerW }, ratedW ?? strongestW);

export function lookAt(dueAtMs: number, nowMs: number): number {
  return dueAtMs > nowMs + exactTimerWithinMs ? dueAtMs - lookAheadMs : dueAtMs;
}
