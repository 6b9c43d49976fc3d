import type { MeterSample } from '@fpay/ocpp';
import { allowedWh, type Count, type Counted, countReading, type Oddity } from '../counting/energy.ts';
import { type RegisterUnit, relabelled, trueUnit } from '../counting/meter-unit.ts';
import { nextPower, possibleW } from '../counting/power.ts';
import type { TransactionRow } from '../device/transaction-row.ts';

/** How long the last power is assumed when none is reported, because a gap is not a charge at full power. */
const longestHoldMs = 5 * 60_000;

export interface Applied {
  transaction: TransactionRow;
  /** As they are stored, with corrected labels. */
  samples: MeterSample[];
  /** The newest of them, for the driver's page. Null when all were replays from before. */
  newest: MeterSample | null;
  oddities: (Oddity | 'wrongUnit' | 'powerIgnored')[];
}

/** Applies a message's samples to the known state of the transaction. It is a pure function. */
export function applySamples(before: TransactionRow, samples: MeterSample[], receivedAt: number): Applied {
  const rightly = before.unit ? relabelled(samples, before.unit) : samples;
  const unit = before.unit ? null : unitOf(before, rightly, receivedAt);
  if (unit) {
    const applied = applySamples(withUnit(before, unit, samples), samples, receivedAt);
    return { ...applied, oddities: ['wrongUnit', ...applied.oddities] };
  }
  let { count, power, expectedWh } = before;
  let newest: MeterSample | null = null;
  const oddities: Applied['oddities'] = [];
  for (const sample of rightly) {
    const counted = countSample(before, count, sample, receivedAt);
    // A clock that was set back makes every reading look old; a reading with more energy than before is new all the
    // same.
    const isNew = count.lastAt === null || sample.at >= count.lastAt || counted.count.energyWh > count.energyWh;
    const heldMs = count.lastAt === null ? 0 : Math.min(Math.max(sample.at - count.lastAt, 0), longestHoldMs);
    const possible = possibleW(sample.powerW, before.ratedW);
    const meanW = power.powerW === null ? (possible ?? 0) : (power.powerW + (possible ?? power.powerW)) / 2;
    expectedWh += (meanW * heldMs) / 3_600_000;
    if (isNew) {
      const next = nextPower(power, powerReading(count, counted.count, sample, receivedAt), before.ratedW);
      // Reported once each time it begins to be wrong, because a faulty device repeats its fault with every reading.
      if (next.isPowerFalse && !power.isPowerFalse) oddities.push('powerIgnored');
      power = next;
      newest = newest === null ? sample : { ...(newest as MeterSample), ...sample };
    }
    if (counted.oddity !== null && counted.oddity !== 'older') oddities.push(counted.oddity);
    count = counted.count;
  }
  return { transaction: { ...before, count, power, expectedWh }, samples: rightly, newest, oddities };
}

/**
 * Measured with the device's clock unless that does not advance, because queued readings sent at once have a span only
 * there.
 */
function powerReading(count: Count, after: Count, { at, powerW }: MeterSample, receivedAt: number) {
  const deviceMs = at - count.risenDeviceAt;
  return {
    reportedW: powerW,
    risenWh: after.energyWh - count.energyWh,
    spanMs: deviceMs > 0 ? deviceMs : receivedAt - count.risenAt,
  };
}

function countSample(before: TransactionRow, count: Count, sample: MeterSample, receivedAt: number): Counted {
  const { at, energyWh, intervalWh } = sample;
  if (energyWh !== undefined) return countReading(count, { registerWh: energyWh, at, receivedAt }, before.ratedW);
  if (count.lastAt !== null && at < count.lastAt) return { count, oddity: 'older' };
  if (intervalWh === undefined || at === count.lastAt) return { count: { ...count, lastAt: at }, oddity: null };
  return countInterval(count, intervalWh, at, receivedAt, before.ratedW);
}

/**
 * Devices without a register send what flowed since the previous sample; it is treated as a register that rose by it.
 */
function countInterval(
  count: Count,
  intervalWh: number,
  at: number,
  receivedAt: number,
  ratedW: number | null,
): Counted {
  const originWh = count.originWh ?? 0;
  const registerWh = originWh + count.energyWh - count.carriedWh + intervalWh;
  return countReading({ ...count, originWh }, { registerWh, at, receivedAt }, ratedW);
}

function unitOf(before: TransactionRow, samples: MeterSample[], receivedAt: number): RegisterUnit | null {
  for (const { energyWh, at } of samples) {
    if (energyWh === undefined || before.count.originWh === null) continue;
    const unit = trueUnit({
      registerWh: energyWh,
      meterStartWh: before.meterStartWh,
      originWh: before.count.originWh,
      isFirst: before.count.lastWh === null,
      allowedWh: allowedWh(before.count, { at, receivedAt }, before.ratedW),
      energyWh: before.count.energyWh,
      expectedWh: before.expectedWh,
    });
    if (unit) return unit;
  }
  return null;
}

/** From here on the register counts in its real unit; a start that was sent in that unit too is corrected with it. */
function withUnit(before: TransactionRow, unit: RegisterUnit, labelled: MeterSample[]): TransactionRow {
  const { count } = before;
  const register = labelled.find(({ energyWh }) => energyWh !== undefined)?.energyWh ?? 0;
  const isStartInKwh = unit === 'kWh' && count.originWh !== null && register >= count.originWh;
  const originWh = isStartInKwh && count.originWh !== null ? count.originWh * 1000 : before.meterStartWh;
  const startedAt = before.startedAt.getTime();
  return {
    ...before,
    unit,
    count: {
      ...count,
      originWh,
      carriedWh: 0,
      suspectWh: null,
      former: null,
      energyWh: 0,
      // The energy counted so far was a thousandth of the real one, all of which flowed since the start.
      risenAt: startedAt,
      risenDeviceAt: Math.min(count.risenDeviceAt, startedAt),
    },
  };
}
