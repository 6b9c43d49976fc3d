import type { Language } from '@fpay/contract/person';
import type { RefusalCode } from '@fpay/contract/refusals';
import type { CommandOutcome } from '../ocpp/commands/command.ts';
import type { Commands } from '../ocpp/commands/service.ts';
import type { Wishes, WishRules } from '../ocpp/commands/wishes.ts';
import type { ChargingPort, TagStatus } from '../ocpp/device/charging-port.ts';
import type { PaymentService } from '../payments/service.ts';
import type { Approvals } from '../platform/approvals.ts';
import type { Audit } from '../platform/audit.ts';
import type { Routes } from '../platform/http/routes.ts';
import type { DueWork } from '../platform/jobs/due-work.ts';
import { runParts } from '../platform/parts.ts';
import type { Platform } from '../platform/platform.ts';
import type { Step } from '../platform/step.ts';
import type { UserTables } from '../platform/user-tables.ts';
import type { StationService } from '../stations/service.ts';
import type { WalletService } from '../wallet/service.ts';
import type { StaffLimits } from '../wallet/staff-limits.ts';
import { createOperationReadings } from './curve.ts';
import { connectionTimeoutOf, ocppConnectorOf } from './device-facts.ts';
import { createIdleWatch } from './idle/idle-watch.ts';
import { createCardStart } from './lifecycle/card-start.ts';
import { createChargeEnd } from './lifecycle/charge-end.ts';
import { createDueOperation } from './lifecycle/due-operation.ts';
import { type Cards, createChargingPort } from './lifecycle/on-device-event.ts';
import { createPaymentListener } from './lifecycle/on-payment-changed.ts';
import { createOpening } from './lifecycle/opening.ts';
import { createStopWish } from './lifecycle/stop-wish.ts';
import { createStrayCharges } from './lifecycle/stray-charges.ts';
import { createUnconfirmedSpending, type UnconfirmedPayer } from './lifecycle/unconfirmed-spending.ts';
import { cheapestKwh } from './limit/cheapest-kwh.ts';
import { createDeviceLimit } from './limit/device-limit.ts';
import { createLimitWatch } from './limit/limit-watch.ts';
import { createPowerShare, type PowerShare } from './limit/power-share.ts';
import { createProfileWish } from './limit/profile-wish.ts';
import { createRequestReading } from './limit/request-reading.ts';
import { createSlowReadings } from './limit/slow-readings.ts';
import type { LogLine } from './log-store.ts';
import { createSettling } from './moves/settling.ts';
import type { SiteRoom } from './moves/site-room.ts';
import { createStarting } from './moves/starting.ts';
import { createStopping } from './moves/stopping.ts';
import { createTransitions } from './moves/transition.ts';
import { createUnbilledEnergy } from './moves/unbilled-energy.ts';
import type { Notify } from './notify.ts';
import type { OperationEventsPort } from './operation-events-port.ts';
import { createReward } from './reward.ts';
import { chargingRoutes } from './routes.ts';
import { type ChargingService, createChargingService } from './service.ts';
import { createOperationStaffActions, type OperationStaffActions } from './staff/commands.ts';
import { createOperationStore, type OperationStore } from './store.ts';
import { createUnlock } from './unlock.ts';
import { chargingUserTables, openChargeOf } from './user-tables.ts';
import { createOperationViews } from './view.ts';
import { createWatchdog, type WatchdogSettings } from './watchdog/watchdog.ts';

