import { StationText } from '@fpay/contract/admin/filters';
import { readMoment } from '../parts/calendar.ts';
import { instantsOf, type PeriodChoice, rangeFault, staffPeriods, todayRange } from '../parts/periods.ts';

/** The figures as their address describes them. */
export interface StatsAddress extends PeriodChoice {
  /** Null: all stations. */
  station: string | null;
  withTemporary: boolean;
}

/** A value that means nothing, from an old link or a typing error, is left out. */
export function readStats(params: URLSearchParams): StatsAddress {
  const from = readMoment(params.get('from') ?? '');
  const to = readMoment(params.get('to') ?? '');
  const isManual = from !== null && to !== null;
  return {
    period: isManual ? 'manual' : (staffPeriods.find((name) => name === params.get('period')) ?? 'today'),
    ...(isManual ? { from, to } : todayRange()),
    station: StationText.safeParse(params.get('station')).data ?? null,
    withTemporary: params.get('temporary') !== 'false',
  };
}

/** What differs from today's figures of all stations. */
export function writeStats({ period, from, to, station, withTemporary }: StatsAddress): URLSearchParams {
  const address = new URLSearchParams();
  if (period === 'manual') {
    address.set('from', from);
    address.set('to', to);
  } else if (period !== 'today') address.set('period', period);
  if (station) address.set('station', station);
  if (!withTemporary) address.set('temporary', 'false');
  return address;
}

/** The query of the request; null while a range cannot be asked for. */
export function statsQueryOf(address: StatsAddress) {
  if (rangeFault(address) !== null) return null;
  const { period, station, withTemporary } = address;
  return {
    ...(period === 'manual' ? instantsOf(address) : { period }),
    ...(station && { station }),
    tz: 'Europe/Kyiv',
    with_temp: String(withTemporary) as 'true' | 'false',
  };
}

export type AskedStats = NonNullable<ReturnType<typeof statsQueryOf>>;
