import {
  type ActiveOperation,
  isOpen,
  type OpenStatus,
  type Operation,
  type OperationStatus,
  type UnlockOutcome,
} from '@fpay/contract/charging';
import type { PowerCurve } from '@fpay/contract/power-curve';
import type { PaymentService } from '../payments/service.ts';
import type { Viewer } from '../platform/http/session.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Steps } from '../platform/step.ts';
import { textLog } from '../platform/watching/log-lines.ts';
import type { OperationReadings } from './curve.ts';
import type { Opening, PaymentRequest } from './lifecycle/opening.ts';
import type { LogLine } from './log-store.ts';
import { maySee } from './may-see.ts';
import type { Stopping } from './moves/stopping.ts';
import type { OperationStore, StoredOperation } from './store.ts';
import type { Unlock } from './unlock.ts';
import type { OperationViews } from './view.ts';

/** A charge that has not ended, as the bot shows it. */
export interface OpenCharge {
  id: number;
  status: OpenStatus;
  station: string;
  energyWh: number;
  total: number;
}

/** What drivers, staff and the bot may ask of charging. Another driver's operation is refused like one that does not exist. */
export interface ChargingService {
  isVisibleTo(viewer: Viewer, id: number): Promise<boolean>;
  /**
   * Opens an operation and its payment and returns the bank's page, or our own page when nothing is left to pay there. The same
   * key opens once.
   * @refuses not_found, closed_station, connector_not_ready, connector_taken, connector_out_of_service, operation_open,
   * only_for_registered, unauthenticated, invalid_input, price_changed, site_full, pricing_unavailable, insufficient_balance,
   * too_many_attempts, bank_away
   */
  open(viewer: Viewer, request: PaymentRequest, key: string): Promise<string>;
  /** @refuses not_found */
  view(viewer: Viewer, id: number): Promise<Operation>;
  /** @refuses not_found */
  curve(viewer: Viewer, id: number): Promise<PowerCurve>;
  active(viewer: Viewer): Promise<ActiveOperation[]>;
  /** For the bot: the open operations as texts of a message. */
  openFor(user: number): Promise<OpenCharge[]>;
  /** For the bot: false when the user has nothing to stop. */
  stopFor(user: number, id: number): Promise<boolean>;
  /** @refuses not_found */
  stop(viewer: Viewer, id: number): Promise<OperationStatus>;
  /**
   * Cancels an operation only while it is unpaid: one that was paid a moment ago goes on. Returns its status.
   * @refuses not_found
   */
  withdraw(viewer: Viewer, id: number): Promise<OperationStatus>;
  /** @refuses not_found, operation_open, connector_taken */
  unlock(viewer: Viewer, id: number): Promise<UnlockOutcome>;
  /**
   * The operation's log as text, for staff; with what was exchanged with the bank when technical lines are included.
   * @refuses not_found
   */
  logText(id: number, withTechnical: boolean): Promise<string>;
}

interface Dependencies {
  operations: OperationStore;
  views: OperationViews;
  readings: OperationReadings;
  opening: Pick<Opening, 'open'>;
  stopping: Pick<Stopping, 'stop'>;
  unlock: Unlock;
  payments: Pick<PaymentService, 'ofOperation'>;
  steps: Steps;
  bankLinesOf: (payment: number) => Promise<LogLine[]>;
}

/** What drivers, staff and the bot may request from charging. */
export function createChargingService(dependencies: Dependencies): ChargingService {
  const { operations, views, readings, opening, stopping, unlock, payments, steps, bankLinesOf } = dependencies;

  async function isVisibleTo(viewer: Viewer, id: number): Promise<boolean> {
    const user = await operations.ownerOf(id);
    return maySee(user === null ? null : { user }, viewer);
  }

  return {
    isVisibleTo,
    open: (viewer: Viewer, request: PaymentRequest, key: string) => opening.open(viewer, request, key),

    async view(viewer: Viewer, id: number) {
      const found = await views.operation(id);
      if (!maySee(found, viewer)) throw new Refusal('not_found');
      return found.operation;
    },

    async curve(viewer: Viewer, id: number) {
      if (!(await isVisibleTo(viewer, id))) throw new Refusal('not_found');
      const [{ beganAt, seconds, powerW }, soc] = await Promise.all([readings.curve(id), readings.stateOfCharge(id)]);
      const began_at = beganAt?.toISOString() ?? null;
      return { began_at, seconds, power: powerW, soc_first: soc.first, soc_last: soc.last };
    },

    active: (viewer: Viewer) => views.active(viewer.id),

    async openFor(user: number) {
      const active = await views.active(user);
      return active.flatMap(({ id, status, station_number: station, energy: energyWh, total }) =>
        isOpen(status) ? [{ id, status, station, energyWh, total }] : [],
      );
    },

    stopFor: (user: number, id: number): Promise<boolean> =>
      stopOf(user, id).then(
        () => true,
        (error: unknown) => {
          if (error instanceof Refusal) return false;
          throw error;
        },
      ),

    stop: (viewer: Viewer, id: number) => stopOf(viewer.id, id),

    withdraw: (viewer: Viewer, id: number) => stopOf(viewer.id, id, ({ status }) => status === 'created'),

    unlock: (viewer: Viewer, id: number) => unlock(viewer.id, id),

    async logText(id: number, withTechnical: boolean): Promise<string> {
      if ((await operations.ownerOf(id)) === null) throw new Refusal('not_found');
      const ownLines = await operations.log(id, withTechnical);
      const payment = withTechnical ? await payments.ofOperation(id) : null;
      // At the same time, the bank's message comes before its effect.
      const lines = payment ? [...(await bankLinesOf(payment.id)), ...ownLines] : ownLines;
      const inOrder = lines.toSorted((one, other) => one.at.getTime() - other.at.getTime());
      return textLog(inOrder.map((line) => ({ ...line, at: line.at.toISOString() })));
    },
  };

  async function stopOf(user: number, id: number, isWanted: (operation: StoredOperation) => boolean = () => true) {
    if ((await operations.ownerOf(id)) !== user) throw new Refusal('not_found');
    return steps.run(async (step) => {
      const operation = await operations.lock(step, id);
      if (!operation) throw new Refusal('not_found');
      if (!isWanted(operation)) return operation.status;
      return (await stopping.stop(step, operation, 'driver', 'the driver asked for the end')).status;
    });
  }
}
