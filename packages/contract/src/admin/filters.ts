import * as z from 'zod/mini';
import type { OperationStatus } from '../charging.ts';
import type { HoldStatus } from '../payments.ts';

/** The names of the staff's status filter, and the statuses that each one shows. */
export const statusFilters = {
  pending: ['pending'],
  starting: ['starting'],
  open: ['ongoing', 'finishing'],
  closed: ['finished', 'pending_final_payment'],
  failed: ['failed', 'canceled', 'failed_hold'],
} as const satisfies Record<string, readonly OperationStatus[]>;
export type StatusFilter = keyof typeof statusFilters;

/** The names of the staff's payment filter. `processing` and `unknown` are only shown without a filter. */
export const holdFilters = {
  wait: ['pending', 'created'],
  hold: ['hold'],
  ok: ['success'],
  fail: ['failure', 'expired'],
  reversed: ['reversed'],
} as const satisfies Record<string, readonly HoldStatus[]>;
export type HoldFilter = keyof typeof holdFilters;

export const StatusFilter = z.enum(Object.keys(statusFilters) as [StatusFilter, ...StatusFilter[]]);
export const HoldFilter = z.enum(Object.keys(holdFilters) as [HoldFilter, ...HoldFilter[]]);

/** Staff lists show short labels. */
export const operationLabels = {
  created: 'APC',
  pending: 'PEND',
  starting: 'START',
  ongoing: 'ON',
  finishing: 'FIN',
  finished: 'FIN',
  pending_final_payment: 'PFP',
  canceled: 'CNCLD',
  failed: 'FAIL',
  failed_hold: 'F.HOLD',
} as const satisfies Record<OperationStatus, string>;

export const holdLabels = {
  pending: 'PEND',
  created: 'WAIT',
  processing: 'PROC',
  hold: 'HOLD',
  success: 'OK',
  failure: 'FAIL',
  reversed: 'REV',
  expired: 'EXP',
  unknown: '?',
} as const satisfies Record<HoldStatus, string>;

/** A switch in an address. */
export const Flag = z.pipe(
  z.enum(['true', 'false', '1', '0']),
  z.transform((text) => text === 'true' || text === '1'),
);

/** What staff type to name a user: an id, or a phone number with or without its plus. */
export const UserText = z
  .string()
  .check(z.maxLength(32), z.regex(/^\+?\d{1,16}$/, 'The user must be an id or a phone number.'));

/** A station's number, as it is printed on it. Spaces around it are dropped and letters become capitals. */
export const StationText = z.pipe(
  z.string().check(z.maxLength(32)),
  z.pipe(
    z.transform((text: string) => text.trim().toUpperCase()),
    z.string().check(z.minLength(1, 'The station is required.')),
  ),
);
