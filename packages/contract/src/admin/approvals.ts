import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Kopecks } from '../money.ts';
import { Id, IdText, Instant } from '../wire.ts';

/** What may wait for a second staff member. The permission of a kind's call is also the one to approve it. */
export const approvalKinds = [
  'increase',
  'decrease',
  'reversal',
  'operation-action',
  'payment-action',
  'promotion',
  'tariff',
] as const;
export const ApprovalKind = z.enum(approvalKinds);
export type ApprovalKind = z.infer<typeof ApprovalKind>;

/** An action of staff that is worth more than the limit of the settings waits for a second staff member. */
export const Approval = z.object({
  id: Id,
  /** The kind. */
  action: ApprovalKind,
  /** Whose money it is; null for the network's. */
  user: z.nullable(z.object({ id: Id, name: z.string(), phone_number: z.string() })),
  /** What the action is worth. */
  amount: Kopecks,
  /** What the action is about, as in the audit. */
  subject: z.object({ kind: z.string(), id: Id }),
  /** What else the sentence of this kind names. */
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  /** Why it was asked for; null: no reason was given, or the kind asks for none. */
  reason: z.nullable(z.string()),
  requested_by: z.object({ id: Id, name: z.string() }),
  created_at: Instant,
  /** False: the caller requested it, or it would change the caller's own balance. */
  is_mine_to_decide: z.boolean(),
  /** False: there is no other staff member with the permission, so only the command line can approve it. */
  has_second_person: z.boolean(),
});
export type Approval = z.infer<typeof Approval>;

export const approvals = endpoint({
  method: 'GET',
  path: '/api/admin/approvals',
  summary: 'What waits for a second staff member, oldest first: the kinds that the caller may decide',
  access: ['access-admin-page'],
  reply: z.array(Approval),
  openInMaintenance: true,
});

export const approve = endpoint({
  method: 'POST',
  path: '/api/admin/approvals/:id',
  summary: 'Approve what another staff member asked for: it happens now, and needs the permission of the action itself',
  access: ['access-admin-page'],
  money: [{ of: 'approval', at: 'params.id' }],
  params: z.object({ id: IdText }),
  /** The balance of the user whose money it is; null for the network's. */
  reply: z.object({ balance: z.nullable(Kopecks) }),
  refusals: [
    'not_found',
    'own_balance',
    'own_request',
    'insufficient_balance',
    'user_not_found',
    'action_not_applicable',
  ],
  movesMoney: true,
  openInMaintenance: true,
});

export const decline = endpoint({
  method: 'DELETE',
  path: '/api/admin/approvals/:id',
  summary: 'Decline what waits for approval; the one who asked may also withdraw it',
  access: ['access-admin-page'],
  money: [{ of: 'approval', at: 'params.id' }],
  params: z.object({ id: IdText }),
  refusals: ['not_found', 'action_not_applicable'],
  openInMaintenance: true,
});
