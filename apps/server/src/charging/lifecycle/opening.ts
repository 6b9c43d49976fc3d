import { isDeepStrictEqual } from 'node:util';
import { isOpen } from '@fpay/contract/charging';
import { type ConnectorStatus, canStart, connectorTypes } from '@fpay/contract/connectors';
import type { IdleFee } from '@fpay/contract/idle-fee';
import { type Kopecks, kopecks } from '@fpay/contract/money';
import type { Language } from '@fpay/contract/person';
import { cardLimits, depositFor, energyLimitOf, mostKwhByBalance, type Target } from '@fpay/contract/price';
import type { RefusalCode } from '@fpay/contract/refusals';
import { can } from '@fpay/contract/roles';
import { chargePurpose } from '../../payments/purpose-texts.ts';
import type { PaymentService } from '../../payments/service.ts';
import type { Clock } from '../../platform/clock.ts';
import { isUniqueViolation } from '../../platform/database.ts';
import type { Viewer } from '../../platform/http/session.ts';
import type { DueWork } from '../../platform/jobs/due-work.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Step, Steps } from '../../platform/step.ts';
import type { ConnectorToCharge, StationService } from '../../stations/service.ts';
import type { SiteRoom } from '../moves/site-room.ts';
import type { Transitions } from '../moves/transition.ts';
import type { OperationStore, StoredOperation } from '../store.ts';
import { idleColumns, isSameIdle } from './agreed-idle.ts';
import { singleUseTag } from './single-use-tag.ts';
import type { createUnconfirmedSpending } from './unconfirmed-spending.ts';

export interface PaymentRequest {
  connector: number;
  hundredths: number;
  method: 'card' | 'balance';
  target: Target;
  refId: string | null;
  /** Per kWh, as the driver saw it; null when the caller does not send it. */
  price: number | null;
  /** The idle fee as the driver saw it, null for none; undefined when the caller does not send it. */
  idle?: IdleFee | null | undefined;
  /** The saved card that pays; null for the bank's page. */
  card: number | null;
  savesCard: boolean;
}

interface NewOperation {
  viewer: Viewer;
  request: PaymentRequest;
  connector: ConnectorToCharge;
  deposit: Kopecks;
  key: string;
  car: number | null;
}

interface Dependencies {
  operations: OperationStore;
  transitions: Transitions;
  stations: Pick<StationService, 'alternatives' | 'connectorToCharge'>;
  payments: PaymentService;
  steps: Steps;
  dueWork: Pick<DueWork, 'wake'>;
  activeCarOf: (user: number) => Promise<number | null>;
  /** Until the step ends the user opens nothing else and is not deleted. Null when the account is deleted. */
  lockPayer: (step: Step, user: number) => Promise<{ language: Language } | null>;
  publishConnector: (step: Step, connector: number) => Promise<void>;
  redirectUrl: (step: Step, operation: number, user: number) => Promise<string>;
  siteRoom: Pick<SiteRoom, 'lock' | 'mayBegin'>;
  clock: Clock;
  /** Refuses what a session may not pay with. */
  spending: ReturnType<typeof createUnconfirmedSpending>;
}

const failedHolds = { most: 5, withinMs: 60 * 60_000 };

/** Why a charge cannot be started at a connector of this status. At a free one only a cable is missing. */
const refusalOf = {
  free: 'connector_not_ready',
  ready: 'connector_not_ready',
  occupied: 'connector_taken',
  charging: 'connector_taken',
  oos: 'connector_out_of_service',
  unknown: 'connector_out_of_service',
} as const satisfies Record<ConnectorStatus, RefusalCode>;

