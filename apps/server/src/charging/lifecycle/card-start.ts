import { kopecks } from '@fpay/contract/money';
import { energyLimitOf } from '@fpay/contract/price';
import type { StartedTransaction } from '../../ocpp/device/charging-port.ts';
import type { PaymentService } from '../../payments/service.ts';
import type { Clock } from '../../platform/clock.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Step } from '../../platform/step.ts';
import { tariffsOf } from '../../stations/connectors.ts';
import { idleFeeAt, priceAt } from '../../stations/tariff.ts';
import type { LimitWatch } from '../limit/limit-watch.ts';
import type { SiteRoom } from '../moves/site-room.ts';
import type { Transitions } from '../moves/transition.ts';
import type { OperationStore, StoredOperation } from '../store.ts';
import { idleColumns } from './agreed-idle.ts';
import { singleUseTag } from './single-use-tag.ts';

interface Dependencies {
  operations: OperationStore;
  transitions: Transitions;
  payments: PaymentService;
  payerOf: (step: Step, chargePoint: number, idTag: string) => Promise<{ user: number; deposit: number } | null>;
  limitWatch: Pick<LimitWatch, 'firstPlanAt'>;
  siteRoom: Pick<SiteRoom, 'mayBegin'>;
  clock: Clock;
}

/** A charge begun with a card at the station: the operation is opened by the device's report that power flows. */
export function createCardStart(dependencies: Dependencies) {
  const { operations, transitions, payments, payerOf, limitWatch, siteRoom, clock } = dependencies;

  async function connectorOf(step: Step, connectorId: number) {
    const [found] = await tariffsOf(step, { connector: connectorId });
    if (!found) return null;
    const price = kopecks(priceAt(found.tariff, clock.now()).price);
    return { station: found.station, price, idle: idleFeeAt(found.tariff, price) };
  }

  async function openByCard(
    step: Step,
    { chargePointId }: StartedTransaction,
    connectorId: number,
    payer: { user: number; deposit: number },
    { station, price, idle }: NonNullable<Awaited<ReturnType<typeof connectorOf>>>,
  ): Promise<StoredOperation | null> {
    const deposit = kopecks(price === 0 ? 0 : payer.deposit);
    const operation = await operations.add(step, {
      user_id: payer.user,
      station_id: station,
      connector_id: connectorId,
      charge_point_id: chargePointId,
      status: 'created',
      source: 'rfid',
      payment_type: price === 0 ? 'free' : 'bonuses',
      target: 'uah',
      price,
      deposit,
      energy_limit_wh: energyLimitOf(deposit, price),
      ...idleColumns(idle),
      id_tag: singleUseTag(),
      created_at: clock.now(),
    });
    await operations.note(step, operation.id, 'rfid', `opened by card, deposit ${deposit}`);
    if (price === 0)
      await transitions.move(step, operation, { event: 'depositSecured', actor: 'rfid', why: 'free of charge' });
    else
      await payments.openHold(step, {
        operation: operation.id,
        user: payer.user,
        method: 'bonuses',
        deposit,
        description: 'RFID',
      });
    return operations.lock(step, operation.id);
  }

  return async function startedByCard(
    step: Step,
    transaction: StartedTransaction,
  ): Promise<StoredOperation | 'Blocked' | null> {
    if (transaction.connectorId === null) return null;
    // Another driver has paid in the app and is about to start here, so a card may not start.
    if (await operations.isConnectorTaken(transaction.connectorId, step.db)) return null;
    const payer = await payerOf(step, transaction.chargePointId, transaction.idTag);
    const connector = payer && (await connectorOf(step, transaction.connectorId));
    if (!payer || !connector) return null;
    // With less than 1 kWh the charge would end before the limit can be watched, so it is not started.
    if (payer.deposit < connector.price) return 'Blocked';
    const asked = { connector: transaction.connectorId, operation: null, user: payer.user };
    const room = await siteRoom.mayBegin(step, asked);
    if (room === 'full') return 'Blocked';
    // Securing the deposit has already changed its status; the device has started, so the rest follows at once.
    const secured = await openByCard(step, transaction, transaction.connectorId, payer, connector);
    if (secured?.status !== 'pending') throw new Refusal('insufficient_balance');
    const sent = await transitions.move(step, secured, {
      event: 'startSent',
      actor: 'rfid',
      why: 'started at the station',
    });
    if (!sent) return null;
    return transitions.move(step, sent, {
      event: 'powerFlows',
      actor: 'station',
      why: `transaction ${transaction.ocppTransactionId} started`,
      changes: {
        started_at: transaction.startedAt,
        ...(await limitWatch.firstPlanAt(step, sent, transaction.receivedAt)),
      },
    });
  };
}
