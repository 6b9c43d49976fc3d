import { kopecks, wattHours } from '@fpay/contract/money';
import { realTotalOf, totalOf } from '@fpay/contract/price';
import { strongestW } from '../ocpp/energy.ts';
import { exactWithinMs, type OperationTerms, type Reading, type Reckoning } from '../ocpp/hooks.ts';
import { planStop } from './limit-guard.ts';

/** What is far away is looked at this long before it is due, early enough for a timer that is exact. */
const lookAheadMs = 30_000;

/** What a reading comes to, in money and in time left until the limit. */
export function reckon({ isFree, price, deposit, energyLimitWh }: OperationTerms, reading: Reading): Reckoning {
  const energy = wattHours(reading.energyWh);
  const total = isFree ? 0 : totalOf(energy, kopecks(price), kopecks(deposit));
  return {
    total,
    realTotal: realTotalOf(energy, kopecks(price)),
    isAtLimit: !isFree && total >= deposit,
    ...stopOf(energyLimitWh, reading),
  };
}

/** When the stop is due, and what is due first on the way there. */
export function stopOf(limitWh: number | null, reading: Reading): Pick<Reckoning, 'stopAt' | 'nextAt'> {
  if (limitWh === null) return { stopAt: null, nextAt: null };
  const { stopAtMs, askAtMs } = planOf(limitWh, reading);
  return { stopAt: stopAtMs, nextAt: lookAt(askAtMs ?? stopAtMs, reading.receivedAt) };
}

export const planOf = (limitWh: number, { energyWh, powerW, receivedAt, ratedW }: Reading) =>
  planStop(limitWh, { atMs: receivedAt, energyWh, powerW }, ratedW ?? strongestW);

export function lookAt(dueAtMs: number, nowMs: number): number {
  return dueAtMs > nowMs + exactWithinMs ? dueAtMs - lookAheadMs : dueAtMs;
}
