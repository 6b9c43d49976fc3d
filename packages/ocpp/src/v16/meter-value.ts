import { formerly, list, object, optional, orElse, type ReadOf, type WireOf } from '../schema.ts';
import { instant, meterReading, oneOf } from '../values.ts';

/**
 * One value of a meter. Omitted fields have the defaults of the standard: a periodic reading of the import register in
 * Wh.
 */
export const sampledValue = object({
  value: meterReading(),
  context: optional(
    oneOf(
      [
        'Interruption.Begin',
        'Interruption.End',
        'Sample.Clock',
        'Sample.Periodic',
        'Transaction.Begin',
        'Transaction.End',
        'Trigger',
        'Other',
      ],
      { unknown: 'Other' },
    ),
  ),
  format: optional(oneOf(['Raw', 'SignedData'])),
  measurand: optional(
    oneOf(
      [
        'Energy.Active.Export.Register',
        'Energy.Active.Import.Register',
        'Energy.Reactive.Export.Register',
        'Energy.Reactive.Import.Register',
        'Energy.Active.Export.Interval',
        'Energy.Active.Import.Interval',
        'Energy.Reactive.Export.Interval',
        'Energy.Reactive.Import.Interval',
        'Power.Active.Export',
        'Power.Active.Import',
        'Power.Offered',
        'Power.Reactive.Export',
        'Power.Reactive.Import',
        'Power.Factor',
        'Current.Import',
        'Current.Export',
        'Current.Offered',
        'Voltage',
        'Frequency',
        'Temperature',
        'SoC',
        'RPM',
      ],
      // An unknown measurand is kept as `Unknown`, because without a measurand the value would count as an energy
      // register.
      { unknown: 'Unknown' },
    ),
  ),
  phase: optional(
    // An unknown phase is kept as `Unknown`, because without a phase the value would count as the total.
    oneOf(['L1', 'L2', 'L3', 'N', 'L1-N', 'L2-N', 'L3-N', 'L1-L2', 'L2-L3', 'L3-L1'], { unknown: 'Unknown' }),
  ),
  location: optional(oneOf(['Body', 'Cable', 'EV', 'Inlet', 'Outlet'])),
  unit: optional(
    oneOf(
      [
        'Wh',
        'kWh',
        'varh',
        'kvarh',
        'W',
        'kW',
        'VA',
        'kVA',
        'var',
        'kvar',
        'A',
        'V',
        'K',
        'Celcius',
        'Celsius',
        'Fahrenheit',
        'Percent',
      ],
      {
        unknown: 'Unknown',
        aliases: { 'kw.h': 'kWh', kw·h: 'kWh', 'w.h': 'Wh', '%': 'Percent', percentage: 'Percent', '°c': 'Celsius' },
      },
    ),
  ),
});

/** In OCPP 1.5 the values were in `value` or `values`. */
export const meterValue = formerly(
  object({
    timestamp: instant(),
    // Some charge points send a timestamp without values.
    sampledValue: orElse(list(sampledValue), []),
  }),
  { sampledValue: ['values', 'value'] },
);

export type SampledValue = ReadOf<typeof sampledValue>;
/** The shape after tolerant reading; every MeterValue of the standard has it too. */
export type MeterValue = ReadOf<typeof meterValue>;
export type WireMeterValue = WireOf<typeof meterValue>;
export type WireSampledValue = WireOf<typeof sampledValue>;
