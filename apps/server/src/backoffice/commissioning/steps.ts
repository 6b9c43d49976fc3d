import type { CommissioningCheck, CommissioningStep } from '@fpay/contract/admin/network/commissioning';
import type { ConnectorType } from '@fpay/contract/connectors';

/** What is known about the charge point since the commissioning began. This file is pure. */
export interface CommissioningFacts {
  isOnline: boolean;
  firmware: string | null;
  /** By our clock; null when it has not booted since the beginning and was not running before. */
  bootedAt: string | null;
  clockAheadMs: number | null;
  /** Keys that were read back with our value, and those that the device refused. */
  configuration: { set: number; refused: string[] } | null;
  connectors: { number: number; type: ConnectorType }[];
  /** Connectors that reported a plugged car. */
  plugged: readonly number[];
  /** A charge that was started and stopped from the product. */
  charge: { operation: number; energyWh: number } | null;
  /** The readings of that charge. */
  readings: { count: number; longestGapMs: number; isGrowing: boolean } | null;
  /** Connectors whose lock answered. */
  unlocked: readonly number[];
}

/** `plugged:2` → the note of the technician. */
export type CommissioningFaults = Readonly<Record<string, string>>;

/** A clock that is further away makes schedules and receipts wrong. */
const mostAheadMs = 60_000;
/** Devices are set to 10 s; a little more is the network's delay. */
const longestGapMs = 20_000;
const leastReadings = 3;
/** A minute of the weakest connector, and one step of the coarsest meter. Less shows only that a charge was begun. */
const leastChargeWh = 100;
/** One rise may be what the meter still had from before the charge. */
const leastRises = 2;

/** A meter that stands still while power flows would bill nothing, and one that falls cannot be billed from. */
export function isGrowing(energies: readonly number[]): boolean {
  const steps = energies.slice(1).map((energy, index) => energy - (energies[index] ?? 0));
  return steps.every((step) => step >= 0) && steps.filter((step) => step > 0).length >= leastRises;
}

export const stepKey = (check: CommissioningCheck, connector: number | null): string =>
  connector === null ? check : `${check}:${connector}`;

interface Judged {
  check: CommissioningCheck;
  connector?: { number: number; type: ConnectorType };
  isDone: boolean;
  seen: string | null;
}

/** Every step with its state: the charger's reports decide, and the technician records what does not come. */
export function commissioningSteps(faults: CommissioningFaults, known: CommissioningFacts): CommissioningStep[] {
  let hasActive = false;
  return judge(known).map(({ check, connector, isDone, seen }) => {
    const number = connector?.number ?? null;
    const note = faults[stepKey(check, number)] ?? null;
    const state = isDone ? 'done' : note !== null ? 'fault' : hasActive ? 'open' : 'active';
    hasActive ||= state === 'active';
    return { check, connector: number, type: connector?.type ?? null, state, seen, note };
  });
}

function judge(known: CommissioningFacts): Judged[] {
  const { configuration, readings, charge, clockAheadMs, connectors } = known;
  return [
    { check: 'connected', isDone: known.isOnline, seen: known.isOnline ? 'OCPP 1.6J' : null },
    { check: 'booted', isDone: known.bootedAt !== null, seen: known.firmware },
    {
      check: 'clock',
      isDone: clockAheadMs !== null && Math.abs(clockAheadMs) <= mostAheadMs,
      seen: clockAheadMs === null ? null : `${clockAheadMs > 0 ? '+' : ''}${(clockAheadMs / 1000).toFixed(1)} s`,
    },
    {
      check: 'configured',
      isDone: configuration !== null && configuration.refused.length === 0,
      seen: configuration && [String(configuration.set), ...configuration.refused].join(', '),
    },
    ...connectors.map((connector): Judged => {
      const isDone = known.plugged.includes(connector.number);
      return { check: 'plugged', connector, isDone, seen: isDone ? 'Preparing' : null };
    }),
    {
      check: 'charged',
      isDone: charge !== null && charge.energyWh >= leastChargeWh,
      seen: charge && `${charge.operation} · ${(charge.energyWh / 1000).toFixed(2)} kWh`,
    },
    {
      check: 'metered',
      isDone: readings?.isGrowing === true && readings.count >= leastReadings && readings.longestGapMs <= longestGapMs,
      seen: readings && `${readings.count} · ${Math.round(readings.longestGapMs / 1000)} s`,
    },
    ...connectors.map((connector): Judged => {
      const isDone = known.unlocked.includes(connector.number);
      return { check: 'unlocked', connector, isDone, seen: isDone ? 'Unlocked' : null };
    }),
  ];
}

/** Whether the technician can finish: nothing is open. */
export function nothingOpen(steps: readonly CommissioningStep[]): boolean {
  return steps.every(({ state }) => state === 'done' || state === 'fault');
}
