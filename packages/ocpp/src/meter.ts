import type { MeterValue, SampledValue } from './v16/meter-value.ts';

/** Values of a meter at one moment, each in a fixed unit. A field is present only when the charge point sent it. */
export interface MeterSample {
  /** Milliseconds since 1970 by the charge point's clock. */
  at: number;
  context: NonNullable<SampledValue['context']>;
  /** The import register. Most charge points count for life, some from the start of the transaction. */
  energyWh?: number;
  /**
   * The register before rounding to whole Wh, and whether its unit was kWh, because some charge points send a wrong
   * unit.
   */
  exactWh?: number;
  isInKwh?: true;
  /** Energy since the previous sample, from charge points without a register. It must not be added to a register. */
  intervalWh?: number;
  powerW?: number;
  /** The power that the charge point offers to the car. */
  offeredW?: number;
  /** The highest phase: three phases of 16 A are 16 A, not 48. */
  currentA?: number;
  voltageV?: number;
  /** Percent, as reported by the car. */
  soc?: number;
  temperatureC?: number;
}

export interface MeterSamples {
  /** Sorted by time; samples of one moment keep their order. */
  samples: MeterSample[];
  /** What was omitted or is doubtful, for the log. */
  notes: string[];
}

/**
 * Converts any form of MeterValues or transactionData to samples in fixed units, with phases, locations and defaults
 * resolved.
 */
export function samplesOf(meterValues: readonly MeterValue[]): MeterSamples {
  const notes: string[] = [];
  const samples: MeterSample[] = [];
  for (const { timestamp, sampledValue } of meterValues) {
    // One timestamp may have values of several contexts, for example the end of one transaction and the beginning of
    // another.
    const byContext = new Map<Context, Tallies>();
    for (const value of sampledValue) {
      const context = value.context ?? 'Sample.Periodic';
      let tallies = byContext.get(context);
      if (tallies === undefined) {
        tallies = {};
        byContext.set(context, tallies);
      }
      count(tallies, value, notes);
    }
    const at = Date.parse(timestamp);
    for (const [context, tallies] of byContext) add(samples, at, context, tallies, notes);
  }
  if (samples.length > 1) samples.sort((a, b) => a.at - b.at);
  return { samples, notes };
}

type Context = MeterSample['context'];
type Quantity = Exclude<keyof MeterSample, 'at' | 'context' | 'exactWh' | 'isInKwh'>;

interface Measure {
  quantity: Quantity;
  /** How the phases of one measurand become one number. */
  join: 'sum' | 'highest' | 'first';
  units: Readonly<Record<string, (value: number) => number>>;
  /** The unit of a value without a unit or with an unknown one. */
  defaultUnit: string;
  range: readonly [lowest: number, highest: number];
  /** Rounded to one part in this many; 1 gives whole numbers. */
  parts: number;
  /** True for values that only the car knows. Energy and power at the car's inlet are not what our meter sold. */
  isOfCar?: boolean;
}

const asIs = (value: number) => value;
const thousandfold = (value: number) => value * 1000;

const energyUnits = { Wh: asIs, kWh: thousandfold };
// We do not sell reactive or apparent power, but a charge point that uses these units means watts.
const powerUnits = { W: asIs, kW: thousandfold, VA: asIs, kVA: thousandfold };

const MAX_WH = 1_000_000_000_000;
// The largest truck chargers have 3.75 MW.
const MAX_W = 10_000_000;

const measures: Readonly<Partial<Record<NonNullable<SampledValue['measurand']>, Measure>>> = {
  'Energy.Active.Import.Register': {
    quantity: 'energyWh',
    join: 'sum',
    units: energyUnits,
    defaultUnit: 'Wh',
    range: [-MAX_WH, MAX_WH],
    parts: 1,
  },
  'Energy.Active.Import.Interval': {
    quantity: 'intervalWh',
    join: 'sum',
    units: energyUnits,
    defaultUnit: 'Wh',
    range: [0, MAX_WH],
    parts: 1,
  },
  'Power.Active.Import': {
    quantity: 'powerW',
    join: 'sum',
    units: powerUnits,
    defaultUnit: 'W',
    range: [0, MAX_W],
    parts: 1,
  },
  'Power.Offered': {
    quantity: 'offeredW',
    join: 'sum',
    units: powerUnits,
    defaultUnit: 'W',
    range: [0, MAX_W],
    parts: 1,
  },
  'Current.Import': {
    quantity: 'currentA',
    join: 'highest',
    units: { A: asIs },
    defaultUnit: 'A',
    range: [0, 10_000],
    parts: 100,
  },
  Voltage: { quantity: 'voltageV', join: 'first', units: { V: asIs }, defaultUnit: 'V', range: [0, 5000], parts: 10 },
  SoC: {
    quantity: 'soc',
    join: 'first',
    units: { Percent: asIs },
    defaultUnit: 'Percent',
    range: [0, 100],
    parts: 10,
    isOfCar: true,
  },
  Temperature: {
    quantity: 'temperatureC',
    join: 'highest',
    units: {
      Celsius: asIs,
      Celcius: asIs,
      K: (value) => value - 273.15,
      Fahrenheit: (value) => ((value - 32) * 5) / 9,
    },
    defaultUnit: 'Celsius',
    range: [-100, 300],
    parts: 10,
    isOfCar: true,
  },
};

