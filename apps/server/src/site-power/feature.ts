import type { Charging } from '../charging/feature.ts';
import type { Commands } from '../ocpp/commands/service.ts';
import type { ChargingPort } from '../ocpp/transactions/charging-port.ts';
import type { Audit } from '../platform/audit.ts';
import type { DueWork } from '../platform/due-work.ts';
import type { Platform } from '../platform/platform.ts';
import type { Step } from '../platform/step.ts';
import { createSiteController, planSiteOf } from './controller.ts';
import { createSites, type Sites } from './sites.ts';

export interface SitePowerDependencies extends Pick<Platform, 'db' | 'steps' | 'clock' | 'log'> {
  audit: Audit;
  dueWork: Pick<DueWork, 'register' | 'wake'>;
  setShare: Charging['powerShare']['set'];
  order: Commands['order'];
}

export interface SitePower {
  sites: Sites;
  /** A charge of this connector began or ended, or its device answered: its site is planned at once. */
  changed(step: Step, connector: number): void;
  /** The hooks of charging, which also plan the site of a charge that begins or ends. */
  around(hooks: ChargingPort): ChargingPort;
}

/** The power that the connectors of a site share, wired. */
export function createSitePower(given: SitePowerDependencies): SitePower {
  const { db, steps, clock, log, audit, dueWork, setShare, order } = given;
  dueWork.register(createSiteController({ clock, setShare, order }));

  /**
   * In a step of its own after the commit: the plan of a site locks the site and then operations, so a step that has
   * locked an operation must not wait for the site. What is lost with the process is found by the next regular plan.
   */
  function changed(step: Step, connector: number): void {
    step.afterCommit(() => {
      steps
        .run((own) => planSiteOf(own, connector, clock.now()))
        .then(
          (hasSite) => hasSite && dueWork.wake('site-power'),
          (error: unknown) => log.warn({ err: error, connector }, 'site plan delayed'),
        );
    });
  }

  return {
    sites: createSites({ db, steps, clock, audit, dueWork }),
    changed,
    around: (hooks) => ({
      ...hooks,
      async transactionStarted(step, transaction) {
        const admitted = await hooks.transactionStarted(step, transaction);
        if (transaction.connectorId !== null) changed(step, transaction.connectorId);
        return admitted;
      },
      async transactionEnded(step, transaction) {
        await hooks.transactionEnded(step, transaction);
        if (transaction.connectorId !== null) changed(step, transaction.connectorId);
      },
    }),
  };
}
