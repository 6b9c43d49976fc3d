import type { WireSampledValue } from '@fpay/ocpp/v16/meter-value';
import type { Behaviour } from './scenario.ts';

/** Values of the meter and the car at one moment. */
export interface MeterState {
  energyWh: number;
  powerW: number;
  soc: number | null;
  isDc: boolean;
}

type Context = NonNullable<WireSampledValue['context']>;

/** AC is always three phases of 230 V here. The voltage of a DC battery rises slightly while it charges. */
const PHASE_V = 230;
const batteryV = (soc: number | null) => 340 + (soc ?? 50);

export function wattsPerAmpere(isDc: boolean): number {
  return isDc ? batteryV(50) : 3 * PHASE_V;
}

/** The sampled values that a charge point of this style sends for the configured measurands. */
export function sampledValues(
  state: MeterState,
  measurands: readonly string[],
  context: Context,
  { meterStyle, reportsSoc, reportsPower }: Pick<Behaviour, 'meterStyle' | 'reportsSoc' | 'reportsPower'>,
): object[] {
  const values = measurands.flatMap((measurand): object[] => {
    if (measurand === 'Power.Active.Import' && !reportsPower) return [];
    if (measurand === 'SoC' && (!reportsSoc || state.soc === null)) return [];
    return styles[meterStyle](measurand, state, context);
  });
  return meterStyle === 'odd' ? [...values, ...oddities] : values;
}

type Style = (measurand: string, state: MeterState, context: Context) => object[];

const plain: Style = (measurand, state, context) => {
  const { energyWh, powerW, soc, isDc } = state;
  const voltage = isDc ? batteryV(soc) : PHASE_V;
  const ampere = isDc ? powerW / voltage : powerW / (3 * PHASE_V);
  switch (measurand) {
    case 'Energy.Active.Import.Register':
      return [{ value: String(Math.round(energyWh)), context, measurand, unit: 'Wh', location: 'Outlet' }];
    case 'Power.Active.Import':
      return [{ value: powerW.toFixed(1), context, measurand, unit: 'W', location: 'Outlet' }];
    case 'Current.Import':
      if (isDc) return [{ value: ampere.toFixed(2), context, measurand, unit: 'A' }];
      return ['L1', 'L2', 'L3'].map((phase) => ({ value: ampere.toFixed(2), context, measurand, phase, unit: 'A' }));
    case 'Voltage':
      return [{ value: voltage.toFixed(1), context, measurand, unit: 'V' }];
    case 'SoC':
      return [{ value: String(Math.round(soc ?? 0)), context, measurand, unit: 'Percent', location: 'EV' }];
    default:
      return [];
  }
};

/** This is valid, but a reader that ignores the unit takes 12 kWh for 12 Wh. */
const kwh: Style = (measurand, state, context) => {
  if (measurand === 'Energy.Active.Import.Register') {
    return [{ value: (state.energyWh / 1000).toFixed(3), context, measurand, unit: 'kWh' }];
  }
  if (measurand === 'Power.Active.Import') {
    return [{ value: (state.powerW / 1000).toFixed(2), context, measurand, unit: 'kW' }];
  }
  return plain(measurand, state, context);
};

/**
 * Numbers instead of text, a decimal comma, phases without a total, values of the grid side before ours, and unknown
 * measurands.
 */
const odd: Style = (measurand, state, context) => {
  const { energyWh, powerW, soc } = state;
  switch (measurand) {
    case 'Energy.Active.Import.Register':
      return [
        { value: energyWh * 1.06, context, measurand, unit: 'Wh', location: 'Inlet' },
        ...['L1', 'L2', 'L3'].map((phase) => ({ value: energyWh / 3, context, phase })),
      ];
    case 'Power.Active.Import':
      return [{ value: (powerW / 1000).toFixed(2).replace('.', ','), context, measurand, unit: 'kw' }];
    case 'SoC':
      return [{ value: Math.round(soc ?? 0), measurand: 'SOC', unit: '%' }];
    default:
      return plain(measurand, state, context);
  }
};

const oddities: object[] = [
  { value: 49.98, measurand: 'Frequency', unit: 'Hertz' },
  { value: '31', measurand: 'Temperature', unit: 'Celcius', location: 'Body' },
  { value: '', measurand: 'Voltage' },
  { value: 'NaN', measurand: 'Power.Factor' },
];

const styles: Record<Behaviour['meterStyle'], Style> = { plain, kwh, odd };
