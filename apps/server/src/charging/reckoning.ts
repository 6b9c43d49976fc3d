import { kopecks, wattHours } from '@fpay/contract/money';
import { realTotalOf, totalOf } from '@fpay/contract/price';
import type { OperationTerms, Reading, Reckoning } from '../ocpp/hooks.ts';
import { planStop } from './limit-guard.ts';

/** Stops further away than this are planned anew by a later sample anyway; not writing them spares an index. */
const planAheadMs = 90_000;

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

function stopOf(limitWh: number | null, { energyWh, powerW, receivedAt }: Reading) {
  if (limitWh === null) return noStop;
  const { stopAtMs, askAtMs } = planStop(limitWh, { atMs: receivedAt, energyWh, powerW }, null);
  if (stopAtMs === null || stopAtMs > receivedAt + planAheadMs) return noStop;
  return { stopAt: stopAtMs, nextAt: askAtMs ?? stopAtMs };
}

const noStop = { stopAt: null, nextAt: null };
