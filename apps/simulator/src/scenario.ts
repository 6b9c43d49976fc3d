/** How a charge point behaves. Times are of the simulated world, counted from the start of a transaction where it says so. */
export interface Behaviour {
  /** Between hearing a command and answering it: lowest and highest. */
  commandDelayMs: readonly [number, number];
  acceptsRemoteStart: boolean;
  /** False: says Accepted and then nothing more. */
  startsAfterAccepting: boolean;
  /** From authorised and plugged in to StartTransaction. */
  startDelayMs: number;
  /** Of the connector's rated power. */
  powerShare: number;
  /** The site shares its mains: in each period the power sinks evenly to the least share and rises again. */
  swing: { periodMs: number; leastShare: number } | null;
  /** A shorter sample interval is refused. */
  leastSampleSeconds: number;
  /** Sends readings this often whatever it is configured to; 0 is never, not even when asked. Null: as configured. */
  sampleEverySeconds: number | null;
  reportsPower: boolean;
  /** In a transaction, the socket breaks after this… */
  dropsSocketAfterMs: number | null;
  /** …and comes back after that, the queue with it. */
  offlineForMs: number;
  /** In a transaction, loses power after this and boots again. */
  rebootsAfterMs: number | null;
  bootMs: number;
  /** Sends each transaction message a second time, as after an answer that was lost. */
  repeatsMessages: boolean;
  /** Ends transactions without a word. */
  forgetsStop: boolean;
  meterStyle: 'plain' | 'kwh' | 'odd';
  reportsSoc: boolean;
  /** In a transaction, the register begins again at zero after this. */
  meterResetsAfterMs: number | null;
  isFaulted: boolean;
  clockErrorMs: number;
  /** In a transaction, the driver pulls the cable after this. */
  unpluggedAfterMs: number | null;
  isOffline: boolean;
}

const normal: Behaviour = {
  // What commands of real charge points take.
  commandDelayMs: [200, 1_000],
  acceptsRemoteStart: true,
  startsAfterAccepting: true,
  startDelayMs: 2_000,
  powerShare: 1,
  swing: null,
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

/** Each scenario is what differs from a charge point that does everything right. */
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

/** What the site leaves of the rated power, so long after a charge began. */
export function offeredShare({ powerShare, swing }: Pick<Behaviour, 'powerShare' | 'swing'>, sinceMs: number): number {
  if (swing === null) return powerShare;
  const way = Math.abs(1 - (2 * (sinceMs % swing.periodMs)) / swing.periodMs);
  return powerShare * (swing.leastShare + (1 - swing.leastShare) * way);
}

export function isScenario(name: unknown): name is ScenarioName {
  return typeof name === 'string' && Object.hasOwn(scenarios, name);
}
