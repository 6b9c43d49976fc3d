import * as z from 'zod/mini';
import { type SettingTable, schemasOf } from '../setting.ts';
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
export const retentionSettings = {
  READINGS_KEPT_MONTHS: {
    schema: wholeNumber(13, 2, 120),
    meaning: 'readings of charge points ([why so long](scale.md#retention)); the same on every node',
  },
  NOTICES_KEPT_DAYS: { schema: wholeNumber(90, 30, 3_650), meaning: 'what drivers were told' },
  /** The restarts of a week are counted from messages. */
  MESSAGES_KEPT_DAYS: { schema: wholeNumber(7, 7, 366), meaning: 'OCPP messages' },
  ANOMALIES_KEPT_DAYS: { schema: wholeNumber(90, 7, 3_650), meaning: 'anomalies of charge points' },
  COMMANDS_KEPT_DAYS: { schema: wholeNumber(30, 7, 3_650), meaning: 'commands and their answers' },
  /** A card payment can be disputed for 18 months. */
  BANK_LOG_KEPT_MONTHS: { schema: wholeNumber(36, 18, 240), meaning: 'exchanges with the bank' },
} as const satisfies SettingTable;

export const retentionOf = (env: Record<keyof typeof retentionSettings, number>): RetentionPeriods => ({
  readingsMonths: env.READINGS_KEPT_MONTHS,
  noticesDays: env.NOTICES_KEPT_DAYS,
  messagesDays: env.MESSAGES_KEPT_DAYS,
  anomaliesDays: env.ANOMALIES_KEPT_DAYS,
  commandsDays: env.COMMANDS_KEPT_DAYS,
  bankMonths: env.BANK_LOG_KEPT_MONTHS,
});

/** What is kept when no setting says otherwise. */
export const usualRetention = retentionOf(z.object(schemasOf(retentionSettings)).parse({}));
