import * as z from 'zod/mini';
import { OperationStatus, PaymentType } from './charging.ts';
import { ConnectorType } from './connectors.ts';
import { endpoint } from './endpoint.ts';
import { Kopecks, WattHours } from './money.ts';
import { WentBack } from './went-back.ts';
import { Id, KyivDate, KyivTime } from './wire.ts';

/** Weeks begin on Monday; days are days in Kyiv. */
export const historyRanges = ['week', 'month', 'year', 'lastWeek', 'lastMonth', 'lastYear'] as const;
export const HistoryRange = z.enum(historyRanges);
export type HistoryRange = z.infer<typeof HistoryRange>;

const ByRange = z.object({ range: HistoryRange });

export const HistoryItem = z.object({
  id: Id,
  /** When power began to flow, or for a charge without power when it was created. */
  date: KyivDate,
  time: KyivTime,
  car_id: z.nullable(Id),
  /** A deleted car keeps its name in the history. */
  car_name: z.nullable(z.string()),
  station_number: z.string(),
  address: z.string(),
  address_uk: z.string(),
  connector_type: ConnectorType,
  /** From the start of the charge to its end; null when no power flowed. */
  minutes: z.nullable(z.int()),
  /** The last digits of the card, null when the bank has not sent them or the charge was not paid by card. */
  card: z.nullable(z.string()),
  has_receipt: z.boolean(),
  energy: WattHours,
  /** Without what went back. */
  total: Kopecks,
  /** What of the price went back; null: nothing. */
  refunded: z.optional(z.nullable(WentBack)),
  status: OperationStatus,
  payment_type: PaymentType,
});
export type HistoryItem = z.infer<typeof HistoryItem>;

export const getHistory = endpoint({
  method: 'GET',
  path: '/api/user/history/:range',
  summary: "The caller's operations that have ended, newest first",
  access: ['access-account-page'],
  params: ByRange,
  reply: z.array(HistoryItem),
});

export const UserStats = z.object({
  /** The present weekday, day or month, counted from 1; 0 when the range is over. */
  now: z.int(),
  /** Days of the month, for month ranges only. */
  length: z.optional(z.int()),
  transactions: z.array(
    z.object({
      /** Weekday from Monday, day of the month, or month; each counts from 1. */
      timestamp: z.int(),
      energy: WattHours,
      /** Without what went back. */
      total: Kopecks,
      refunded: z.optional(Kopecks),
      car: z.nullable(Id),
      /** False means debt: the card has not been charged yet, and the charge will be retried. */
      isPaid: z.boolean(),
    }),
  ),
  /**
   * Totals of the range for the driver's own part of the wallet: what came in, and what was spent minus what was
   * returned.
   */
  balance_earned: Kopecks,
  balance_spent: Kopecks,
  /** Everything that is not yet charged to the card, regardless of the range. */
  debt: Kopecks,
});
export type UserStats = z.infer<typeof UserStats>;

export const getStats = endpoint({
  method: 'GET',
  path: '/api/user/stats/:range',
  summary: 'Energy and money of a range, for the chart and the totals',
  access: ['access-account-page'],
  params: ByRange,
  reply: UserStats,
});
