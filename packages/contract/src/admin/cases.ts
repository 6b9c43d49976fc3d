import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Kopecks } from '../money.ts';
import { Language } from '../person.ts';
import { noMoney } from '../staff-money.ts';
import { SupportText } from '../support.ts';
import { Id, IdText, Instant } from '../wire.ts';

export const caseSources = ['report', 'rating', 'anomaly', 'call'] as const;
export const CaseSource = z.enum(caseSources);
export type CaseSource = z.infer<typeof CaseSource>;

/** `waiting`: staff have answered and the driver has not. */
export const caseStates = ['open', 'waiting', 'snoozed', 'closed'] as const;
export const CaseState = z.enum(caseStates);
export type CaseState = z.infer<typeof CaseState>;

/** What staff may do with a case, each by one call. */
export const caseActions = ['answer', 'note', 'assign', 'snooze', 'close', 'reopen'] as const;
export const CaseAction = z.enum(caseActions);
export type CaseAction = z.infer<typeof CaseAction>;

/** `mine`, `new` (open and of no staff member), `waiting` and `snoozed` are parts of `open`, which is all but closed. */
export const caseQueueViews = ['mine', 'new', 'waiting', 'snoozed', 'open', 'closed'] as const;
export const CaseQueueView = z.enum(caseQueueViews);
export type CaseQueueView = z.infer<typeof CaseQueueView>;

/**
 * What the channel of a message has reported. An SMS is accepted by its provider and then delivered or not; a push or Telegram message is sent. Only
 * the thread says that a message was read. `unknown`: no answer came.
 */
export const messageStates = ['queued', 'sent', 'accepted', 'delivered', 'failed', 'unknown'] as const;
export const MessageState = z.enum(messageStates);
export type MessageState = z.infer<typeof MessageState>;

const Person = z.object({ id: Id, name: z.string() });

export const CaseItem = z.object({
  id: Id,
  source: CaseSource,
  state: CaseState,
  /** Null: a rating without a comment, or an anomaly. */
  subject: z.nullable(z.string()),
  rating: z.nullable(z.int()),
  /** The kind of the anomaly that opened it. */
  anomaly: z.nullable(z.string()),
  user: z.extend(Person, { phone_number: z.string() }),
  charging_operation_id: z.nullable(Id),
  charging_station: z.nullable(z.string()),
  owner: z.nullable(Person),
  opened_at: Instant,
  changed_at: Instant,
  /** The driver has written since then and has no answer; null when staff wrote last. */
  waiting_since: z.nullable(Instant),
  snoozed_until: z.nullable(Instant),
  first_answer_at: z.nullable(Instant),
});
export type CaseItem = z.infer<typeof CaseItem>;

export const caseEvents = ['opened', 'joined', 'assigned', 'snoozed', 'woke', 'closed', 'reopened'] as const;
export const CaseEvent = z.enum(caseEvents);
export type CaseEvent = z.infer<typeof CaseEvent>;

export const CaseEntry = z.object({
  id: Id,
  kind: z.enum(['from_driver', 'to_driver', 'note', 'event']),
  /** Null: the driver, or the product itself. */
  staff: z.nullable(Person),
  text: z.nullable(z.string()),
  event: z.nullable(CaseEvent),
  /** To whom it was given; with `assigned` only. */
  assignee: z.nullable(Person),
  /** Channels that the message went by. All null: it is in the thread only. */
  push: z.nullable(MessageState),
  telegram: z.nullable(MessageState),
  sms: z.nullable(MessageState),
  read_at: z.nullable(Instant),
  created_at: Instant,
});
export type CaseEntry = z.infer<typeof CaseEntry>;

export const AdminCase = z.extend(CaseItem, {
  /** In which the driver reads our messages. */
  language: Language,
  entries: z.array(CaseEntry),
  /** Money that went back for the linked charge. */
  refunds: z.array(z.object({ amount: Kopecks, created_at: Instant })),
  /** What the caller may do with it now. */
  actions: z.array(CaseAction),
});
export type AdminCase = z.infer<typeof AdminCase>;

export const casePageSize = 50;
/** More are not counted. */
export const mostCasesCounted = 10_000;
/** Drivers are answered within this time, in minutes; from the first one it is nearly over. */
export const firstAnswerMinutes = { soon: 12, late: 15 } as const;
export const longestSnoozeDays = 30;

const reads = ['access-admin-page', 'monitor-users'] as const;
const writes = ['access-admin-page', 'contact-users'] as const;
const one = z.object({ id: IdText });

const PageNumber = z.pipe(
  z.string().check(z.regex(/^\d{1,5}$/, 'The page must be a number.')),
  z.pipe(
    z.transform((text: string) => Number(text)),
    z.int().check(z.gte(1), z.lte(10_000)),
  ),
);

