import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Id, IdText, Instant } from './wire.ts';

/** What a driver or staff write to each other. */
export const longestSupportText = 1000;
export const SupportText = z.string().check(z.maxLength(longestSupportText), z.regex(/\S/, 'The message is required.'));

const SupportThread = z.object({
  id: Id,
  charging_operation_id: z.nullable(Id),
  charging_station: z.nullable(z.string()),
  is_closed: z.boolean(),
  opened_at: Instant,
});

export const SupportThreadItem = z.extend(SupportThread, {
  /** The last message of the driver or of staff; null when there is only a rating without a comment. */
  last_text: z.nullable(z.string()),
  last_at: Instant,
  /** Messages of staff that the driver has not opened. */
  unread: z.int(),
});
export type SupportThreadItem = z.infer<typeof SupportThreadItem>;

export const SupportMessage = z.object({
  id: Id,
  from: z.enum(['driver', 'staff']),
  /** Null: a rating without a comment. */
  text: z.nullable(z.string()),
  created_at: Instant,
});
export type SupportMessage = z.infer<typeof SupportMessage>;

export const SupportThreadDetail = z.extend(SupportThread, { messages: z.array(SupportMessage) });
export type SupportThreadDetail = z.infer<typeof SupportThreadDetail>;

export const supportThreads = endpoint({
  method: 'GET',
  path: '/api/support',
  summary: "The caller's conversations with support, the latest first; at most 100",
  access: ['use-app'],
  reply: z.array(SupportThreadItem),
});

export const supportThread = endpoint({
  method: 'GET',
  path: '/api/support/:id',
  summary: 'One conversation with support',
  access: ['use-app'],
  params: z.object({ id: IdText }),
  reply: SupportThreadDetail,
  refusals: ['not_found'],
});

export const askSupport = endpoint({
  method: 'POST',
  path: '/api/support',
  summary: 'Write to support, about one charge or none; a charge has one open conversation',
  access: ['use-app'],
  body: z.object({ text: SupportText, charging_operation_id: z.optional(z.nullable(Id)) }),
  reply: z.object({ id: Id }),
  refusals: ['not_found', 'too_many_attempts'],
});

export const answerSupport = endpoint({
  method: 'POST',
  path: '/api/support/:id',
  summary: 'Write one more message; a closed conversation opens again',
  access: ['use-app'],
  params: z.object({ id: IdText }),
  body: z.object({ text: SupportText }),
  refusals: ['not_found', 'too_many_attempts'],
});

export const readSupport = endpoint({
  method: 'POST',
  path: '/api/support/:id/read',
  summary: 'The driver has opened the conversation, so its messages are read',
  access: ['use-app'],
  params: z.object({ id: IdText }),
  refusals: ['not_found'],
});
