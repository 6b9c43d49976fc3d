import type { AttemptCounts } from '@fpay/contract/admin/network/overview';
import { longestReportDays, type ReportFigures, type StationReport } from '@fpay/contract/admin/network/station-report';
import { type ConnectorType, connectorTypes } from '@fpay/contract/connectors';
import { kopecks, wattHours } from '@fpay/contract/money';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { kyivDate, kyivDayStart, kyivZone, wallClock } from '../../platform/kyiv-time.ts';
import { Refusal } from '../../platform/refusal.ts';
import { overallStats } from '../stats/figures.ts';
import { attemptReason } from './attempt-reason.ts';
import { attemptCounts, attempts, type ChargingAttempt } from './attempts.ts';
import { reasonsOf } from './overview.ts';
import { busyByHour, busyMs, quotient, type TimeSpan } from './report-figures.ts';

const dayMs = 24 * 3_600_000;

interface StoredConnector {
  id: number;
  charge_point_id: number;
  ocpp_connector: number;
  type: ConnectorType;
}

/** The figures of one station. */
export function createStationReport(db: Database, clock: Clock) {
  const spanOf = (from: string, to: string): TimeSpan => {
    const start = kyivDayStart(new Date(`${from}T12:00:00Z`)).getTime();
    const end = kyivDayStart(new Date(Date.parse(`${to}T12:00:00Z`) + dayMs)).getTime();
    if (end <= start || end - start > (longestReportDays + 1) * dayMs) throw new Refusal('invalid_input');
    return { from: start, to: end };
  };

  const chargesIn = async (station: number, { from, to }: TimeSpan) => {
    const { rows } = await sql<
      ChargingAttempt & {
        id: number;
        connector_id: number;
        energy_wh: number;
        created_at: Date;
        started_at: Date | null;
        finished_at: Date | null;
        rating: number | null;
      }
    >`
      select o.id, o.connector_id, o.energy_wh, o.created_at, o.started_at, o.finished_at, f.rating,
        a.attempt, a.try, a.cause
      from operations o left join ${attempts} a on a.id = o.id left join feedback f on f.operation_id = o.id
      where o.station_id = ${station} and o.created_at >= ${new Date(from)} and o.created_at < ${new Date(to)}
        and o.status <> 'created' order by o.id desc`.execute(db);
    const now = clock.now().getTime();
    return rows.map((row) => ({
      ...row,
      day: kyivDate(row.created_at),
      span: row.started_at && { from: row.started_at.getTime(), to: row.finished_at?.getTime() ?? now },
      reason: attemptReason(row),
    }));
  };
  type Charge = Awaited<ReturnType<typeof chargesIn>>[number];

  const outagesIn = async (points: readonly number[], { from, to }: TimeSpan): Promise<TimeSpan[]> => {
    const { rows } = await sql<{ began_at: Date; ended_at: Date | null }>`
      select began_at, ended_at from charge_point_outages
      where charge_point_id = any(${points}::bigint[]) and began_at < ${new Date(to)}
        and coalesce(ended_at, ${new Date(to)}) > ${new Date(from)}`.execute(db);
    return rows.map((row) => ({ from: row.began_at.getTime(), to: row.ended_at?.getTime() ?? to }));
  };

  const networkDays = async ({ from, to }: TimeSpan) => {
    const { rows } = await sql<AttemptCounts & { day: string }>`
      select to_char(a.created_at at time zone ${kyivZone}, 'YYYY-MM-DD') as day, ${attemptCounts}
      from ${attempts} a where a.created_at >= ${new Date(from)} and a.created_at < ${new Date(to)} group by 1`.execute(
      db,
    );
    return new Map(rows.map((row) => [row.day, quotient(row.first, row.tries)]));
  };

  const countOf = (charges: readonly Charge[], is: (charge: Charge) => boolean) => charges.filter(is).length;
  const firstAttempt = (charges: readonly Charge[]) =>
    quotient(
      countOf(charges, (charge) => charge.try === 'first'),
      countOf(charges, (charge) => charge.try !== null),
    );
  const chargingSuccess = (charges: readonly Charge[]) =>
    quotient(
      countOf(charges, ({ attempt }) => attempt === 'right'),
      countOf(charges, ({ attempt }) => attempt !== null),
    );
  const spans = (charges: readonly Charge[]) => charges.flatMap(({ span }) => (span ? [span] : []));
  const energyOf = (charges: readonly Charge[]) =>
    wattHours(charges.reduce((sum, { energy_wh }) => sum + energy_wh, 0));

  /** What of a period has passed already. */
  const passed = ({ from, to }: TimeSpan): TimeSpan => ({
    from,
    to: Math.max(from, Math.min(to, clock.now().getTime())),
  });

  const unbilledIn = async (station: number, { from, to }: TimeSpan) => {
    const { rows } = await sql<{ energy: number; amount: number }>`
      select coalesce(sum(energy_wh), 0)::bigint as energy, coalesce(sum(amount), 0)::bigint as amount
      from unbilled_energy
      where station_id = ${station} and booked_at >= ${new Date(from)} and booked_at < ${new Date(to)}`.execute(db);
    return { energy: wattHours(rows[0]?.energy ?? 0), amount: kopecks(rows[0]?.amount ?? 0) };
  };

  async function figuresOf(
    station: number,
    charges: readonly Charge[],
    whole: TimeSpan,
    { connectors, points }: { connectors: number; points: readonly number[] },
  ) {
    const unbilled = await unbilledIn(station, whole);
    const period = passed(whole);
    const lengthMs = period.to - period.from;
    const away = busyMs(await outagesIn(points, period), period);
    const up = quotient(away, lengthMs * points.length);
    const ratings = charges.flatMap(({ rating }) => (rating === null ? [] : [rating]));
    const scope = { from: new Date(whole.from), to: new Date(whole.to), station, withTemporary: true };
    const { uah } = await overallStats(db, scope);
    const figures: ReportFigures = {
      energy: energyOf(charges),
      revenue: uah.total,
      lost: uah.lost,
      refunded: uah.refunded,
      rewards: uah.rewards,
      idle: uah.idle,
      net: uah.net,
      unbilled_energy: unbilled.energy,
      unbilled: unbilled.amount,
      utilisation: quotient(busyMs(spans(charges), period), lengthMs * connectors),
      uptime: up === null ? null : Math.max(0, 1 - up),
      charging_success: chargingSuccess(charges),
      success: firstAttempt(charges),
      rating: quotient(
        ratings.reduce((sum, rating) => sum + rating, 0),
        ratings.length,
      ),
    };
    return figures;
  }

  return async (number: string, query: { from: string; to: string }): Promise<StationReport> => {
    const period = spanOf(query.from, query.to);
    const station = await db
      .selectFrom('stations')
      .select(['id', 'number', 'address', 'address_uk'])
      .where('number', '=', number)
      .executeTakeFirst();
    if (!station) throw new Refusal('station_not_found');
    const earlier = { from: period.from - (period.to - period.from), to: period.from };
    const { rows: connectors } = await sql<StoredConnector>`
      select id, charge_point_id, ocpp_connector, type from connectors where station_id = ${station.id}
      order by charge_point_id, ocpp_connector`.execute(db);
    const points = [...new Set(connectors.map(({ charge_point_id }) => charge_point_id))];
    const [charges, before, network, outages] = await Promise.all([
      chargesIn(station.id, period),
      chargesIn(station.id, earlier),
      networkDays(period),
      outagesIn(points, passed(period)),
    ]);
    const currentOf = new Map(connectors.map(({ id, type }) => [id, connectorTypes[type].current]));
    const lengthMs = passed(period).to - period.from;
    const byDay = Map.groupBy(charges, ({ day }) => day);
    const dayCount = Math.round((period.to - period.from) / dayMs);
    return {
      number: station.number,
      address: station.address,
      address_uk: station.address_uk,
      figures: await figuresOf(station.id, charges, period, { connectors: connectors.length, points }),
      before: await figuresOf(station.id, before, earlier, { connectors: connectors.length, points }),
      days: Array.from({ length: dayCount }, (_, index) => {
        const noon = new Date(period.from + index * dayMs + dayMs / 2);
        const day = kyivDate(noon);
        const own = byDay.get(day) ?? [];
        const of = (current: 'AC' | 'DC') => own.filter(({ connector_id }) => currentOf.get(connector_id) === current);
        const from = kyivDayStart(noon).getTime();
        const away = busyMs(outages, passed({ from, to: from + dayMs }));
        return {
          day,
          ac: energyOf(of('AC')),
          dc: energyOf(of('DC')),
          success: firstAttempt(own),
          network_success: network.get(day) ?? null,
          offline_minutes: Math.round(away / 60_000),
        };
      }),
      hours: busyByHour(spans(charges), passed(period), connectors.length, (at) => wallClock(new Date(at))),
      attempts: countOf(charges, (charge) => charge.try !== null),
      reasons: reasonsOf(charges),
      connectors: connectors.map(({ id, ocpp_connector, type }) => {
        const own = charges.filter(({ connector_id }) => connector_id === id);
        return {
          id,
          number: ocpp_connector,
          type,
          energy: energyOf(own),
          utilisation: quotient(busyMs(spans(own), passed(period)), lengthMs),
          success: firstAttempt(own),
        };
      }),
    };
  };
}

export type StationReportReader = ReturnType<typeof createStationReport>;