export const adminCases = endpoint({
  method: 'GET',
  path: '/api/admin/cases',
  summary: 'Cases, those that changed last first, or by creation, page by page',
  access: reads,
  query: z.object({
    view: z.optional(CaseQueueView),
    source: z.optional(CaseSource),
    user: z.optional(IdText),
    operation: z.optional(IdText),
    /** A number of a case or a charge, a station, a phone number, or the beginning of a name. */
    q: z.optional(z.string().check(z.maxLength(64))),
    page: z.optional(PageNumber),
    /** `changed`, `-changed`, `id` or `-id`. */
    sort: z.optional(z.string().check(z.maxLength(40))),
  }),
  reply: z.object({ data: z.array(CaseItem), page_count: z.int(), total_count: z.int() }),
  refusals: ['unknown_sort'],
});

export const caseCounts = endpoint({
  method: 'GET',
  path: '/api/admin/cases/counts',
  summary: 'How many cases wait, and how soon drivers were answered today',
  access: reads,
  reply: z.object({
    mine: z.int(),
    new: z.int(),
    waiting: z.int(),
    snoozed: z.int(),
    open: z.int(),
    /** Open cases whose driver has no answer to the last message. */
    unanswered: z.int(),
    /** Mean time to the first answers of today; null without any. */
    first_answer_seconds: z.nullable(z.int()),
  }),
});

export const caseStaff = endpoint({
  method: 'GET',
  path: '/api/admin/cases/staff',
  summary: 'Staff to whom a case can be given',
  access: writes,
  reply: z.array(Person),
});

export const adminCase = endpoint({
  method: 'GET',
  path: '/api/admin/cases/:id',
  summary: 'One case with its conversation, its notes and its events',
  access: reads,
  params: one,
  reply: AdminCase,
  refusals: ['not_found'],
});

export const openCase = endpoint({
  method: 'POST',
  path: '/api/admin/cases',
  summary: 'Make a case of a call, of a user or of their charge; an open one of the same charge is joined',
  access: writes,
  money: noMoney.person,
  body: z
    .object({
      user_id: z.optional(Id),
      charging_operation_id: z.optional(Id),
      subject: z.string().check(z.maxLength(120), z.regex(/\S/, 'The subject is required.')),
      /** What the caller said; a note that the driver does not see. */
      note: z.optional(z.nullable(z.string().check(z.maxLength(2000)))),
    })
    .check(
      z.refine(
        ({ user_id, charging_operation_id }) => (user_id === undefined) !== (charging_operation_id === undefined),
        {
          path: ['user_id'],
          error: 'Name a user or a charge.',
        },
      ),
    ),
  reply: z.object({ id: Id }),
  refusals: ['not_found'],
});

const stateRefusals = ['not_found', 'case_state'] as const;

export const answerCase = endpoint({
  method: 'POST',
  path: '/api/admin/cases/:id/answer',
  summary: 'Write to the driver; a case of no staff member becomes the own one',
  access: writes,
  money: noMoney.person,
  params: one,
  body: z.object({ text: SupportText }),
  refusals: stateRefusals,
});

export const noteCase = endpoint({
  method: 'POST',
  path: '/api/admin/cases/:id/note',
  summary: 'Leave a note that the driver never sees',
  access: writes,
  money: noMoney.person,
  params: one,
  body: z.object({ text: z.string().check(z.maxLength(2000), z.regex(/\S/, 'The note is required.')) }),
  refusals: stateRefusals,
});

export const assignCase = endpoint({
  method: 'POST',
  path: '/api/admin/cases/:id/assign',
  summary: 'Give a case to a staff member, or to none',
  access: writes,
  money: noMoney.person,
  params: one,
  body: z.object({ staff_id: z.nullable(Id) }),
  refusals: [...stateRefusals, 'user_not_found'],
});

export const snoozeCase = endpoint({
  method: 'POST',
  path: '/api/admin/cases/:id/snooze',
  summary: 'Put a case off until a time within 30 days; it also comes back when the driver writes',
  access: writes,
  money: noMoney.person,
  params: one,
  body: z.object({ until: Instant }),
  refusals: [...stateRefusals, 'snooze_time'],
});

export const closeCase = endpoint({
  method: 'POST',
  path: '/api/admin/cases/:id/close',
  summary: 'Close a case',
  access: writes,
  money: noMoney.person,
  params: one,
  refusals: stateRefusals,
});

export const reopenCase = endpoint({
  method: 'POST',
  path: '/api/admin/cases/:id/reopen',
  summary: 'Open a closed case again',
  access: writes,
  money: noMoney.person,
  params: one,
  refusals: stateRefusals,
});
