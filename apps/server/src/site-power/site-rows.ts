import { type ConnectorType, connectorTypes, isConnectorType } from '@fpay/contract/connectors';
import { sql } from 'kysely';
import { takesProfiles } from '../charging/limit/power-share.ts';
import type { KeptConfiguration } from '../ocpp/connections/configuration.ts';
import type { Database } from '../platform/database.ts';
import type { Step } from '../platform/step.ts';
import { progressOf } from '../stations/progress.ts';
import { leastPowerOf } from './divide.ts';
import type { Running } from './excess.ts';
import { isOnTrial, type Observed } from './steering.ts';

/** Readings come every ten seconds, so a car that takes less is known to do so after this time. */
const settledMs = 20_000;
/** A device that has not answered for this long is asked again. */
const answerWithinMs = 5_000;
/** A device that was not seen to obey is tried again after this time. */
const betweenTrialsMs = 5 * 60_000;
/** A charge that was asked to stop ends within this time; one that does not counts again. */
const stopWithinMs = 10_000;

export interface SiteConnectorRow extends Running, Observed {
  station: string;
  number: number;
  type: ConnectorType;
  user: string | null;
  soc: number | null;
  /** Until the deposit of its charge is used up at the present power; null when that is not known. */
  secondsLeft: number | null;
  isProfileRefused: boolean;
  chargePoint: number;
  bootedAt: Date | null;
  /** As the device names its units of power. */
  rateUnits: string;
  /** Its vendor, model and firmware. */
  configuredFor: string;
}

interface Stored {
  id: number;
  station: string;
  ocpp_connector: number;
  type: ConnectorType;
  power_w: number;
  is_online: boolean;
  configuration: KeptConfiguration;
  profile_refused_by: string | null;
  charge_point_id: number;
  booted_at: Date | null;
  transaction_id: number | null;
  operation_id: number | null;
  status: string | null;
  drawn_w: number | null;
  metered_at: Date | null;
  soc: number | null;
  energy_wh: number | null;
  energy_limit_wh: number | null;
  started_at: Date | null;
  stop_requested_at: Date | null;
  share_w: number | null;
  share_from_w: number | null;
  share_before_w: number | null;
  share_cap_w: number | null;
  share_cap_at: Date | null;
  asked_at: Date | null;
  user_name: string | null;
  waiting_id: number | null;
  waiting_status: string | null;
  fallback_w: number | null;
  obeys: boolean | null;
  obeys_for: string | null;
}

const waitsFor = { created: 'money', pending: 'start', starting: 'power' } as const;

/** Every connector of a site as it is now. */
export async function connectorsOfSite(
  db: Database | Step['db'],
  site: number,
  now: number,
): Promise<SiteConnectorRow[]> {
  const { rows } = await sql<Stored>`
    select c.id, s.number as station, c.ocpp_connector, c.type, c.power_w, p.is_online, p.configuration,
      p.profile_refused_by, p.id as charge_point_id, p.booted_at, t.id as transaction_id, o.id as operation_id, o.status,
      o.power_w as drawn_w, o.metered_at, o.soc, o.energy_wh, o.energy_limit_wh, o.started_at, o.stop_requested_at, o.share_w, o.share_from_w, o.share_before_w,
      o.share_cap_w, o.share_cap_at, k.created_at as asked_at, u.name as user_name,
      w.id as waiting_id, w.status as waiting_status, f.limit_w as fallback_w, d.obeys, d.configured_for as obeys_for
    from site_stations ss join stations s on s.id = ss.station_id join connectors c on c.station_id = s.id
      join charge_points p on p.id = c.charge_point_id
      left join lateral (select t.id, t.operation_id from ocpp_transactions t where t.connector_id = c.id
        and t.stopped_at is null order by t.id desc limit 1) t on true
      left join operations o on o.id = t.operation_id
      left join commands k on k.id = o.share_command_id
      left join users u on u.id = o.user_id
      left join operations w on w.connector_id = c.id and w.status in ('created', 'pending', 'starting')
      left join site_fallbacks f on f.connector_id = c.id and f.is_accepted
      left join site_devices d on d.charge_point_id = p.id
    where ss.site_id = ${site} and c.removed_at is null order by s.number, c.ocpp_connector`.execute(db);
  return rows.map((row) => rowOf(row, now));
}

function rowOf(row: Stored, now: number): SiteConnectorRow {
  const { configuration, profile_refused_by: profileRefusedBy } = row;
  const hasProfiles = takesProfiles({ configuration, profileRefusedBy });
  const configuredFor = configuration.configuredFor ?? '';
  const isAsked = row.asked_at !== null && now - row.asked_at.getTime() < answerWithinMs;
  const isRunning = row.transaction_id !== null;
  const observed: Observed = {
    capW: row.share_cap_w,
    capAt: row.share_cap_at,
    beforeW: row.share_before_w,
    fromW: row.share_from_w,
    drawnW: row.drawn_w,
    readAt: row.metered_at,
  };
  const { capAt } = observed;
  const capAgeMs = capAt === null ? null : now - capAt.getTime();
  return {
    ...observed,
    id: row.id,
    station: row.station,
    number: row.ocpp_connector,
    type: row.type,
    ratedW: row.power_w,
    leastW: leastPowerOf(row.power_w, isConnectorType(row.type) ? connectorTypes[row.type].current : 'AC'),
    // A charge that belongs to no operation cannot be limited by its transaction.
    hasProfiles: hasProfiles && (!isRunning || row.status === 'ongoing'),
    isProfileRefused: !hasProfiles,
    obeys: hasProfiles && row.obeys_for === configuredFor ? row.obeys : null,
    isOnline: row.is_online,
    isRunning,
    isOngoing: row.status === 'ongoing',
    isEnding:
      row.status === 'finishing' &&
      row.stop_requested_at !== null &&
      now - row.stop_requested_at.getTime() < stopWithinMs,
    startedAt: row.started_at,
    isSettled: capAgeMs !== null && capAgeMs >= settledMs,
    askedW: isAsked ? row.share_w : null,
    isOnTrial: isOnTrial(observed, isAsked, now),
    isTrialDue: capAgeMs === null || capAgeMs >= betweenTrialsMs,
    waitsFor: row.waiting_status === null ? null : waitsFor[row.waiting_status as keyof typeof waitsFor],
    fallbackW: row.fallback_w,
    operation: row.operation_id ?? row.waiting_id,
    user: row.user_name,
    soc: row.soc,
    secondsLeft: row.status === 'ongoing' ? secondsLeftOf(row) : null,
    chargePoint: row.charge_point_id,
    bootedAt: row.booted_at,
    rateUnits: configuration.values?.ChargingScheduleAllowedChargingRateUnit ?? '',
    configuredFor,
  };
}

const secondsLeftOf = ({
  energy_wh: energyWh,
  energy_limit_wh: limitWh,
  drawn_w: powerW,
  soc,
}: Stored): number | null => progressOf({ energyWh: energyWh ?? 0, limitWh, powerW, soc }).secondsLeft;
