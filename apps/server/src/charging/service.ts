import { isOpen } from '@fpay/contract/charging';
import { can } from '@fpay/contract/roles';
import { sql } from 'kysely';
import type { CommandOutcome } from '../ocpp/commands/command.ts';
import type { Commands } from '../ocpp/commands/service.ts';
import type { ChargingHooks, TagStatus } from '../ocpp/hooks.ts';
import type { PaymentService } from '../payments/service.ts';
import type { Audit } from '../platform/audit.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { DueWork } from '../platform/due-work.ts';
import type { Viewer } from '../platform/http/session.ts';
import { runParts } from '../platform/parts.ts';
import { Refusal } from '../platform/refusal.ts';
import type { RowLoops } from '../platform/row-loops.ts';
import type { Step, Steps } from '../platform/step.ts';
import type { StationService } from '../stations/service.ts';
import { createAskReading } from './ask-reading.ts';
import { createCardStart } from './card-start.ts';
import { cheapestKwh } from './cheapest-kwh.ts';
import { type Cards, createDeviceEvents, type Notify } from './device.ts';
import { createDeviceLimit } from './device-limit.ts';
import { createDueOperation } from './due.ts';
import type { LateEnergy } from './late-energy.ts';
import { createLimitWatch } from './limit-watch.ts';
import { createMoneyListener } from './money.ts';
import { createMoves } from './moves.ts';
import { createOpening, type PaymentRequest } from './opening.ts';
import { createSessionEnd } from './session-end.ts';
import { createSettling } from './settling.ts';
import { createSlowReadings } from './slow-readings.ts';
import { createStarting, outcomeTo } from './starting.ts';
import { createStopping } from './stopping.ts';
import type { LogLine, Operation, OperationStore } from './store.ts';
import { createUnlock } from './unlock.ts';
import { createUnwanted } from './unwanted.ts';
import { createOperationViews } from './view.ts';
import { createWatchdog, type WatchdogSettings } from './watchdog.ts';

interface Dependencies {
  db: Database;
  operations: OperationStore;
  steps: Steps;
  dueWork: Pick<DueWork, 'register' | 'wake'>;
  clock: Clock;
  stations: Pick<StationService, 'connectorToCharge'>;
  payments: PaymentService;
  commands: Pick<Commands, 'enqueue' | 'isConnected' | 'mayHaveDone' | 'registerOutcome' | 'send'>;
  rfid: {
    authorize: (step: Step, tap: { chargePointId: number; idTag: string; leastDeposit: number }) => Promise<TagStatus>;
    payerOf: (step: Step, chargePoint: number, idTag: string) => Promise<{ user: number; deposit: number } | null>;
  };
  reward: (step: Step, operation: Operation) => Promise<void>;
  activeCarOf: (user: number) => Promise<number | null>;
  tellConnector: (step: Step, connector: number) => Promise<void>;
  redirectUrl: (step: Step, operation: number, user: number) => Promise<string>;
  notify: Notify;
  audit: Audit;
  /** What was said to the bank and by it, for those who read technical logs. */
  bankLinesOf: (payment: number) => Promise<LogLine[]>;
  lateEnergy: LateEnergy;
  watchdog: WatchdogSettings;
  rows: RowLoops;
}

/** What a device waits for the plug when it does not say: OCPP's usual value. */
const usualConnectionTimeoutSeconds = 60;

