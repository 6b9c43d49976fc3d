import * as z from 'zod/mini';
import { OperationStatus } from '../charging.ts';
import { endpoint } from '../endpoint.ts';
import { Kopecks } from '../money.ts';
import { Role } from '../roles.ts';
import { moneyAnswers, noMoney } from '../staff-money.ts';
import { BalanceTransaction } from '../wallet.ts';
import { Id, Instant } from '../wire.ts';
import { UserText } from './filters.ts';
import { withReason } from './reasons.ts';
import { SortText } from './sorts.ts';

const monitor = ['access-admin-page', 'monitor-users'] as const;

export const userCounts = { default: 50, most: 500 } as const;

export const AdminUserItem = z.object({
  id: Id,
  /** Null: the pages show 'MISSING NAME' and 'MISSING NUMBER'. */
  name: z.nullable(z.string()),
  phone_number: z.nullable(z.string()),
  role: Role,
  is_temporary: z.boolean(),
  last_login: z.nullable(Instant),
  created_at: Instant,
  wallet: z.object({ id: Id, balance: Kopecks, is_shared: z.boolean(), is_owner: z.boolean() }),
  last_charging_operation: z.nullable(
    z.object({ id: Id, status: OperationStatus, created_at: Instant, station_number: z.string() }),
  ),
  /** Support notes on this user. */
  notes: z.int(),
});
export type AdminUserItem = z.infer<typeof AdminUserItem>;

/** An entry without an id is skipped, because one broken row must not hide the others. */
const UserItems = z.pipe(
  z.transform((rows: z.input<typeof AdminUserItem>[]) => (Array.isArray(rows) ? rows.filter((row) => row?.id) : rows)),
  z.array(AdminUserItem),
);

export const adminUsers = endpoint({
  method: 'POST',
  path: '/api/admin/users',
  summary: 'Users, newest first or in another order, with or without temporary ones',
  onlyReads: true,
  access: monitor,
  money: noMoney.reads,
  body: z.object({
    count: z._default(z.int().check(z.gte(1), z.lte(userCounts.most)), userCounts.default),
    with_temp: z._default(z.boolean(), false),
    /** The last id of the page that the caller already has. */
    before: z.optional(z.nullable(Id)),
    role: z.optional(z.nullable(Role)),
    /** `-last_login`: the latest sign-in first; `id`, `last_login` or `name`, over the whole list. */
    sort: SortText,
  }),
  reply: UserItems,
  refusals: ['unknown_sort'],
  openInMaintenance: true,
});

/** What the caller may do to this user. */
export const userActions = ['send_sms', 'send_telegram', 'give', 'take', 'set_role', 'ban', 'unban'] as const;

export const AdminUser = z.extend(AdminUserItem, {
  groups: z.array(z.string()),
  has_telegram: z.boolean(),
  language: z.string(),
  deleted_at: z.nullable(Instant),
  /** Newest first, at most 100. */
  balance_transactions: z.array(z.extend(BalanceTransaction, { is_reversed: z.boolean() })),
  actions: z.array(z.enum(userActions)),
  /** Whether the caller may decide about the money of this user. */
  own_money: z.enum(moneyAnswers),
  /** The roles that the caller may give to this user. */
  roles: z.array(Role),
});
export type AdminUser = z.infer<typeof AdminUser>;

export const adminUser = endpoint({
  method: 'GET',
  path: '/api/admin/users/:id',
  summary: 'One user, by id or by phone number',
  access: monitor,
  params: z.object({ id: UserText }),
  reply: AdminUser,
  refusals: ['user_not_found'],
  openInMaintenance: true,
});

const Message = z.pipe(
  z.string().check(z.maxLength(1000)),
  z.pipe(
    z.transform((text: string) => text.trim()),
    z.string().check(z.minLength(1, 'The message is required.')),
  ),
);

export const sendSms = endpoint({
  method: 'POST',
  path: '/api/admin/users/send-sms',
  summary: 'Send an SMS to a user',
  access: ['access-admin-page', 'contact-users'],
  money: noMoney.person,
  body: z.object({
    phone_number: z.string().check(z.regex(/^\+\d{4,15}$/, 'Phone number is invalid!')),
    message: Message,
  }),
  reply: z.object({ is_queued: z.boolean() }),
  refusals: ['user_not_found'],
  openInMaintenance: true,
});

export const sendTelegram = endpoint({
  method: 'POST',
  path: '/api/admin/users/telegram-message',
  summary: 'Send a Telegram message to a user',
  access: ['access-admin-page'],
  money: noMoney.person,
  body: z.object({ user_id: Id, message: Message }),
  reply: z.object({ is_queued: z.boolean() }),
  refusals: ['user_not_found', 'telegram_not_linked'],
  openInMaintenance: true,
});

export const setRole = endpoint({
  method: 'PATCH',
  path: '/api/admin/users/role',
  summary: 'Change the role of a user; staff roles also need manage-admins',
  access: ['access-admin-page', 'manage-roles'],
  money: noMoney.person,
  body: z.object({ user_id: Id, role: Role }),
  reply: z.object({ role: Role }),
  refusals: ['user_not_found', 'role_not_allowed', 'action_not_applicable'],
  openInMaintenance: true,
});

export const banUser = endpoint({
  method: 'POST',
  path: '/api/admin/users/ban',
  summary: 'Ban a user: all sessions end at once',
  access: ['access-admin-page', 'manage-users'],
  money: noMoney.person,
  body: z.object({ user_id: Id, ...withReason }),
  reply: z.object({ role: Role }),
  refusals: ['user_not_found', 'role_not_allowed', 'action_not_applicable'],
  openInMaintenance: true,
});

export const unbanUser = endpoint({
  method: 'DELETE',
  path: '/api/admin/users/ban',
  summary: 'Lift the ban of a user, who becomes a driver again',
  access: ['access-admin-page', 'manage-users'],
  money: noMoney.person,
  body: z.object({ user_id: Id, ...withReason }),
  reply: z.object({ role: Role }),
  refusals: ['user_not_found', 'role_not_allowed', 'action_not_applicable'],
  openInMaintenance: true,
});
