import { canStart } from '@fpay/contract/connectors';
import { type Kopecks, kopecks } from '@fpay/contract/money';
import { cardLimits, depositFor, energyLimitOf, mostKwhByBalance, type Target } from '@fpay/contract/price';
import { can } from '@fpay/contract/roles';
import type { PaymentService } from '../payments/service.ts';
import type { Clock } from '../platform/clock.ts';
import { isUniqueViolation } from '../platform/database.ts';
import type { DueWork } from '../platform/due-work.ts';
import type { Viewer } from '../platform/http/session.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step, Steps } from '../platform/step.ts';
import type { ConnectorToCharge, StationService } from '../stations/service.ts';
import type { Moves } from './moves.ts';
import { singleUseTag } from './single-use-tag.ts';
import type { Operation, OperationStore } from './store.ts';

export interface PaymentRequest {
  connector: number;
  hundredths: number;
  method: 'card' | 'balance';
  target: Target;
  refId: string | null;
}

interface Dependencies {
  operations: OperationStore;
  moves: Moves;
  stations: Pick<StationService, 'connectorToCharge'>;
  payments: PaymentService;
  steps: Steps;
  dueWork: Pick<DueWork, 'wake'>;
  activeCarOf: (user: number) => Promise<number | null>;
  tellConnector: (step: Step, connector: number) => Promise<void>;
  redirectUrl: (step: Step, operation: number, user: number) => Promise<string>;
  clock: Clock;
}

const failedHolds = { most: 5, withinMs: 60 * 60_000 };

/** From the pay button to a deposit that is on its way to be secured. */
export function createOpening(dependencies: Dependencies) {
  const { operations, moves, stations, payments, steps, dueWork, activeCarOf, tellConnector, clock } = dependencies;

  /** The same request again, after a crash or a dead network: finds what it opened and answers the same. */
  async function answerFor(operation: Operation): Promise<string> {
    if (operation.paymentType !== 'bank') return `s:${operation.id}`;
    const payment = await payments.ofOperation(operation.id);
    if (operation.status !== 'created' || !payment) return `s:${operation.id}`;
    return payments.pageOf(payment.id);
  }

  async function pageOrFailure(operation: Operation, paymentId: number): Promise<string> {
    try {
      return await payments.pageOf(paymentId);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      await steps.run(async (step) => {
        const locked = await operations.lock(step, operation.id);
        if (locked?.status !== 'created') return;
        await moves.move(step, locked, { event: 'holdFailed', actor: 'bank', why: 'the invoice could not be made' });
        await payments.release(step, paymentId);
      });
      throw error;
    }
  }

  function depositOf({ hundredths, method, target }: PaymentRequest, price: Kopecks): Kopecks {
    const limits = cardLimits[target];
    const isCard = method === 'card';
    const isOutside =
      hundredths < (isCard ? limits.leastHundredths : 1) ||
      (isCard && hundredths > limits.mostHundredths) ||
      (target === 'kwh' && hundredths > mostKwhByBalance);
    if (isOutside) throw new Refusal('invalid_input', { fields: { amount: ['The amount is invalid.'] } });
    return depositFor(target, hundredths, price);
  }

  /** An unpaid operation does not trap its driver: the same wish leads back to the same bank page, another replaces it. */
  async function resumeOrWithdraw(viewer: Viewer, request: PaymentRequest, deposit: Kopecks, isFree: boolean) {
    for (const unpaid of (await operations.openOf(viewer.id)).filter(({ status }) => status === 'created')) {
      const isSame = unpaid.connector === request.connector && unpaid.deposit === deposit && !isFree;
      if (isSame && request.method === 'card') return answerFor(unpaid);
      await withdraw(unpaid.id, 'driver', 'replaced by another payment');
    }
    return null;
  }

  async function withdraw(id: number, actor: string, why: string): Promise<Operation | null> {
    return steps.run(async (step) => {
      const operation = await operations.lock(step, id);
      if (!operation) return null;
      const moved = await moves.move(step, operation, { event: 'withdrawn', actor, why });
      const payment = moved && (await payments.ofOperation(id, step.db));
      if (payment) await payments.release(step, payment.id);
      return moved;
    });
  }

  function checkConnector({ type, status }: ConnectorToCharge): void {
    if (canStart(type, status)) return;
    throw new Refusal(status === 'occupied' || status === 'charging' ? 'connector_taken' : 'connector_not_ready');
  }

  async function checkUser(viewer: Viewer): Promise<void> {
    const open = await operations.openOf(viewer.id);
    if (open.length > 0 && !can(viewer.role, 'have-multiple-operations')) throw new Refusal('operation_open');
    const since = new Date(clock.now().getTime() - failedHolds.withinMs);
    if ((await operations.failedHolds(viewer.id, since)) >= failedHolds.most) {
      throw new Refusal('too_many_attempts', {
        retryAfter: failedHolds.withinMs / 1000,
        extra: { limit: failedHolds.most },
      });
    }
  }

  async function insert(
    step: Step,
    viewer: Viewer,
    request: PaymentRequest,
    connector: ConnectorToCharge,
    deposit: Kopecks,
    key: string,
    car: number | null,
  ) {
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
        ref_id: request.refId,
        request_key: key,
        id_tag: singleUseTag(),
        created_at: clock.now(),
      });
    } catch (error) {
      // The unique index decides the race for a connector; the checks before only make the "no" polite.
      if (isUniqueViolation(error, 'operations_one_open_per_connector')) throw new Refusal('connector_taken');
      throw error;
    }
  }

  return {
    withdraw,

    async open(viewer: Viewer, request: PaymentRequest, key: string): Promise<string> {
      const repeated = await operations.byRequestKey(key);
      if (repeated) return answerFor(repeated);

      const connector = await stations.connectorToCharge(viewer, request.connector);
      const isFree = connector.price === 0;
      if (request.method === 'balance' && !can(viewer.role, 'use-balance')) throw new Refusal('only_for_registered');
      const deposit = isFree ? kopecks(0) : depositOf(request, kopecks(connector.price));
      const resumed = await resumeOrWithdraw(viewer, request, deposit, isFree);
      if (resumed) return resumed;
      await checkUser(viewer);
      checkConnector(await stations.connectorToCharge(viewer, request.connector));

      const car = await activeCarOf(viewer.id);
      const opened = await steps.run(async (step) => {
        const operation = await insert(step, viewer, request, connector, deposit, key, car);
        await operations.note(
          step,
          operation.id,
          'driver',
          `opened at ${connector.station.number}, deposit ${deposit}`,
        );
        await tellConnector(step, connector.id);
        step.afterCommit(() => dueWork.wake('operation'));
        if (isFree) {
          await moves.move(step, operation, {
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
          description: `${connector.station.number} · ${connector.type}`,
          redirectUrl: await dependencies.redirectUrl(step, operation.id, viewer.id),
        });
        return { operation, payment };
      });
      const isCard = opened.payment?.method === 'bank';
      return isCard && opened.payment ? pageOrFailure(opened.operation, opened.payment.id) : `s:${opened.operation.id}`;
    },
  };
}

export type Opening = ReturnType<typeof createOpening>;
