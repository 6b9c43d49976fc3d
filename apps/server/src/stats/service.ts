import { chargedMinutes } from '@fpay/contract/charged-time';
import { billedStatuses, hasReceipt, isAmong } from '@fpay/contract/charging';
import type { HistoryItem, HistoryRange, UserStats } from '@fpay/contract/history';
import { kopecks, wattHours } from '@fpay/contract/money';
import { wentBackOf } from '../payments/went-back.ts';
import type { Clock } from '../platform/clock.ts';
import { kyivDate, kyivTime } from '../platform/kyiv-time.ts';
import { statsRangeOf } from './range.ts';
import type { StatsStore } from './store.ts';

/** A driver's own history: the list and the chart. */
export function createStats({ stats, clock }: { stats: StatsStore; clock: Clock }) {
  return {
    async history(userId: number, name: HistoryRange): Promise<HistoryItem[]> {
      const rows = await stats.history(userId, statsRangeOf(name, clock.now()));
      const withReturns = rows.map((row) => ({ ...row, back: wentBackOf(row.refunded) }));
      return withReturns.map((row) => ({
        id: row.id,
        date: kyivDate(row.started_at ?? row.created_at),
        time: kyivTime(row.started_at ?? row.created_at),
        car_id: row.car_id,
        car_name: row.car_name,
        station_number: row.number,
        address: row.address,
        address_uk: row.address_uk,
        connector_type: row.type,
        minutes: chargedMinutes(row.started_at, row.finished_at),
        card: row.payment_type === 'bank' ? lastDigits(row.masked_pan) : null,
        has_receipt: hasReceipt(row),
        energy: wattHours(row.energy_wh),
        total: kopecks(row.total - (row.back?.amount ?? 0)),
        refunded: isAmong(billedStatuses, row.status) ? row.back : null,
        status: row.status,
        payment_type: row.payment_type,
      }));
    },

    async stats(userId: number, name: HistoryRange): Promise<UserStats> {
      const range = statsRangeOf(name, clock.now());
      const [charges, wallet, debt] = await Promise.all([
        stats.charges(userId, range),
        stats.wallet(userId, range),
        stats.debt(userId),
      ]);
      return {
        now: range.now,
        ...(range.length !== null && { length: range.length }),
        transactions: charges.map((row) => ({
          timestamp: range.indexOf(row.created_at),
          energy: wattHours(row.energy_wh),
          total: kopecks(row.total - row.refunded),
          refunded: kopecks(row.refunded),
          car: row.car_id,
          isPaid: row.status === 'finished',
        })),
        balance_earned: kopecks(wallet.earned),
        // A deposit of last week may return in this week. The sum would then be negative, and is shown as zero.
        balance_spent: kopecks(Math.max(0, wallet.spent)),
        debt: kopecks(debt),
      };
    },
  };
}

/** Enough to recognise the card. */
function lastDigits(maskedPan: string | null): string | null {
  return maskedPan?.match(/\d{4}$/)?.[0] ?? null;
}

export type Stats = ReturnType<typeof createStats>;
