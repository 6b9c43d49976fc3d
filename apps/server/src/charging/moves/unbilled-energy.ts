import { kopecks, type WattHours, wattHours } from '@fpay/contract/money';
import { realTotalOf, totalOf } from '@fpay/contract/price';
import { sql } from 'kysely';
import { deliveredFor, refusedTagOf } from '../../ocpp/transactions/find-transaction.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Step } from '../../platform/step.ts';
import { connectorTariff } from '../../stations/connectors.ts';
import { priceAt } from '../../stations/tariff.ts';
import type { WalletService } from '../../wallet/service.ts';
import { network } from '../../wallet/transfer.ts';
import type { OperationStore, StoredOperation } from '../store.ts';

interface Dependencies {
  operations: OperationStore;
  wallet: Pick<WalletService, 'transfer'>;
  clock: Clock;
}

/** A charge that no operation pays for. */
interface StrayCharge {
  ocppTransaction: number;
  connector: number | null;
  energy: WattHours;
  /** It goes on, so more will follow. */
  isRunning?: boolean;
}

/** A charge that goes on for a day is some rows, not one for each of its minutes. */
const runningEveryMs = 10 * 60_000;

interface Account {
  station: number;
  operation: number | null;
  /** Null for the energy of the operation's own charge. */
  ocppTransaction: number | null;
}

interface Sum {
  energy: number;
  amount: number;
}

/**
 * Energy that a device delivered and no bill contains is the network's loss at the tariff. Each call books the
 * difference to what is booked already, so it may be called again after every report of the device.
 */
export function createUnbilledEnergy({ operations, wallet, clock }: Dependencies) {
  async function booked(
    step: Step,
    { operation, ocppTransaction }: Account,
  ): Promise<Sum & { rows: number; lastAt: Date | null }> {
    const which =
      ocppTransaction === null
        ? sql`operation_id = ${operation} and ocpp_transaction_id is null`
        : sql`ocpp_transaction_id = ${ocppTransaction}`;
    const { rows } = await sql<Sum & { rows: number; lastAt: Date | null }>`
      select coalesce(sum(energy_wh), 0)::bigint as energy, coalesce(sum(amount), 0)::bigint as amount,
        count(*)::int as rows, max(booked_at) as "lastAt" from unbilled_energy where ${which}`.execute(step.db);
    return rows[0] ?? { energy: 0, amount: 0, rows: 0, lastAt: null };
  }

  async function book(step: Step, account: Account, { energy, amount }: Sum, isRunning = false): Promise<void> {
    const before = await booked(step, account);
    const more = { energy: energy - before.energy, amount: amount - before.amount };
    if (more.energy === 0 && more.amount === 0) return;
    if (isRunning && before.lastAt && clock.now().getTime() - before.lastAt.getTime() < runningEveryMs) return;
    const { station, operation, ocppTransaction } = account;
    const what = ocppTransaction === null ? `operation:${operation}` : `transaction:${ocppTransaction}`;
    const key = more.amount === 0 ? null : `${what}:unbilled:${before.rows + 1}`;
    await step.db
      .insertInto('unbilled_energy')
      .values({
        station_id: station,
        operation_id: operation,
        ocpp_transaction_id: ocppTransaction,
        energy_wh: more.energy,
        amount: more.amount,
        transfer_key: key,
        booked_at: clock.now(),
      })
      .execute();
    const whose = ocppTransaction === null ? '' : `transaction ${ocppTransaction}: `;
    if (operation !== null && (!isRunning || before.rows === 0))
      await operations.note(step, operation, 'station', `${whose}${energy} Wh in no bill, ${amount} booked to losses`);
    if (key === null) return;
    const isMore = more.amount > 0;
    await wallet.transfer(step, [
      {
        key,
        kind: 'lost',
        from: isMore ? network.losses : network.revenue,
        to: isMore ? network.revenue : network.losses,
        amount: kopecks(Math.abs(more.amount)),
        ...(operation !== null && { operation }),
      },
    ]);
  }

  return {
    /** `billed` is the part of the delivered energy that the driver's bill has, as far as the deposit pays for it. */
    async ofOperation(
      step: Step,
      operation: StoredOperation,
      { delivered, billed, isRunning }: { delivered: WattHours; billed: WattHours; isRunning?: boolean },
    ): Promise<void> {
      const { id, station, price, deposit } = operation;
      const all = wattHours(Math.max(delivered, await deliveredFor(step, id)));
      const amount = Math.max(0, realTotalOf(all, price) - totalOf(billed, price, deposit));
      const energy = price === 0 ? Math.max(0, all - billed) : Math.min(all, Math.round((amount * 1000) / price));
      const account = { station, operation: id, ocppTransaction: null };
      await book(step, account, { energy, amount }, isRunning);
    },

    /** A charge that was begun after the end of its operation, a second time, or by an unknown card. */
    async ofStray(step: Step, { ocppTransaction, connector, energy, isRunning }: StrayCharge): Promise<void> {
      const tag = await refusedTagOf(step, ocppTransaction);
      const operation = tag === null ? null : await operations.lockByTag(step, tag);
      if (operation) {
        const account = { station: operation.station, operation: operation.id, ocppTransaction };
        return book(step, account, { energy, amount: realTotalOf(energy, operation.price) }, isRunning);
      }
      const found = connector === null ? null : await connectorTariff(step, connector);
      if (!found) return;
      const price = kopecks(found.tariff === null ? 0 : priceAt(found.tariff, clock.now()).price);
      const account = { station: found.station, operation: null, ocppTransaction };
      await book(step, account, { energy, amount: realTotalOf(energy, price) }, isRunning);
    },
  };
}

export type UnbilledEnergy = ReturnType<typeof createUnbilledEnergy>;
