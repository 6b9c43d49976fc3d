import type { v16 } from '@fpay/ocpp';
import type { Booted } from './events.ts';
import { usualTimings } from './timings.ts';

/** What we want a device to have set. Several values: from the best down to what every device can. */
const wanted: Readonly<Record<string, readonly string[]>> = {
  // Unless the setting says otherwise: see `changesFor`.
  HeartbeatInterval: [String(usualTimings.heartbeatIntervalMs / 1000)],
  WebSocketPingInterval: ['30'],
  // The limit of a deposit is watched by these; at 150 kW ten seconds are 0.4 kWh.
  MeterValueSampleInterval: ['10', '15', '30'],
  // One item a device does not know makes it refuse them all, and too many have made one reboot in a loop.
  MeterValuesSampledData: [
    'Energy.Active.Import.Register,Power.Active.Import,SoC,Current.Import',
    'Energy.Active.Import.Register,Power.Active.Import,SoC',
    'Energy.Active.Import.Register,Power.Active.Import',
    'Energy.Active.Import.Register',
  ],
  ClockAlignedDataInterval: ['0'],
  ConnectionTimeOut: ['90'],
  AuthorizeRemoteTxRequests: ['false'],
  // Prepaid: nothing flows without our word.
  LocalPreAuthorize: ['false'],
  LocalAuthorizeOffline: ['false'],
  AllowOfflineTxForUnknownId: ['false'],
  AuthorizationCacheEnabled: ['false'],
  StopTransactionOnInvalidId: ['true'],
  MaxEnergyOnInvalidId: ['0'],
  StopTransactionOnEVSideDisconnect: ['true'],
  UnlockConnectorOnEVSideDisconnect: ['true'],
  // A transaction message is dropped after the last attempt, and with it the bill.
  TransactionMessageAttempts: ['10', '5'],
  TransactionMessageRetryInterval: ['30'],
};

export const wantedKeys = Object.keys(wanted);

export interface Change {
  key: string;
  /** To be tried one after another until one is taken. */
  values: readonly string[];
}

/**
 * Only what differs, can be written and is known to the device, because setting a key costs some of them a reboot. What this
 * firmware refused is not tried again, and what it took instead of the best value is what it should have.
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

/** What a device said of itself and what could not be set, as kept with it. */
export interface KeptConfiguration {
  /** The firmware all this is about; another one is configured from the beginning. */
  configuredFor?: string;
  values?: Record<string, string>;
  /** What it took of ours, which is not the best value where it refused that. */
  settled?: Record<string, string>;
  refused?: Record<string, string>;
  needsReboot?: string[];
  /** How often a key was set and since when, so that a device that forgets it, or reboots over it, is not asked in a loop. */
  tries?: Record<string, { times: number; since: number }>;
}

/** A key is set at most so often within this time; after that it is left alone and staff see it. */
const tries = { most: 3, withinMs: 60 * 60_000 };

/** Counts another try of the key. False: it has been tried too often. */
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
