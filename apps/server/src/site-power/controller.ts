import { connectorTypes, isConnectorType } from '@fpay/contract/connectors';
import { sql } from 'kysely';
import { takesProfiles } from '../charging/limit/power-share.ts';
import type { Commands } from '../ocpp/commands/service.ts';
import type { KeptConfiguration } from '../ocpp/connections/configuration.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { DueKind } from '../platform/due-work.ts';
import type { Step } from '../platform/step.ts';
import { leastPowerOf, planSite, type SiteConnector } from './divide.ts';
import { keepFallbacks } from './fallbacks.ts';
import { siteLimitAt } from './site-limit.ts';

interface Dependencies {
  clock: Clock;
  /** Asks a device to take no more than this; false when the charge does not run any more. */
  setShare(step: Step, operation: number, watts: number): Promise<boolean>;
  order: Commands['order'];
}

/** How often the shares are planned while cars charge. Starts, ends and answers plan them at once. */
const planEveryMs = 2_000;
/** Without a running charge. A start that could not announce itself is found by then. */
const idlePlanEveryMs = 8_000;
/** Readings come every ten seconds, so a car that takes less is known to do so after this time. */
const settledMs = 20_000;
/** Cars that must wait for each other change places this often; a pause is not shorter, because some do not wake from short ones. */
const turnMs = 5 * 60_000;
/** A device that has not answered for this long is asked again. */
const answerWithinMs = 5_000;

export interface SiteConnectorRow extends SiteConnector {
  operation: number | null;
  station: string;
  number: number;
  type: string;
  user: string | null;
  soc: number | null;
  isProfileRefused: boolean;
  chargePoint: number;
  bootedAt: Date | null;
  /** As the device names its units of power. */
  rateUnits: string;
}

interface Stored {
  id: number;
  station: string;
  ocpp_connector: number;
  type: string;
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
  soc: number | null;
  share_w: number | null;
  share_cap_w: number | null;
  share_cap_at: Date | null;
  asked_at: Date | null;
  user_name: string | null;
}

/** Every connector of a site as it is now. */
export async function connectorsOfSite(
  db: Database | Step['db'],
  site: number,
  now: number,
): Promise<SiteConnectorRow[]> {
  const { rows } = await sql<Stored>`
    select c.id, s.number as station, c.ocpp_connector, c.type, c.power_w, p.is_online, p.configuration,
      p.profile_refused_by, p.id as charge_point_id, p.booted_at, t.id as transaction_id, o.id as operation_id, o.status, o.power_w as drawn_w, o.soc, o.share_w,
      o.share_cap_w, o.share_cap_at, k.created_at as asked_at, u.name as user_name
    from site_stations ss join stations s on s.id = ss.station_id join connectors c on c.station_id = s.id
      join charge_points p on p.id = c.charge_point_id
      left join lateral (select t.id, t.operation_id from ocpp_transactions t where t.connector_id = c.id
        and t.stopped_at is null order by t.id desc limit 1) t on true
      left join operations o on o.id = t.operation_id
      left join commands k on k.id = o.share_command_id
      left join users u on u.id = o.user_id
    where ss.site_id = ${site} and c.removed_at is null order by s.number, c.ocpp_connector`.execute(db);
  return rows.map((row) => {
    const { configuration, profile_refused_by: profileRefusedBy } = row;
    const hasProfiles = takesProfiles({ configuration, profileRefusedBy });
    const isAsked = row.asked_at !== null && now - row.asked_at.getTime() < answerWithinMs;
    return {
      id: row.id,
      station: row.station,
      number: row.ocpp_connector,
      type: row.type,
      ratedW: row.power_w,
      leastW: leastPowerOf(row.power_w, isConnectorType(row.type) ? connectorTypes[row.type].current : 'AC'),
      // A charge that belongs to no operation cannot be limited by its transaction.
      hasProfiles: hasProfiles && (row.transaction_id === null || row.status === 'ongoing'),
      isProfileRefused: !hasProfiles,
      isOnline: row.is_online,
      isRunning: row.transaction_id !== null,
      drawnW: row.drawn_w,
      capW: row.share_cap_w,
      isSettled: row.share_cap_at !== null && now - row.share_cap_at.getTime() >= settledMs,
      askedW: isAsked ? row.share_w : null,
      operation: row.operation_id,
      user: row.user_name,
      soc: row.soc,
      chargePoint: row.charge_point_id,
      bootedAt: row.booted_at,
      rateUnits: configuration.values?.ChargingScheduleAllowedChargingRateUnit ?? '',
    };
  });
}

/** Divides the power of each site while cars charge there. One step plans one site, so two nodes never plan the same. */
export function createSiteController({ clock, setShare, order }: Dependencies): DueKind {
  return {
    name: 'site-power',
    table: 'sites',
    async act(step, id) {
      const site = await step.db
        .selectFrom('sites')
        .select(['id', 'limit_w', 'reserve_w', 'hours_from', 'hours_to', 'hours_limit_w'])
        .where('id', '=', id)
        .executeTakeFirst();
      if (!site) return;
      const now = clock.now().getTime();
      const connectors = await connectorsOfSite(step.db, id, now);
      const { orders } = planSite(
        siteLimitAt(site, new Date(now)) - site.reserve_w,
        connectors,
        Math.floor(now / turnMs),
      );
      const operationOf = new Map(connectors.map((one) => [one.id, one.operation]));
      for (const { id: connector, watts } of orders) {
        const operation = operationOf.get(connector) ?? null;
        if (operation !== null) await setShare(step, operation, watts);
      }
      await keepFallbacks(step, order, site, connectors, new Date(now));
      const isRunning = connectors.some((one) => one.isRunning);
      await step.db
        .updateTable('sites')
        .set({ next_action_at: new Date(now + (isRunning ? planEveryMs : idlePlanEveryMs)) })
        .where('id', '=', id)
        .execute();
    },
  };
}

/** Plans the site of this connector now, if it has one. */
export async function planSiteOf(step: Step, connector: number, now: Date): Promise<boolean> {
  const done = await sql`
    update sites set next_action_at = ${now} where id = (select ss.site_id from connectors c
      join site_stations ss on ss.station_id = c.station_id where c.id = ${connector})`.execute(step.db);
  return (done.numAffectedRows ?? 0n) > 0n;
}
