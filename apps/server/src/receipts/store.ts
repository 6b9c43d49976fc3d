import { hasReceipt } from '@fpay/contract/charging';
import { billedIdleMinutes } from '@fpay/contract/idle-fee';
import { addressFor } from '@fpay/contract/languages';
import { returnedAmount } from '../payments/went-back.ts';
import type { Database } from '../platform/database.ts';
import type { Receipt } from './receipt.ts';

export interface ReceiptRow {
  user: number;
  /** Null when there is nothing to show on a receipt (yet, or ever). */
  receipt: Omit<Receipt, 'soc' | 'curve'> | null;
}

/** A receipt is computed from the current operation, station and payment; nothing of it is stored. */
export function createReceiptStore(db: Database) {
  const read = (operation: number) =>
    db
      .selectFrom('operations')
      .innerJoin('stations', 'stations.id', 'operations.station_id')
      .innerJoin('connectors', 'connectors.id', 'operations.connector_id')
      .innerJoin('users', 'users.id', 'operations.user_id')
      .leftJoin('cars', 'cars.id', 'operations.car_id')
      .leftJoin('payments', 'payments.operation_id', 'operations.id')
      .select(['operations.user_id', 'operations.status', 'operations.payment_type', 'operations.price'])
      .select(['operations.total', 'operations.idle_fee', 'operations.idle_grace_minutes'])
      .select(['operations.idle_seconds', 'operations.idle_total', 'operations.deposit'])
      .select(['operations.energy_wh', 'operations.started_at', 'operations.finished_at'])
      .select(['stations.number', 'stations.address', 'stations.address_uk'])
      .select([
        'connectors.type',
        'connectors.ocpp_connector',
        'connectors.power_w',
        'users.language',
        'cars.name as car',
      ])
      .select(['payments.captured', returnedAmount.as('refunded')])
      .select(['payments.masked_pan', 'payments.rrn', 'payments.fiscal_number', 'payments.fiscal_url'])
      .where('operations.id', '=', operation)
      .executeTakeFirst();

  type Row = NonNullable<Awaited<ReturnType<typeof read>>>;

  function rowOf(operation: number, row: Row): ReceiptRow {
    const isFree = row.status === 'finished' && row.payment_type === 'free';
    // A total that was never captured has no receipt, however much energy flowed. The receipt of a free charge says
    // that there was nothing to pay.
    if (!(isFree || hasReceipt(row)) || row.finished_at === null) {
      return { user: row.user_id, receipt: null };
    }
    const language = row.language;
    return {
      user: row.user_id,
      receipt: {
        operation,
        language,
        station: row.number,
        address: addressFor(row, language),
        car: row.car,
        connector: { type: row.type, number: row.ocpp_connector, power: row.power_w },
        startedAt: row.started_at,
        finishedAt: row.finished_at,
        energyWh: row.energy_wh,
        price: row.price,
        idle:
          row.idle_total === 0
            ? null
            : {
                minutes: billedIdleMinutes(row.idle_seconds, row.idle_grace_minutes),
                fee: row.idle_fee,
                total: row.idle_total,
                energyTotal: row.total - row.idle_total,
              },
        deposit: row.deposit,
        captured: row.captured ?? 0,
        refunded: row.refunded,
        paidBy: isFree
          ? { kind: 'free' }
          : row.payment_type === 'bonuses'
            ? { kind: 'balance' }
            : { kind: 'card', maskedPan: row.masked_pan, rrn: row.rrn },
        fiscal: row.fiscal_url === null ? null : { number: row.fiscal_number, url: row.fiscal_url },
      },
    };
  }

  return {
    async find(operation: number): Promise<ReceiptRow | null> {
      const row = await read(operation);
      return row ? rowOf(operation, row) : null;
    },
  };
}

export type ReceiptStore = ReturnType<typeof createReceiptStore>;
