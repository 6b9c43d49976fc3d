import type { Commands } from '../ocpp/commands/service.ts';
import { noteAnomalies } from '../ocpp/device/anomalies.ts';
import type { Clock } from '../platform/clock.ts';
import type { DueKind } from '../platform/jobs/due-work.ts';
import type { Step } from '../platform/step.ts';
import { planSite } from './divide.ts';
import { chargesToStop, takenAt } from './excess.ts';
import { keepFallbacks } from './fallbacks.ts';
import { observe } from './observe.ts';
import type { WaitingForPower } from './queue-power.ts';
import { siteLimitAt } from './site-limit.ts';
import { connectorsOfSite, type SiteConnectorRow } from './site-rows.ts';

interface Dependencies {
  clock: Clock;
  /** Asks a device to take no more than this; false when the charge does not run any more. */
  setShare(step: Step, operation: number, watts: number): Promise<boolean>;
  /** Stops a charge because its site is above its limit, and informs the driver. */
  stopCharge(step: Step, operation: number): Promise<void>;
  order: Commands['order'];
  queue: () => Pick<WaitingForPower, 'look'>;
}

/** How often the shares are planned while cars charge. Starts, ends and answers plan them at once. */
const planEveryMs = 2_000;
/** While the site is above its limit. */
const planOverEveryMs = 1_000;
/** Without a running charge. A start that could not announce itself is found by then. */
const idlePlanEveryMs = 8_000;
/** Cars that must wait for each other change places this often; a pause is not shorter, because some do not wake from short ones. */
const turnMs = 5 * 60_000;
/** Devices have this long to lower their power; then charges are stopped. */
const mostOverMs = 5_000;

interface Excess {
  limitW: number;
  connectors: readonly SiteConnectorRow[];
  overSince: Date | null;
  now: Date;
}

/** Divides the power of each site while cars charge. One step plans one site, so two nodes never plan the same. */
export function createSiteController({ clock, setShare, stopCharge, order, queue }: Dependencies): DueKind {
  /** Returns since when the site is above its limit. */
  async function keepLimit(step: Step, { limitW, connectors, overSince, now }: Excess): Promise<Date | null> {
    const takenW = takenAt(connectors);
    if (takenW <= limitW) return null;
    if (overSince === null) return now;
    if (now.getTime() - overSince.getTime() < mostOverMs) return overSince;
    const stopped = new Set(chargesToStop(limitW, connectors));
    for (const operation of stopped) await stopCharge(step, operation);
    const anomalies = connectors
      .filter(({ operation }) => operation !== null && stopped.has(operation))
      .map(({ chargePoint, number, operation }) => ({
        chargePointId: chargePoint,
        kind: 'siteLimitStop' as const,
        subject: `connector ${number}`,
        details: { operation, limitW, takenW },
      }));
    await noteAnomalies(step, anomalies, now);
    return overSince;
  }

  return {
    name: 'site-power',
    table: 'sites',
    async act(step, id) {
      const site = await step.db
        .selectFrom('sites')
        .select(['id', 'has_queue', 'limit_w', 'reserve_w', 'hours_from', 'hours_to', 'hours_limit_w', 'over_since'])
        .where('id', '=', id)
        .executeTakeFirst();
      if (!site) return;
      const now = clock.now();
      const connectors = await observe(step, await connectorsOfSite(step.db, id, now.getTime()), now);
      const limitW = siteLimitAt(site, now) - site.reserve_w;
      const { orders } = planSite(limitW, connectors, Math.floor(now.getTime() / turnMs));
      const operationOf = new Map(connectors.map((one) => [one.id, one.operation]));
      for (const { id: connector, watts } of orders) {
        const operation = operationOf.get(connector) ?? null;
        if (operation !== null) await setShare(step, operation, watts);
      }
      const overSince = await keepLimit(step, { limitW, connectors, overSince: site.over_since, now });
      if (site.has_queue) await queue().look(step, id);
      await keepFallbacks(step, order, site, connectors, now);
      const isActive = site.has_queue || connectors.some((one) => one.isRunning || one.waitsFor !== null);
      const pauseMs = overSince !== null ? planOverEveryMs : isActive ? planEveryMs : idlePlanEveryMs;
      await step.db
        .updateTable('sites')
        .set({ next_action_at: new Date(now.getTime() + pauseMs), over_since: overSince })
        .where('id', '=', id)
        .execute();
    },
  };
}
