import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Id, IdText, Instant, PageQuery } from '../wire.ts';

/** A staff member, the operator's command line, or a job of the server. */
export const auditActors = ['staff', 'command line', 'job'] as const;

export const AuditRecord = z.object({
  id: Id,
  by: z.enum(auditActors),
  /** Null on the command line; for a job the staff member on whose behalf it runs. */
  staff: z.nullable(z.object({ id: Id, name: z.string() })),
  action: z.string(),
  subject_kind: z.string(),
  subject_id: z.string(),
  before: z.nullable(z.record(z.string(), z.unknown())),
  after: z.nullable(z.record(z.string(), z.unknown())),
  /** Typed text and values about a person; null when there are none, and when they were erased with the account. */
  personal: z.nullable(z.record(z.string(), z.unknown())),
  is_erased: z.boolean(),
  created_at: Instant,
});
export type AuditRecord = z.infer<typeof AuditRecord>;

export const auditList = endpoint({
  method: 'GET',
  path: '/api/admin/audit',
  summary: 'What staff did, newest first',
  access: ['access-admin-page', 'manage-app'],
  query: z.extend(PageQuery, {
    staff: z.optional(IdText),
    by: z.optional(z.enum(auditActors)),
    /** The whole name, or its beginning: `payment` finds `payment.finalize`. */
    action: z.optional(z.string().check(z.maxLength(64), z.regex(/^[a-z][a-z.-]*$/))),
    subject_kind: z.optional(z.string().check(z.maxLength(32), z.regex(/^[a-z-]+$/))),
    subject_id: z.optional(z.string().check(z.maxLength(64))),
    from: z.optional(Instant),
    to: z.optional(Instant),
  }),
  reply: z.array(AuditRecord),
  openInMaintenance: true,
});
