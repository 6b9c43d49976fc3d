import * as z from 'zod/mini';
import { endpoint } from '../../endpoint.ts';
import { noMoney } from '../../staff-money.ts';
import { Id, IdText, Instant, PageQuery } from '../../wire.ts';
import { UserText } from '../filters.ts';

const view = ['access-admin-page', 'view-network'] as const;
const manage = ['access-admin-page', 'view-network', 'manage-network'] as const;

/** As readers send it, without separators. OCPP allows 20 characters. */
export const CardTag = z.string().check(z.regex(/^[0-9A-F]{4,20}$/, 'must be 4 to 20 hexadecimal digits'));

export const CardItem = z.object({
  id: Id,
  /** Only the last four digits. */
  number: z.string(),
  user: z.nullable(z.object({ id: Id, name: z.nullable(z.string()) })),
  is_blocked: z.boolean(),
  created_at: Instant,
});
export type CardItem = z.infer<typeof CardItem>;

export const networkCards = endpoint({
  method: 'GET',
  path: '/api/admin/network/cards',
  summary: 'RFID cards, newest first, by the end of their number',
  access: view,
  query: z.extend(PageQuery, { q: z.optional(z.string().check(z.maxLength(20))) }),
  reply: z.array(CardItem),
  openInMaintenance: true,
});

/** One card a line: its number, and after a semicolon perhaps the phone or the id of its user. */
export const mostCardText = 40_000;

export const issueCards = endpoint({
  method: 'POST',
  path: '/api/admin/network/cards',
  summary: 'Issue cards, one a line; all of them or none',
  access: manage,
  money: [{ of: 'card_lines', at: 'body.lines' }],
  body: z.object({ lines: z.string().check(z.minLength(1), z.maxLength(mostCardText)) }),
  reply: z.object({
    issued: z.int(),
    problems: z.array(
      z.object({ line: z.int(), reason: z.enum(['bad_number', 'repeated', 'exists', 'bad_user', 'unknown_user']) }),
    ),
  }),
});
export type CardProblem = 'bad_number' | 'repeated' | 'exists' | 'bad_user' | 'unknown_user';

const byId = z.object({ id: IdText });

export const bindCard = endpoint({
  method: 'PATCH',
  path: '/api/admin/network/cards/:id',
  summary: 'Bind a card to a user, or take it back',
  access: manage,
  money: [{ of: 'typed_user', at: 'body.user' }],
  params: byId,
  body: z.object({
    /** A phone or an id; null takes the card back. */
    user: z.nullable(UserText),
  }),
  refusals: ['not_found', 'user_not_found', 'action_not_applicable'],
});

export const blockCard = endpoint({
  method: 'POST',
  path: '/api/admin/network/cards/:id/block',
  summary: 'Block a lost card',
  access: manage,
  money: noMoney.network,
  params: byId,
  refusals: ['not_found', 'action_not_applicable'],
});

export const unblockCard = endpoint({
  method: 'DELETE',
  path: '/api/admin/network/cards/:id/block',
  summary: 'Let a blocked card work again',
  access: manage,
  money: noMoney.network,
  params: byId,
  refusals: ['not_found', 'action_not_applicable'],
});
