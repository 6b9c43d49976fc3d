import { type ConnectorStatus, type ConnectorType, connectorTypes } from '@fpay/contract/connectors';
import type { OpeningHours } from '@fpay/contract/stations';

/** Up to this power an AC connector has one phase. */
const mostOnePhaseW = 7_400;
/** A usual battery, from which the current is estimated. */
const batteryVolts = 400;

/** What a connector can deliver. Voltage and current of DC are estimates from the plug and the power. */
export function electricsOf(type: ConnectorType, powerW: number) {
  const { current, ocpi } = connectorTypes[type];
  if (current === 'DC') {
    return {
      standard: ocpi.standard,
      power_type: 'DC',
      max_voltage: ocpi.volts,
      max_amperage: Math.min(ocpi.amperes, Math.max(1, Math.round(powerW / batteryVolts))),
      max_electric_power: powerW,
    };
  }
  const phases = powerW <= mostOnePhaseW ? 1 : 3;
  return {
    standard: ocpi.standard,
    power_type: phases === 1 ? 'AC_1_PHASE' : 'AC_3_PHASE',
    max_voltage: ocpi.volts,
    max_amperage: Math.max(1, Math.round(powerW / ocpi.volts / phases)),
    max_electric_power: powerW,
  };
}

/** A car that stays after its charge is `BLOCKED`; a plugged-in car that does not charge yet is `CHARGING`. */
export function evseStatus(status: ConnectorStatus, ocppStatus: string | null, pointStatus: string | null): string {
  const isFaulted = ocppStatus === 'Faulted' || pointStatus === 'Faulted';
  const byStatus: Record<ConnectorStatus, string> = {
    free: 'AVAILABLE',
    ready: 'CHARGING',
    charging: 'CHARGING',
    occupied: ocppStatus === 'Reserved' ? 'RESERVED' : 'BLOCKED',
    oos: isFaulted ? 'OUTOFORDER' : 'INOPERATIVE',
    unknown: 'UNKNOWN',
  };
  return byStatus[status];
}

/** The network writes the city last: `вул. Січових Стрільців, 4, Дніпро`. */
export function cityOf(address: string): string {
  const city = address.split(',').at(-1)?.trim() ?? '';
  return (city === '' ? address : city).slice(0, 45);
}

export function openingTimes(hours: OpeningHours | null): object {
  if (hours === null) return { twentyfourseven: true };
  const days = [
    ...[1, 2, 3, 4, 5].map((weekday) => ({ weekday, of: hours.weekdays })),
    ...[6, 7].map((weekday) => ({ weekday, of: hours.weekend })),
  ];
  const regular = days.flatMap(({ weekday, of }) =>
    of === null ? [] : [{ weekday, period_begin: of.from, period_end: of.to }],
  );
  return { twentyfourseven: false, regular_hours: regular };
}

/** Six decimals, as text. */
export const coordinatesOf = (lat: number, lon: number) => ({ latitude: lat.toFixed(6), longitude: lon.toFixed(6) });