const measured = Object.values(measures);

/** The values of one measurand so far. */
interface Tally {
  /** The billing meter is at the outlet, so a value from there replaces values from elsewhere. */
  isAtOutlet: boolean;
  isInKwh: boolean;
  total: number | null;
  phases: [number | null, number | null, number | null];
}

type Tallies = Partial<Record<Quantity, Tally>>;

function count(tallies: Tallies, sampled: SampledValue, notes: string[]): void {
  const measure = measures[sampled.measurand ?? 'Energy.Active.Import.Register'];
  if (measure === undefined || sampled.format === 'SignedData') return;
  const { location, phase } = sampled;
  // Inlet is the grid side, which includes losses; EV is the car's own measurement.
  if ((location === 'Inlet' || location === 'EV') && measure.isOfCar !== true) return;
  const index = phase === undefined ? TOTAL : conductors.get(phase);
  if (index === undefined) return;
  const value = inUnit(measure, sampled, notes);
  if (value === null) return;
  const isAtOutlet = location === undefined || location === 'Outlet';
  let tally = tallies[measure.quantity];
  if (tally === undefined || (isAtOutlet && !tally.isAtOutlet)) {
    tally = { isAtOutlet, isInKwh: sampled.unit === 'kWh', total: null, phases: [null, null, null] };
    tallies[measure.quantity] = tally;
  } else if (tally.isAtOutlet && !isAtOutlet) return;
  // The first of two equal entries counts, so that a repeated value is not added twice.
  if (index === TOTAL) tally.total ??= value;
  else tally.phases[index] ??= value;
}

const TOTAL = 3;

/** L1 and L1-N are the same wire. Neutral, and values between two phases, are not parts of a total. */
const conductors: ReadonlyMap<string, 0 | 1 | 2> = new Map([
  ['L1', 0],
  ['L2', 1],
  ['L3', 2],
  ['L1-N', 0],
  ['L2-N', 1],
  ['L3-N', 2],
]);

function add(samples: MeterSample[], at: number, context: Context, tallies: Tallies, notes: string[]): void {
  const sample: MeterSample = { at, context };
  let isEmpty = true;
  for (const measure of measured) {
    const tally = tallies[measure.quantity];
    if (tally === undefined) continue;
    const value = tally.total ?? joined(measure.join, tally.phases);
    const [lowest, highest] = measure.range;
    if (value < lowest || value > highest) {
      notes.push(`${measure.quantity}: ${value} is out of range, left out`);
      continue;
    }
    sample[measure.quantity] = Math.round(value * measure.parts) / measure.parts;
    if (measure.quantity === 'energyWh') {
      if (!Number.isInteger(value)) sample.exactWh = value;
      if (tally.isInKwh) sample.isInKwh = true;
    }
    isEmpty = false;
  }
  if (!isEmpty) samples.push(sample);
}

function joined(join: Measure['join'], phases: Tally['phases']): number {
  const present = phases.filter((value) => value !== null);
  if (join === 'sum') return present.reduce((sum, value) => sum + value, 0);
  return join === 'highest' ? Math.max(...present) : (present[0] ?? 0);
}

function inUnit(measure: Measure, { value, unit }: SampledValue, notes: string[]): number | null {
  const number = toNumber(value);
  if (number === null) {
    notes.push(`${measure.quantity}: ${JSON.stringify(value.slice(0, 40))} is no number, left out`);
    return null;
  }
  const convert = measure.units[unit ?? measure.defaultUnit];
  if (convert !== undefined) return convert(number);
  notes.push(`${measure.quantity}: unit ${unit} taken as ${measure.defaultUnit}`);
  return (measure.units[measure.defaultUnit] ?? asIs)(number);
}

/** Accepts a decimal comma. `Number` is not used, because it reads the empty text as 0 and `0x10` as 16. */
function toNumber(value: string): number | null {
  if (value.length > 40 || !decimalNumber.test(value)) return null;
  return Number(value.replace(',', '.'));
}

const decimalNumber = /^\s*[-+]?\d+(?:[.,]\d+)?(?:[eE][-+]?\d{1,2})?\s*$/;