export interface ChargingDependencies extends Pick<Platform, 'db' | 'steps' | 'clock' | 'rows' | 'log'> {
  dueWork: Pick<DueWork, 'register' | 'wake'>;
  audit: Audit;
  staffLimits: StaffLimits;
  approvals: Pick<Approvals, 'on'>;
  stations: Pick<StationService, 'alternatives' | 'connectorToCharge'>;
  payments: PaymentService;
  wallet: WalletService;
  commands: Pick<
    Commands,
    'connection' | 'enqueue' | 'giveUpEarlier' | 'isConnected' | 'mayHaveDone' | 'send' | 'wasSentBefore'
  >;
  wishes: Pick<Wishes, 'want' | 'forget'>;
  rfid: {
    authorize: (step: Step, tap: { chargePointId: number; idTag: string; leastDeposit: number }) => Promise<TagStatus>;
    payerOf: (step: Step, chargePoint: number, idTag: string) => Promise<{ user: number; deposit: number } | null>;
  };
  users: {
    activeCarOf(user: number): Promise<number | null>;
    /** Null when the account no longer exists. */
    lock(step: Step, user: number): Promise<{ language: Language } | null>;
    /** False for a guest. */
    isRegistered(step: Step, user: number): Promise<boolean>;
  };
  unconfirmed: () => UnconfirmedPayer;
  publishConnector: (step: Step, connector: number) => Promise<void>;
  /** Whether an author of the promotion profits from what this user gets. */
  isOfAuthor: (step: Step, promotion: number, user: number) => Promise<boolean>;
  /** An address of ours where the bank may send this user, in any browser. */
  returnUrl: (step: Step, path: string, user: number) => Promise<string>;
  notify: Notify;
  /** The exchange with the bank about a payment, for staff who read technical logs. */
  bankLinesOf: (payment: number) => Promise<LogLine[]>;
  watchdog: WatchdogSettings;
  /** How long a device's socket may be silent before it is given up. */
  silenceMs: number;
  /** Whether the site of a connector has power for another charge. */
  siteRoom: SiteRoom;
  /** A device has answered a profile, so that its site can go on. */
  shareAnswered?: (step: Step, connector: number) => void;
  events: OperationEventsPort;
}

export interface Charging extends ChargingService {
  operations: OperationStore;
  /** Corrective actions of staff. */
  staff: OperationStaffActions;
  /** Limits a charge to its share of a site's power. */
  powerShare: Pick<PowerShare, 'set'>;
  /** Stops a running charge because its site is above its limit, and informs the driver. */
  stopForSite(step: Step, operation: number): Promise<void>;
  /** What the gateway reports to charging. */
  hooks: ChargingPort;
  /** The outcome of a command that charging enqueued. */
  commandAnswered(step: Step, outcome: CommandOutcome): Promise<void>;
  /** What charging wants of devices that may be away. */
  wishes: WishRules;
  /** Once a minute, on one node. */
  watch(): Promise<void>;
  /** What stands against the deletion of an account; null: nothing. */
  obstacle(step: Step, user: number): Promise<RefusalCode | null>;
  /** What becomes of this feature's rows when an account is merged or deleted. */
  userTables: UserTables;
  routes(routes: Routes): void;
}

