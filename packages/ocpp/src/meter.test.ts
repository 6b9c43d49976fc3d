import { describe, expect, it } from 'vitest';
import { read } from './message.ts';
import { samplesOf } from './meter.ts';
import { MeterValues } from './v16/meter-values.ts';

const at = Date.UTC(2026, 10, 15, 10);
const timestamp = new Date(at).toISOString();

/** Values pass through the tolerant reader first, as values from the wire do. */
function samples(...sampledValue: unknown[]) {
  const { value } = read(MeterValues.request, { connectorId: 1, meterValue: [{ timestamp, sampledValue }] });
  return samplesOf(value?.meterValue ?? []).samples.map(({ at: _, context: __, ...quantities }) => quantities);
}

describe('a sample', () => {
  const cases: [what: string, values: unknown[], sample: object][] = [
    ['without other fields is the import register in Wh', [{ value: '1500' }], { energyWh: 1500 }],
    ['in kWh is counted in Wh', [{ value: '12.345', unit: 'kWh' }], { energyWh: 12345, isInKwh: true }],
    ['in kwh is counted in Wh', [{ value: '12', unit: 'kwh' }], { energyWh: 12000, isInKwh: true }],
    ['with a fraction is rounded', [{ value: '1500.6', unit: 'Wh' }], { energyWh: 1501, exactWh: 1500.6 }],
    ['with a decimal comma is a number', [{ value: '1,5', unit: 'kWh' }], { energyWh: 1500, isInKwh: true }],
    ['that is a number and not text is taken', [{ value: 1500 }], { energyWh: 1500 }],
    ['in a unit that is none of energy is taken as Wh', [{ value: '1500', unit: 'Hertz' }], { energyWh: 1500 }],
    [
      'of three phases is their sum',
      [
        { value: '100', phase: 'L1' },
        { value: '200', phase: 'L2' },
        { value: '300', phase: 'L3' },
      ],
      { energyWh: 600 },
    ],
    [
      'of three phases and a total is the total',
      [{ value: '100', phase: 'L1' }, { value: '600' }, { value: '200', phase: 'L2' }],
      { energyWh: 600 },
    ],
    [
      'of a phase that is sent twice counts once',
      [
        { value: '100', phase: 'L1' },
        { value: '100', phase: 'L1-N' },
      ],
      { energyWh: 100 },
    ],
    ['of neutral alone is nothing', [{ value: '100', phase: 'N' }], {}],
    ['of an unknown phase is nothing', [{ value: '100', phase: 'L9' }], {}],
    [
      'at the inlet is not the billing meter',
      [
        { value: '1700', location: 'Inlet' },
        { value: '1500', location: 'Outlet' },
        { value: '1400', location: 'EV' },
      ],
      { energyWh: 1500 },
    ],
    ['at the inlet alone is nothing', [{ value: '1700', location: 'Inlet' }], {}],
    [
      'at the cable counts when there is no value of the outlet',
      [{ value: '1700', location: 'Cable' }],
      { energyWh: 1700 },
    ],
    [
      'at the cable does not count beside the outlet',
      [{ value: '1700', location: 'Cable' }, { value: '1500' }, { value: '1800', location: 'Cable' }],
      { energyWh: 1500 },
    ],
    [
      'of an interval is not a register',
      [{ value: '25', measurand: 'Energy.Active.Import.Interval' }],
      { intervalWh: 25 },
    ],
    ['of exported energy is not ours', [{ value: '25', measurand: 'Energy.Active.Export.Register' }], {}],
    ['of an unknown measurand is not taken for energy', [{ value: '25', measurand: 'Energy.Total' }], {}],
    ['that is signed is ignored', [{ value: 'OCMF|{}', format: 'SignedData' }], {}],
    ['that is no number is left out', [{ value: 'NaN' }, { value: '50', measurand: 'SoC' }], { soc: 50 }],
    ['that is hexadecimal is no number', [{ value: '0x10' }], {}],
    ['that is empty is left out', [{ value: '' }], {}],
    ['below zero counts', [{ value: '-5' }], { energyWh: -5 }],
    ['of power below zero is left out', [{ value: '-5', measurand: 'Power.Active.Import' }], {}],
    ['beyond any meter is left out', [{ value: '4294967295000000' }], {}],
    [
      'of power is in W, phases summed',
      [
        { value: '3.5', measurand: 'Power.Active.Import', unit: 'kW', phase: 'L1' },
        { value: '3.5', measurand: 'Power.Active.Import', unit: 'kW', phase: 'L2' },
      ],
      { powerW: 7000 },
    ],
    [
      'of current is that of the busiest phase',
      [
        { value: '15.9', measurand: 'Current.Import', unit: 'A', phase: 'L1' },
        { value: '16.1', measurand: 'Current.Import', unit: 'A', phase: 'L2' },
        { value: '0.3', measurand: 'Current.Import', unit: 'A', phase: 'N' },
      ],
      { currentA: 16.1 },
    ],
    ['of the state of charge comes from the car', [{ value: '55', measurand: 'SoC', location: 'EV' }], { soc: 55 }],
    ['of a state of charge above 100 is left out', [{ value: '255', measurand: 'SoC', unit: 'Percent' }], {}],
    ['of temperature in Celcius', [{ value: '41', measurand: 'Temperature', unit: 'Celcius' }], { temperatureC: 41 }],
    ['of temperature in kelvin', [{ value: '300.15', measurand: 'Temperature', unit: 'K' }], { temperatureC: 27 }],
    [
      'of temperature in Fahrenheit',
      [{ value: '212', measurand: 'Temperature', unit: 'Fahrenheit' }],
      { temperatureC: 100 },
    ],
    ['of voltage', [{ value: '398.42', measurand: 'Voltage', unit: 'V' }], { voltageV: 398.4 }],
    [
      'of the frequency in Hertz disturbs nothing',
      [{ value: '50', measurand: 'Frequency', unit: 'Hertz' }, { value: '7' }],
      { energyWh: 7 },
    ],
  ];
  it.each(cases)('%s', (_, values, sample) => {
    expect(samples(...values)).toEqual(Object.keys(sample).length === 0 ? [] : [sample]);
  });

  it('separates the values of two contexts at the same moment', () => {
    const sampledValue = [
      { value: '100', context: 'Transaction.End' as const },
      { value: '7', context: 'Transaction.Begin' as const },
    ];
    expect(samplesOf([{ timestamp, sampledValue }]).samples).toEqual([
      { at, context: 'Transaction.End', energyWh: 100 },
      { at, context: 'Transaction.Begin', energyWh: 7 },
    ]);
  });

  it('is sorted by time, regardless of the order in which it was sent', () => {
    const earlier = new Date(at - 60_000).toISOString();
    const { samples } = samplesOf([
      { timestamp, sampledValue: [{ value: '200' }] },
      { timestamp: earlier, sampledValue: [{ value: '100' }] },
    ]);
    expect(samples.map(({ energyWh }) => energyWh)).toEqual([100, 200]);
  });

  it('with a doubtful time is marked', () => {
    expect(samplesOf([{ timestamp, sampledValue: [{ value: 'x' }, { value: '1', unit: 'V' }] }]).notes).toEqual([
      'energyWh: "x" is no number, left out',
      'energyWh: unit V taken as Wh',
    ]);
  });
});