/** Charging as the rest of the product sees it: its parts put together. */
export function createChargingService(dependencies: Dependencies) {
  const { db, operations, steps, dueWork, clock, stations, payments, commands, rfid, reward, rows } = dependencies;
  const { activeCarOf, redirectUrl, tellConnector, notify, audit, bankLinesOf, lateEnergy } = dependencies;
  const views = createOperationViews(db);
  const moves = createMoves({ operations, tellConnector, clock });
  const starting = createStarting({
    operations,
    moves,
    payments,
    commands,
    connectionTimeoutOf,
    ocppConnectorOf,
    clock,
  });
  const askReading = createAskReading({ commands, ocppConnectorOf });
  const stopping = createStopping({ operations, moves, starting, commands, notify, clock });
  const settling = createSettling({ operations, moves, payments, reward, lateEnergy, clock });
  const sessionEnd = createSessionEnd({ operations, settling, lateEnergy, reward });
  const opening = createOpening({
    operations,
    moves,
    stations,
    payments,
    steps,
    dueWork,
    activeCarOf,
    redirectUrl,
    tellConnector,
    clock,
  });
  const deviceLimit = createDeviceLimit({ operations, commands, clock });
  const limitWatch = createLimitWatch({
    operations,
    stopping,
    askReading,
    deviceLimit,
    commands,
    clock,
    wakeAt,
  });
  const cards: Cards = {
    authorize: async (step, tap) =>
      rfid.authorize(step, { ...tap, leastDeposit: await cheapestKwh(step, tap.chargePointId, clock.now()) }),
    sessionStarted: createCardStart({ operations, moves, payments, payerOf: rfid.payerOf, limitWatch, clock }),
  };
  const hooks: ChargingHooks = createDeviceEvents({
    operations,
    moves,
    starting,
    commands,
    cards,
    dueWork,
    notify,
    sessionEnd,
    limitWatch,
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
    askReading,
    notify,
    clock,
    rows,
    settings: dependencies.watchdog,
  });
  const unwanted = createUnwanted({ db, steps, commands, sessionEnd, clock, rows });
  const slowReadings = createSlowReadings({ db, steps, commands, clock, rows });
  const unlock = createUnlock({ db, operations, steps, commands, clock });
  const act = createDueOperation({ operations, starting, stopping, limitWatch });

  payments.onChange(createMoneyListener({ operations, moves, settling, payments, dueWork, clock }));
  dueWork.register({ name: 'operation', table: 'operations', act });
  commands.registerOutcome(outcomeTo, commandAnswered);

  /** What became of a command, told by the gateway in its own step. */
  async function commandAnswered(step: Step, outcome: CommandOutcome): Promise<void> {
    const operation = outcome.operationId === null ? null : await operations.lock(step, outcome.operationId);
    if (!operation) return;
    const said = outcome.answer?.status ?? outcome.answer?.code ?? '';
    await operations.note(step, operation.id, 'station', `${outcome.action} ${outcome.status} ${said}`.trim(), true);
    if (outcome.action === 'RemoteStartTransaction') await starting.answered(step, operation, outcome);
    if (outcome.action === 'SetChargingProfile') await deviceLimit.answered(step, operation, outcome);
    step.afterCommit(() => dueWork.wake('operation'));
  }

  /** The due work looks once a second; a stop at the limit is wanted to the tenth. */
  function wakeAt(at: Date): void {
    const waitMs = Math.max(0, at.getTime() - clock.now().getTime());
    const wake = () => dueWork.wake('operation');
    if (clock.after) clock.after(waitMs, wake);
    else setTimeout(wake, waitMs).unref();
  }

  async function ocppConnectorOf(step: Step, connector: number): Promise<number> {
    const query = step.db.selectFrom('connectors').select('ocpp_connector').where('id', '=', connector);
    return (await query.executeTakeFirstOrThrow()).ocpp_connector;
  }

  async function connectionTimeoutOf(step: Step, chargePoint: number): Promise<number> {
    const query = step.db
      .selectFrom('charge_points')
      .select(sql<string | null>`configuration->'values'->>'ConnectionTimeOut'`.as('told'))
      .where('id', '=', chargePoint);
    const told = Number((await query.executeTakeFirst())?.told);
    return Number.isInteger(told) && told > 0 && told < 3600 ? told : usualConnectionTimeoutSeconds;
  }

  const maySee = (viewer: Viewer, owner: number) => owner === viewer.id || can(viewer.role, 'monitor-operations');

  async function isVisibleTo(viewer: Viewer, id: number): Promise<boolean> {
    const owner = await operations.ownerOf(id);
    return owner !== null && maySee(viewer, owner);
  }

  return {
    hooks,
    /** Once a minute, on one node. */
    watch: () =>
      runParts([
        ...watchdog.parts(),
        { name: 'stray charges', run: unwanted.stopAgain },
        { name: 'slow readings', run: slowReadings },
      ]),
    isVisibleTo,
    open: (viewer: Viewer, request: PaymentRequest, key: string) => opening.open(viewer, request, key),
    withdrawUnpaid: opening.withdrawUnpaid,

    async view(viewer: Viewer, id: number) {
      const found = await views.operation(id);
      // The same answer for another's operation and for none, so that ids cannot be probed.
      if (!found || !maySee(viewer, found.user)) throw new Refusal('not_found');
      return found.operation;
    },

    active: (viewer: Viewer) => views.active(viewer.id),

    /** For the bot: what runs, in the words of a message. */
    async openFor(user: number) {
      const active = await views.active(user);
      return active.flatMap(({ id, status, station_number: station, energy: energyWh, total }) =>
        isOpen(status) ? [{ id, status, station, energyWh, total }] : [],
      );
    },

    /** For the bot: false when there is nothing of theirs to stop. */
    stopFor: (user: number, id: number): Promise<boolean> =>
      stopOf(user, id).then(
        () => true,
        (error: unknown) => {
          if (error instanceof Refusal) return false;
          throw error;
        },
      ),

    stop: (viewer: Viewer, id: number) => stopOf(viewer.id, id),

    async softStop(viewer: Viewer, id: number) {
      return steps.run(async (step) => {
        const operation = await operations.lock(step, id);
        if (!operation) throw new Refusal('not_found');
        const { status } = await stopping.stop(step, operation, 'staff', `staff ${viewer.id} asked for the end`);
        const [before, after] = [{ status: operation.status }, { status }];
        const subject = { kind: 'operation', id } as const;
        await audit(step, { staff: viewer.id, action: 'operation.stop', subject, before, after });
        return status;
      });
    },

    unlock: (viewer: Viewer, id: number) => unlock(viewer.id, id),

    async logText(id: number, withTechnical: boolean): Promise<string> {
      if ((await operations.ownerOf(id)) === null) throw new Refusal('not_found');
      const told = await operations.log(id, withTechnical);
      const payment = withTechnical ? await payments.ofOperation(id) : null;
      // Of one moment: the bank's word before what it led to.
      const lines = payment ? [...(await bankLinesOf(payment.id)), ...told] : told;
      return lines
        .toSorted((one, other) => one.at.getTime() - other.at.getTime())
        .map(({ at, actor, text }) => `${at.toISOString()} ${actor}: ${text}`)
        .join('\n');
    },
  };

  async function stopOf(user: number, id: number) {
    if ((await operations.ownerOf(id)) !== user) throw new Refusal('not_found');
    return steps.run(async (step) => {
      const operation = await operations.lock(step, id);
      if (!operation) throw new Refusal('not_found');
      return (await stopping.stop(step, operation, 'driver', 'the driver asked for the end')).status;
    });
  }
}

export type ChargingService = ReturnType<typeof createChargingService>;