/** Charging, wired: the life of an operation from its payment to its receipt. */
export function createCharging(given: ChargingDependencies): Charging {
  const { db, steps, clock, rows, dueWork, stations, payments, wallet, commands, wishes, rfid } = given;
  const { users, returnUrl, publishConnector, notify, bankLinesOf, siteRoom, unconfirmed } = given;
  const operations = createOperationStore({ db, clock, log: given.log, events: given.events });
  const reward = createReward({ ...given, operations, isRegistered: users.isRegistered });
  const unbilledEnergy = createUnbilledEnergy({ operations, wallet, clock });
  const transitions = createTransitions({ operations, publishConnector, clock });
  const starting = createStarting({
    operations,
    transitions,
    payments,
    commands,
    connectionTimeoutOf,
    ocppConnectorOf,
    siteRoom,
    notify,
    clock,
  });
  const requestReading = createRequestReading({ commands, ocppConnectorOf });
  const stopping = createStopping({ operations, transitions, starting, commands, wishes, notify, clock });
  const settling = createSettling({ operations, transitions, payments, reward, unbilledEnergy, clock });
  const idleWatch = createIdleWatch({
    operations,
    settling,
    stopping,
    commands,
    notify,
    dueWork,
    clock,
    silenceMs: given.silenceMs,
  });
  const endParts = { operations, settling, transitions, idleWatch, unbilledEnergy, wishes, reward, clock };
  const chargeEnd = createChargeEnd(endParts);
  const opening = createOpening({
    operations,
    transitions,
    stations,
    payments,
    steps,
    dueWork,
    activeCarOf: users.activeCarOf,
    lockPayer: (step, user) => users.lock(step, user),
    redirectUrl: (step, operation, user) => returnUrl(step, `/status/${operation}`, user),
    publishConnector,
    siteRoom,
    clock,
    spending: createUnconfirmedSpending(unconfirmed),
  });
  const powerShare = createPowerShare({ operations, commands, clock });
  const deviceLimit = createDeviceLimit({ operations, commands, wishes, clock, powerShare });
  const limitWatch = createLimitWatch({
    operations,
    stopping,
    requestReading,
    deviceLimit,
    commands,
    clock,
    wakeAt,
  });
  const cards: Cards = {
    authorize: async (step, tap) =>
      rfid.authorize(step, { ...tap, leastDeposit: await cheapestKwh(step, tap.chargePointId, clock.now()) }),
    startedByCard: createCardStart({
      operations,
      transitions,
      payments,
      payerOf: rfid.payerOf,
      limitWatch,
      siteRoom,
      clock,
    }),
  };
  const hooks: ChargingPort = createChargingPort({
    operations,
    transitions,
    starting,
    commands,
    wishes,
    cards,
    dueWork,
    notify,
    chargeEnd,
    limitWatch,
    idleWatch,
    siteRoom,
    clock,
    rows,
    wakeAt,
  });
  const watchdog = createWatchdog({
    db,
    steps,
    operations,
    starting,
    stopping,
    settling,
    requestReading,
    notify,
    clock,
    rows,
    settings: given.watchdog,
  });
  const unwanted = createStrayCharges({ db, steps, commands, wishes, chargeEnd, clock, rows });
  const slowReadings = createSlowReadings({ db, steps, commands, clock, rows });
  const unlock = createUnlock({ db, operations, steps, commands, clock });
  const act = createDueOperation({ operations, starting, stopping, limitWatch });

  payments.onChange(createPaymentListener({ operations, transitions, settling, payments, dueWork, clock }));
  dueWork.register({ name: 'operation', table: 'operations', lockFirst: siteRoom.lockForStart, act });
  dueWork.register(idleWatch.due);

  /** The outcome of a command, in the step of the gateway's due work. */
  async function commandAnswered(step: Step, outcome: CommandOutcome): Promise<void> {
    const operation = outcome.operationId === null ? null : await operations.lock(step, outcome.operationId);
    if (!operation) return;
    const answer = outcome.answer?.status ?? outcome.answer?.code ?? '';
    // A charger that ignores stops gets one each minute for a day; the same answer each time is one line.
    await operations.noteOnce(step, operation.id, 'station', `${outcome.action} ${outcome.status} ${answer}`.trim());
    if (outcome.action === 'RemoteStartTransaction') await starting.answered(step, operation, outcome);
    if (outcome.action === 'SetChargingProfile') {
      await powerShare.answered(step, operation, outcome);
      await deviceLimit.answered(step, operation, outcome);
      given.shareAnswered?.(step, operation.connector);
    }
    step.afterCommit(() => dueWork.wake('operation'));
  }

  /** Due work polls once a second; a stop at the limit must be exact to a tenth. */
  function wakeAt(at: Date): void {
    const waitMs = Math.max(0, at.getTime() - clock.now().getTime());
    const wake = () => dueWork.wake('operation');
    if (clock.after) clock.after(waitMs, wake);
    else setTimeout(wake, waitMs).unref();
  }

  const service = createChargingService({
    operations,
    views: createOperationViews(db, clock),
    readings: createOperationReadings(db),
    opening,
    stopping,
    unlock,
    payments,
    steps,
    bankLinesOf,
  });

  return {
    ...service,
    operations,
    staff: createOperationStaffActions({ ...given, operations, transitions, starting, stopping, settling }),
    powerShare,
    async stopForSite(step, id) {
      const operation = await operations.lock(step, id);
      if (operation?.status !== 'ongoing') return;
      await stopping.stop(step, operation, 'site_limit', 'the site is above its power limit');
      await notify(step, operation.user, 'site_limit', { operation: id });
      step.afterCommit(() => dueWork.wake('operation'));
    },
    hooks,
    commandAnswered,
    wishes: {
      stop: createStopWish({ operations, stopping, commands, clock }),
      profile: createProfileWish({ operations, deviceLimit, commands }),
    },
    watch: () =>
      runParts([
        ...watchdog.parts(),
        { name: 'stray charges', run: unwanted.stopAgain },
        { name: 'slow readings', run: slowReadings },
      ]),
    userTables: chargingUserTables({ withdrawUnpaid: opening.withdrawUnpaid }),
    obstacle: openChargeOf(operations, payments),
    routes: (routes: Routes): void => chargingRoutes(routes, service),
  };
}
