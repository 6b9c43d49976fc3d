import * as z from 'zod/mini';
import { wholeNumber } from './fields.ts';

/**
 * How long what devices and the bank reported is kept. Operations, payments, the ledger, their logs and the audit are
 * never deleted.
 */
export interface RetentionPeriods {
  readingsMonths: number;
  noticesDays: number;
  messagesDays: number;
  anomaliesDays: number;
  commandsDays: number;
  bankMonths: number;
}

/** The least values of partitioned tables are also in the database (migration 0044), which refuses shorter periods. */
export const retentionEnvironment = {
  READINGS_KEPT_MONTHS: wholeNumber(13, 2, 120),
  NOTICES_KEPT_DAYS: wholeNumber(90, 30, 3_650),
  /** The restarts of a week are counted from messages. */
  MESSAGES_KEPT_DAYS: wholeNumber(7, 7, 366),
  ANOMALIES_KEPT_DAYS: wholeNumber(90, 7, 3_650),
  COMMANDS_KEPT_DAYS: wholeNumber(30, 7, 3_650),
  /** A card payment can be disputed for 18 months. */
  BANK_LOG_KEPT_MONTHS: wholeNumber(36, 18, 240),
};

export const retentionOf = (env: Record<keyof typeof retentionEnvironment, number>): RetentionPeriods => ({
  readingsMonths: env.READINGS_KEPT_MONTHS,
  noticesDays: env.NOTICES_KEPT_DAYS,
  messagesDays: env.MESSAGES_KEPT_DAYS,
  anomaliesDays: env.ANOMALIES_KEPT_DAYS,
  commandsDays: env.COMMANDS_KEPT_DAYS,
  bankMonths: env.BANK_LOG_KEPT_MONTHS,
});

/** What is kept when no setting says otherwise. */
export const usualRetention = retentionOf(z.object(retentionEnvironment).parse({}));
