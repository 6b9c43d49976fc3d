import type { v16 } from '@fpay/ocpp';
import type { Booted } from '../device/events.ts';
import { usualTimings } from '../timings.ts';

/**
 * The configuration that we want on a device. Several values are listed from the best to one that every device
 * supports.
 */
const wanted: Readonly<Record<string, readonly string[]>> = {
  // The default; the setting may override it, see `changesFor`.
  HeartbeatInterval: [String(usualTimings.heartbeatIntervalMs / 1000)],
  WebSocketPingInterval: ['30'],
  // The limit of a deposit depends on these readings; at 150 kW ten seconds are 0.4 kWh.
  MeterValueSampleInterval: ['10', '15', '30'],
  // One unknown item makes a device refuse them all, and too many have made one reboot in a loop.
  MeterValuesSampledData: [
    'Energy.Active.Import.Register,Power.Active.Import,SoC,Current.Import',
    'Energy.Active.Import.Register,Power.Active.Import,SoC',
    'Energy.Active.Import.Register,Power.Active.Import',
    'Energy.Active.Import.Register',
  ],
  ClockAlignedDataInterval: ['0'],
  ConnectionTimeOut: ['90'],
  AuthorizeRemoteTxRequests: ['false'],
  // Charging is prepaid, so the device must not start without our answer.
  LocalPreAuthorize: ['false'],
  LocalAuthorizeOffline: ['false'],
  AllowOfflineTxForUnknownId: ['false'],
  AuthorizationCacheEnabled: ['false'],
  StopTransactionOnInvalidId: ['true'],
  MaxEnergyOnInvalidId: ['0'],
  StopTransactionOnEVSideDisconnect: ['true'],
  UnlockConnectorOnEVSideDisconnect: ['true'],
  // A transaction message is dropped after the last attempt, and the bill is lost with it.
  TransactionMessageAttempts: ['10', '5'],
  TransactionMessageRetryInterval: ['30'],
};

export const wantedKeys = Object.keys(wanted);

export interface Change {
  key: string;
  /** Values to try in this order until one is accepted. */
  values: readonly string[];
}

/**
 * Only keys that differ, are writable and are known to the device, because setting a key makes some of them reboot. A
 * value that this firmware refused is not tried again, and a value that it accepted instead of the best one counts as
 * right.
 */
export function changesFor(
  keys: readonly v16.ConfigurationKey[],
  { settled = {}, refused = {} }: KeptConfiguration = {},
  { heartbeatIntervalMs } = usualTimings,
): Change[] {
  const asSet = { ...wanted, HeartbeatInterval: [String(heartbeatIntervalMs / 1000)] };
  const present = new Map(
    keys.map(({ key, value, readonly }) => [key.toLowerCase(), { key, value: value ?? '', readonly }]),
  );
  const mostMeasurands = Number(present.get('metervaluessampleddatamaxlength')?.value || Number.POSITIVE_INFINITY);
  return Object.entries(asSet).flatMap(([name, wishes]) => {
    const there = present.get(name.toLowerCase());
    if (!there || there.readonly || refused[there.key] !== undefined) return [];
    const taken = settled[there.key];
    if (taken !== undefined && wishes.includes(taken))
      return isSame(there.value, taken) ? [] : [{ key: there.key, values: [taken] }];
    const values =
      name === 'MeterValuesSampledData' ? wishes.filter((list) => list.split(',').length <= mostMeasurands) : wishes;
    const [best] = values;
    return best === undefined || isSame(there.value, best) ? [] : [{ key: there.key, values }];
  });
}

/** `True`, ` 10`, and lists in another order or spacing mean the same. */
function isSame(value: string, wish: string): boolean {
  const parts = (text: string) =>
    text
      .toLowerCase()
      .split(',')
      .map((part) => part.trim())
      .sort()
      .join();
  return parts(value) === parts(wish);
}

/** The stored configuration of a device, and which keys could not be set. */
export interface KeptConfiguration {
  /** The firmware this is about; another one is configured from the beginning. */
  configuredFor?: string;
  values?: Record<string, string>;
  /** Values that it accepted, which are not the best ones where it refused those. */
  settled?: Record<string, string>;
  refused?: Record<string, string>;
  needsReboot?: string[];
  /**
   * How often a key was set and since when, so that a device which forgets it, or reboots over it, is not configured in
   * a loop.
   */
  tries?: Record<string, { times: number; since: number }>;
}

/** How often a key is set within this time; after that it is not tried, and staff see it. */
const tries = { most: 3, withinMs: 60 * 60_000 };

/** Counts another attempt for the key. False when there were too many. */
export function mayTry(kept: KeptConfiguration, key: string, now: number): boolean {
  kept.tries ??= {};
  const before = kept.tries[key];
  if (!before || now - before.since > tries.withinMs) {
    kept.tries[key] = { times: 1, since: now };
    return true;
  }
  before.times += 1;
  return before.times <= tries.most;
}

export function firmwareKey({ vendor, model, firmwareVersion }: Booted): string {
  return [vendor, model, firmwareVersion ?? ''].join(' / ');
}