/** From the pay button to a deposit that is being secured. */
export function createOpening(dependencies: Dependencies) {
  const { operations, transitions, stations, payments, steps, dueWork, clock } = dependencies;
  const { activeCarOf, lockPayer, publishConnector, siteRoom, spending } = dependencies;

  /**
   * A repeat of the same request, after a crash or a lost connection, finds the operation it opened and gets the same
   * answer.
   */
  async function answerFor(operation: StoredOperation): Promise<string> {
    if (operation.paymentType !== 'bank') return `s:${operation.id}`;
    const payment = await payments.ofOperation(operation.id);
    if (operation.status !== 'created' || !payment) return `s:${operation.id}`;
    return (await payments.pageOf(payment.id)) ?? `s:${operation.id}`;
  }

  async function pageOrFailure(operation: StoredOperation, paymentId: number): Promise<string> {
    try {
      return (await payments.pageOf(paymentId)) ?? `s:${operation.id}`;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const isReplaced = await steps.run(async (step) => {
        const locked = await operations.lock(step, operation.id);
        if (locked?.status !== 'created') return true;
        await transitions.move(step, locked, {
          event: 'holdFailed',
          actor: 'bank',
          why: 'the invoice could not be made',
        });
        await payments.release(step, paymentId);
        return false;
      });
      // Another request of the same user withdrew this operation before the bank had a page for it.
      throw isReplaced ? new Refusal('operation_open') : error;
    }
  }

  function depositOf({ hundredths, method, target }: PaymentRequest, price: Kopecks): Kopecks {
    const limits = cardLimits[target];
    const isCard = method === 'card';
    const isOutside =
      hundredths < limits.leastHundredths ||
      (isCard && hundredths > limits.mostHundredths) ||
      (target === 'kwh' && hundredths > mostKwhByBalance);
    if (isOutside) throw new Refusal('invalid_input', { fields: { amount: ['The amount is invalid.'] } });
    return depositFor(target, hundredths, price);
  }

  /** Cancels the user's unpaid operations and returns those that stay open, which may have been paid a moment ago. */
  async function withdrawUnpaid(step: Step, user: number, why: string): Promise<StoredOperation[]> {
    const staying: StoredOperation[] = [];
    for (const { id, status } of await operations.openOf(user, step.db)) {
      const operation = status === 'created' ? await operations.lock(step, id) : null;
      if (operation?.status !== 'created') {
        const now = operation ?? (await operations.lock(step, id));
        if (now && isOpen(now.status)) staying.push(now);
        continue;
      }
      await transitions.move(step, operation, { event: 'withdrawn', actor: 'driver', why });
      const payment = await payments.ofOperation(id, step.db);
      if (payment) await payments.release(step, payment.id);
    }
    return staying;
  }

  function checkConnector({ type, status, statusWithoutOperation }: ConnectorToCharge, isOwn: boolean): void {
    const found = isOwn ? statusWithoutOperation : status;
    if (canStart(type, found)) return;
    throw new Refusal(refusalOf[found]);
  }

  async function checkFailedHolds(step: Step, viewer: Viewer): Promise<void> {
    const since = new Date(clock.now().getTime() - failedHolds.withinMs);
    if ((await operations.failedHolds(step, viewer.id, since)) < failedHolds.most) return;
    throw new Refusal('too_many_attempts', {
      retryAfter: failedHolds.withinMs / 1000,
      extra: { limit: failedHolds.most },
    });
  }

  /** The request asks for the very operation that is open and unpaid, so its bank page still fits. */
  async function asksForSame(step: Step, own: StoredOperation, { request, connector, deposit }: NewOperation) {
    if (connector.price === 0 || request.method !== 'card' || own.paymentType !== 'bank') return false;
    const isAgreed = (request.price === null || request.price === own.price) && isSameIdle(request.idle, own);
    if (!isAgreed || own.deposit !== deposit) return false;
    const unpaid = await payments.ofOperation(own.id, step.db);
    return unpaid?.card === request.card && unpaid.savesCard === request.savesCard;
  }

  /**
   * An unpaid operation does not block its driver: the same request leads to the same bank page, another one replaces
   * it. Returns the operation to continue, or null when a new one may be opened. A refusal rolls the whole step back,
   * so an operation that was withdrawn for one that is not opened stays.
   */
  async function resumeOrMakeRoom(step: Step, wanted: NewOperation): Promise<StoredOperation | null> {
    const { viewer, connector } = wanted;
    const open = await operations.openOf(viewer.id, step.db);
    const own = open.find(({ status, connector: at }) => status === 'created' && at === connector.id);
    if (own && (await asksForSame(step, own, wanted))) return own;
    const staying = await withdrawUnpaid(step, viewer.id, 'replaced by another payment');
    if (staying.length > 0 && !can(viewer.role, 'have-multiple-operations')) throw new Refusal('operation_open');
    await checkFailedHolds(step, viewer);
    checkConnector(connector, own !== undefined && !staying.some(({ id }) => id === own.id));
    return null;
  }

  async function insert(step: Step, { viewer, request, connector, deposit, key, car }: NewOperation) {
    const price = kopecks(connector.price);
    const isFree = price === 0;
    try {
      return await operations.add(step, {
        user_id: viewer.id,
        station_id: connector.station.id,
        connector_id: connector.id,
        charge_point_id: connector.chargePointId,
        car_id: car,
        status: 'created',
        payment_type: isFree ? 'free' : request.method === 'card' ? 'bank' : 'bonuses',
        target: request.target,
        // The price is fixed from here on.
        price,
        deposit: isFree ? 0 : deposit,
        energy_limit_wh: energyLimitOf(deposit, price),
        // So is the idle fee.
        ...idleColumns(connector.idle),
        ref_id: request.refId,
        request_key: key,
        id_tag: singleUseTag(),
        created_at: clock.now(),
      });
    } catch (error) {
      // The unique indexes decide races; the checks before only give the usual refusals without an error in the
      // database.
      if (isUniqueViolation(error, 'operations_one_open_per_connector')) throw new Refusal('connector_taken');
      if (isUniqueViolation(error, 'operations_one_unpaid_per_user')) throw new Refusal('operation_open');
      throw error;
    }
  }

  async function openNew(step: Step, wanted: NewOperation, language: Language) {
    const { viewer, request, connector, deposit } = wanted;
    const { partyOnly } = await spending(step, viewer, { method: request.method, deposit });
    const operation = await insert(step, wanted);
    await operations.note(step, operation.id, 'driver', `opened at ${connector.station.number}, deposit ${deposit}`);
    await publishConnector(step, connector.id);
    step.afterCommit(() => dueWork.wake('operation'));
    if (connector.price === 0) {
      await transitions.move(step, operation, {
        event: 'depositSecured',
        actor: 'system',
        why: 'free of charge',
        changes: { next_action_at: clock.now() },
      });
      return { operation, payment: null };
    }
    const payment = await payments.openHold(step, {
      operation: operation.id,
      user: viewer.id,
      method: request.method === 'card' ? 'bank' : 'bonuses',
      deposit,
      partyOnly,
      description: chargePurpose(language, connector.station.number, connectorTypes[connector.type].name),
      redirectUrl: await dependencies.redirectUrl(step, operation.id, viewer.id),
      card: request.method === 'card' ? request.card : null,
      savesCard: request.method === 'card' && request.card === null && request.savesCard,
    });
    return { operation, payment };
  }

  async function openOrFind(wanted: NewOperation) {
    const { viewer, connector, key } = wanted;
    try {
      return await steps.run(async (step) => {
        await siteRoom.lock(step, connector.id);
        // From here on another node's request of the same user waits for this step.
        const payer = await lockPayer(step, viewer.id);
        if (!payer) throw new Refusal('unauthenticated');
        const found = (await operations.byRequestKey(key, step.db)) ?? (await resumeOrMakeRoom(step, wanted));
        if (found) return { operation: found, payment: null, isFound: true };
        const room = await siteRoom.mayBegin(step, { connector: connector.id, operation: null, user: viewer.id });
        if (room === 'full') throw new Refusal('site_full');
        return { ...(await openNew(step, wanted, payer.language)), isFound: false };
      });
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'site_full') throw error;
      const { free } = await stations.alternatives(viewer, { number: connector.station.number, type: connector.type });
      throw new Refusal('site_full', { extra: { free } });
    }
  }

  return {
    withdrawUnpaid,

    async open(viewer: Viewer, request: PaymentRequest, key: string): Promise<string> {
      const repeated = await operations.byRequestKey(key);
      if (repeated) return answerFor(repeated);

      const connector = await stations.connectorToCharge(viewer, request.connector);
      const isFree = connector.price === 0;
      const isIdleShown = request.idle === undefined || isDeepStrictEqual(request.idle, connector.idle);
      if ((request.price !== null && request.price !== connector.price) || !isIdleShown) {
        throw new Refusal('price_changed', { extra: { price: connector.price } });
      }
      const needsAccount = request.method === 'balance' || request.card !== null || request.savesCard;
      if (needsAccount && !can(viewer.role, 'use-balance')) throw new Refusal('only_for_registered');
      const deposit = isFree ? kopecks(0) : depositOf(request, kopecks(connector.price));
      const car = await activeCarOf(viewer.id);
      const opened = await openOrFind({ viewer, request, connector, deposit, key, car });
      if (opened.isFound) return answerFor(opened.operation);
      const isCard = opened.payment?.method === 'bank';
      return isCard && opened.payment ? pageOrFailure(opened.operation, opened.payment.id) : `s:${opened.operation.id}`;
    },
  };
}

export type Opening = ReturnType<typeof createOpening>;
