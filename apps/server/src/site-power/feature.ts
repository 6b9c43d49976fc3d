import type { Charging } from '../charging/feature.ts';
import type { Commands } from '../ocpp/commands/service.ts';
import type { ChargingPort } from '../ocpp/device/charging-port.ts';
import type { Audit } from '../platform/audit.ts';
import type { DueWork } from '../platform/jobs/due-work.ts';
import type { Platform } from '../platform/platform.ts';
import { createSiteController } from './controller.ts';
import { createQueuePower, type QueuePower, type WaitingForPower } from './queue-power.ts';
import type { SiteAdmission } from './site-admission.ts';
import { createSites, type Sites } from './sites.ts';

export interface SitePowerDependencies extends Pick<Platform, 'db' | 'steps' | 'clock'> {
  audit: Audit;
  dueWork: Pick<DueWork, 'register' | 'wake'>;
  setShare: Charging['powerShare']['set'];
  stopCharge: Charging['stopForSite'];
  order: Commands['order'];
  /** A function, because the queue needs the messages, which come later. */
  queue: () => WaitingForPower;
  /** Plans the site of a connector at once. */
  changed: SiteAdmission['changed'];
}

export interface SitePower {
  sites: Sites;
  queuePower: QueuePower;
  /** The hooks of charging, which also plan the site of a charge that begins or ends. */
  around(hooks: ChargingPort): ChargingPort;
}

/** The power that the connectors of a site share, wired. */
export function createSitePower(given: SitePowerDependencies): SitePower {
  const { db, steps, clock, audit, dueWork, setShare, stopCharge, order, queue, changed } = given;
  dueWork.register(createSiteController({ clock, setShare, stopCharge, order, queue }));

  return {
    queuePower: createQueuePower({ clock }),
    sites: createSites({ db, steps, clock, audit, dueWork, queue }),
    around: (hooks) => ({
      ...hooks,
      async transactionStarted(step, transaction) {
        const admitted = await hooks.transactionStarted(step, transaction);
        if (transaction.connectorId !== null) changed(step, transaction.connectorId);
        return admitted;
      },
      async operationsBegun(step, begun) {
        await hooks.operationsBegun(step, begun);
        for (const { connectorId } of begun) changed(step, connectorId);
      },
      async transactionEnded(step, transaction) {
        await hooks.transactionEnded(step, transaction);
        if (transaction.connectorId !== null) changed(step, transaction.connectorId);
      },
    }),
  };
}
