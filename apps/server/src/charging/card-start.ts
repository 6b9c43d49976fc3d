import { kopecks } from '@fpay/contract/money';
import { energyLimitOf } from '@fpay/contract/price';
import type { SessionStarted } from '../ocpp/hooks.ts';
import type { PaymentService } from '../payments/service.ts';
import type { Clock } from '../platform/clock.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step } from '../platform/step.ts';
import { priceAt, readTariff } from '../stations/tariff.ts';
import type { LimitWatch } from './limit-watch.ts';
import type { Moves } from './moves.ts';
import { singleUseTag } from './single-use-tag.ts';
import type { Operation, OperationStore } from './store.ts';

interface Dependencies {
  operations: OperationStore;
  moves: Moves;
  payments: PaymentService;
  payerOf: (step: Step, chargePoint: number, idTag: string) => Promise<{ user: number; deposit: number } | null>;
  limitWatch: Pick<LimitWatch, 'firstPlan'>;
  clock: Clock;
}

/** A charge begun with a card at the station: the operation is opened by the device's own word that power flows. */
export function createCardStart({ operations, moves, payments, payerOf, limitWatch, clock }: Dependencies) {
  async function connectorOf(step: Step, connectorId: number) {
    const row = await step.db
      .selectFrom('connectors')
      .innerJoin('tariffs', 'tariffs.id', 'connectors.tariff_id')
      .select(['connectors.station_id', 'tariffs.price', 'tariffs.hours', 'tariffs.discount'])
      .where('connectors.id', '=', connectorId)
      .executeTakeFirst();
    if (!row) return null;
    const { price } = priceAt(readTariff({ price: row.price, hours: row.hours, discount: row.discount }), clock.now());
    return { station: row.station_id, price: kopecks(price) };
  }

  return async function sessionStarted(step: Step, session: SessionStarted): Promise<Operation | 'Blocked' | null> {
    if (session.connectorId === null) return null;
    // Somebody has paid in the app and is about to start here: a card does not push in.
    if (await operations.openOnConnector(step, session.connectorId)) return null;
    const payer = await payerOf(step, session.chargePointId, session.idTag);
    const connector = payer && (await connectorOf(step, session.connectorId));
    if (!payer || !connector) return null;
    const { station, price } = connector;
    // Less than 1 kWh is not worth a start: it would end before the limit can be watched.
    if (payer.deposit < price) return 'Blocked';
    const deposit = kopecks(price === 0 ? 0 : payer.deposit);
    const operation = await operations.add(step, {
      user_id: payer.user,
      station_id: station,
      connector_id: session.connectorId,
      charge_point_id: session.chargePointId,
      status: 'created',
      source: 'rfid',
      payment_type: price === 0 ? 'free' : 'bonuses',
      target: 'uah',
      price,
      deposit,
      energy_limit_wh: energyLimitOf(deposit, price),
      id_tag: singleUseTag(),
      created_at: clock.now(),
    });
    await operations.note(step, operation.id, 'rfid', `opened by card, deposit ${deposit}`);
    if (price === 0)
      await moves.move(step, operation, { event: 'depositSecured', actor: 'rfid', why: 'free of charge' });
    else
      await payments.openHold(step, {
        operation: operation.id,
        user: payer.user,
        method: 'bonuses',
        deposit,
        description: 'RFID',
      });

    // Securing the deposit has moved it on already; the device has started, so the rest follows at once.
    const secured = await operations.lock(step, operation.id);
    if (secured?.status !== 'pending') throw new Refusal('insufficient_balance');
    const sent = await moves.move(step, secured, { event: 'startSent', actor: 'rfid', why: 'started at the station' });
    if (!sent) return null;
    return moves.move(step, sent, {
      event: 'powerFlows',
      actor: 'station',
      why: `transaction ${session.ocppTransactionId} started`,
      changes: { started_at: session.startedAt, ...(await limitWatch.firstPlan(step, sent, session.receivedAt)) },
    });
  };
}
