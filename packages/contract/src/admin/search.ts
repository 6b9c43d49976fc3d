import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Id } from '../wire.ts';

export const foundKinds = ['operation', 'user', 'station', 'charge_point', 'payment', 'rfid', 'page_error'] as const;

/** One result. Cards, phones and tags are masked except for the part that was typed. */
export const Found = z.object({
  kind: z.enum(foundKinds),
  /** Of the operation, user, station or charge point itself; 1 for an error report, whose title is its code. */
  id: Id,
  /** What to open, because a payment opens its operation and a tag opens its user. */
  operation_id: z.nullable(Id),
  user_id: z.nullable(Id),
  station: z.nullable(z.string()),
  title: z.string(),
  detail: z.string(),
});
export type Found = z.infer<typeof Found>;

export const search = endpoint({
  method: 'GET',
  path: '/api/admin/search',
  summary:
    'Find anything: operation id, phone, name, station, charge point, invoice, RRN, last digits of a card, RFID tag, error report',
  access: ['access-admin-page'],
  query: z.object({ q: z.string().check(z.minLength(1), z.maxLength(64)) }),
  reply: z.array(Found),
  openInMaintenance: true,
});
