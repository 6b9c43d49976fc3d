import * as z from 'zod/mini';
import { ConnectorType } from '../../connectors.ts';
import { endpoint } from '../../endpoint.ts';
import { Kopecks, WattHours } from '../../money.ts';
import { StationNumber } from '../../stations.ts';
import { Id, KyivDate } from '../../wire.ts';
import { attemptReasons } from './overview.ts';

/** Shares from 0 to 1; null where there is nothing to divide by. */
const Share = z.nullable(z.number());

const ReportFigures = z.object({
  energy: WattHours,
  revenue: Kopecks,
  /** Of the revenue. Net is without what was lost, refunded and returned by promotions. */
  lost: Kopecks,
  refunded: Kopecks,
  rewards: Kopecks,
  idle: Kopecks,
  net: z.int(),
  /** Delivered and in no bill, with its worth at the tariff: after an ignored stop, past a limit, by an unknown card. */
  unbilled_energy: WattHours,
  unbilled: Kopecks,
  /** The part of the time in which connectors charged. */
  utilisation: Share,
  uptime: Share,
  /** Attempts that gave energy soon and ended as they should. */
  charging_success: Share,
  /** Tries that began at once. */
  success: Share,
  rating: z.nullable(z.number()),
});
export type ReportFigures = z.infer<typeof ReportFigures>;

const ReportDay = z.object({
  day: KyivDate,
  ac: WattHours,
  dc: WattHours,
  success: Share,
  /** The same for the whole network. */
  network_success: Share,
  offline_minutes: z.int(),
});

export const StationReport = z.object({
  number: z.string(),
  address: z.string(),
  address_uk: z.string(),
  figures: ReportFigures,
  /** The period of the same length before. */
  before: ReportFigures,
  days: z.array(ReportDay),
  /** Utilisation by weekday from Monday and by hour. */
  hours: z.array(z.array(Share)),
  attempts: z.int(),
  reasons: z.array(z.object({ reason: z.enum(attemptReasons), count: z.int(), operations: z.array(Id) })),
  connectors: z.array(
    z.object({
      id: Id,
      number: z.int(),
      type: ConnectorType,
      energy: WattHours,
      utilisation: Share,
      success: Share,
    }),
  ),
});
export type StationReport = z.infer<typeof StationReport>;

/** Longer ranges are what statistics are for. */
export const longestReportDays = 366;

export const stationReport = endpoint({
  method: 'GET',
  path: '/api/admin/network/stations/:number/report',
  summary: 'Figures of a station in a period of Kyiv days, both included, beside the period before',
  access: ['access-admin-page', 'view-network', 'see-stats'],
  params: z.object({ number: StationNumber }),
  query: z.object({ from: KyivDate, to: KyivDate }),
  reply: StationReport,
  refusals: ['station_not_found', 'invalid_input'],
  openInMaintenance: true,
});
