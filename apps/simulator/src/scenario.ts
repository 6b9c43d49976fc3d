/** How a charge point behaves. Times are simulated; times of faults count from the start of a transaction. */
export interface Behaviour {
  /** Lowest and highest delay between receiving a command and answering it. */
  commandDelayMs: readonly [number, number];
  acceptsRemoteStart: boolean;
  /** When false, it answers Accepted and never starts. */
  startsAfterAccepting: boolean;
  /** Delay from authorised and plugged in to StartTransaction. */
  startDelayMs: number;
  /** Share of the connector's rated power. */
  powerShare: number;
  /** The site shares its power supply: in each period the power falls linearly to the least share and rises again. */
  swing: { periodMs: number; leastShare: number } | null;
  /** What it does with charging profiles: it obeys them, accepts and ignores them, or does not have the function. */
  profiles: 'obeyed' | 'ignored' | 'none';
  /** A shorter sample interval is refused. */
  leastSampleSeconds: number;
  /**
   * Sends readings at this interval regardless of the configuration; 0 means never, not even on TriggerMessage. Null
   * means as configured.
   */
  sampleEverySeconds: number | null;
  reportsPower: boolean;
  /** During a transaction, the socket breaks after this time… */
  dropsSocketAfterMs: number | null;
  /** …and reconnects after this time with the queued messages. */
  offlineForMs: number;
  /** During a transaction, loses power after this time and boots again. */
  rebootsAfterMs: number | null;
  bootMs: number;
  /** Sends each transaction message twice, as if the answer had been lost. */
  repeatsMessages: boolean;
  /** Ends transactions without a StopTransaction. */
  forgetsStop: boolean;
  meterStyle: 'plain' | 'kwh' | 'odd';
  reportsSoc: boolean;
  /** During a transaction, the register restarts at zero after this time. */
  meterResetsAfterMs: number | null;
  isFaulted: boolean;
  clockErrorMs: number;
  /** During a transaction, the driver unplugs the cable after this time. */
  unpluggedAfterMs: number | null;
  isOffline: boolean;
}

const normal: Behaviour = {
  // Delays of real charge points.
  commandDelayMs: [200, 1_000],
  acceptsRemoteStart: true,
  startsAfterAccepting: true,
  startDelayMs: 2_000,
  powerShare: 1,
  swing: null,
  profiles: 'obeyed',
  leastSampleSeconds: 1,
  sampleEverySeconds: null,
  reportsPower: true,
  dropsSocketAfterMs: null,
  offlineForMs: 90_000,
  rebootsAfterMs: null,
  bootMs: 20_000,
  repeatsMessages: false,
  forgetsStop: false,
  meterStyle: 'plain',
  reportsSoc: true,
  meterResetsAfterMs: null,
  isFaulted: false,
  clockErrorMs: 0,
  unpluggedAfterMs: null,
  isOffline: false,
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Each scenario lists only the differences from a charge point without faults. */
const scenarios = {
  normal: {},
  slow: { commandDelayMs: [4_000, 8_000], startDelayMs: 25_000, powerShare: 0.3 },
  'rejects-start': { acceptsRemoteStart: false },
  'never-starts': { startsAfterAccepting: false },
  'drops-socket': { dropsSocketAfterMs: MINUTE_MS },
  reboots: { rebootsAfterMs: MINUTE_MS },
  repeats: { repeatsMessages: true },
  kwh: { meterStyle: 'kwh' },
  'odd-units': { meterStyle: 'odd' },
  'no-soc': { reportsSoc: false },
  'meter-reset': { meterResetsAfterMs: MINUTE_MS },
  faulted: { isFaulted: true },
  'clock-wrong': { clockErrorMs: -5 * HOUR_MS },
  'unplugs-early': { unpluggedAfterMs: 2 * MINUTE_MS },
  'forgets-stop': { forgetsStop: true },
  offline: { isOffline: true },
} as const satisfies Record<string, Partial<Behaviour>>;

export type ScenarioName = keyof typeof scenarios;
export const scenarioNames = Object.keys(scenarios) as [ScenarioName, ...ScenarioName[]];

export function behaviourOf(name: ScenarioName): Behaviour {
  return { ...normal, ...scenarios[name] };
}

/** The share of the rated power that the site allows at this time after the start of a charge. */
export function offeredShare({ powerShare, swing }: Pick<Behaviour, 'powerShare' | 'swing'>, sinceMs: number): number {
  if (swing === null) return powerShare;
  const way = Math.abs(1 - (2 * (sinceMs % swing.periodMs)) / swing.periodMs);
  return powerShare * (swing.leastShare + (1 - swing.leastShare) * way);
}

export function isScenario(name: unknown): name is ScenarioName {
  return typeof name === 'string' && Object.hasOwn(scenarios, name);
}
