import * as z from 'zod/mini';
import { OperationStatus, PaymentType } from '../charging.ts';
import { ConnectorType } from '../connectors.ts';
import { endpoint } from '../endpoint.ts';
import { Kopecks, WattHours, Watts } from '../money.ts';
import { HoldStatus } from '../payments.ts';
import { Id, IdText, Instant } from '../wire.ts';
import { type AttemptCause, attemptCauses } from './network/attempts.ts';
import { SupportNote } from './notes.ts';

/** A charge that runs, or the last one. */
const Charge = z.object({
  id: Id,
  status: OperationStatus,
  is_open: z.boolean(),
  hold: z.nullable(HoldStatus),
  payment_type: PaymentType,
  station_number: z.string(),
  address: z.string(),
  address_uk: z.string(),
  connector_number: z.string(),
  connector_type: ConnectorType,
  connector_power: Watts,
  energy: WattHours,
  energy_limit: z.nullable(WattHours),
  price: Kopecks,
  total: Kopecks,
  amount: Kopecks,
  /** W; -1 when unknown. */
  power: z.int(),
  soc: z.nullable(z.int()),
  created_at: Instant,
  closed_at: z.nullable(Instant),
  /** Of the last reading; null before the first one. */
  measured_at: z.nullable(Instant),
});

/** What became of a command that the product sent to the charge point. `waiting`: no answer yet. */
export const chargerOutcomes = ['accepted', 'refused', 'no_answer', 'offline', 'waiting'] as const;
export type ChargerOutcome = (typeof chargerOutcomes)[number];

export const ChargerAnswer = z.object({
  id: Id,
  at: Instant,
  /** RemoteStartTransaction, Reset … */
  command: z.string(),
  outcome: z.enum(chargerOutcomes),
  /** As it was sent, for readers with access-tech-logs; null for others, and when there was no answer. */
  raw: z.nullable(z.string()),
});
export type ChargerAnswer = z.infer<typeof ChargerAnswer>;

const causes = Object.keys(attemptCauses) as [AttemptCause, ...AttemptCause[]];

export const SentMessageItem = z.object({
  id: Id,
  channel: z.enum(['sms', 'telegram', 'push']),
  text: z.string(),
  /** As the channel says it: an SMS is accepted by its provider, push and Telegram are sent. No channel says that it was read. */
  state: z.enum(['queued', 'accepted', 'sent', 'failed', 'unknown']),
  /** False: a notice of the product. */
  is_by_staff: z.boolean(),
  at: Instant,
});
export type SentMessageItem = z.infer<typeof SentMessageItem>;

export const UserNow = z.object({
  /** The open charge, or the last one; null when there is none. */
  charge: z.nullable(Charge),
  /** Of the charge point of this charge about it, newest first. */
  answers: z.array(ChargerAnswer),
  money: z.object({
    /** Set aside on cards, and how many payments that is. */
    held: Kopecks,
    holds: z.int(),
    /** Released or refunded, and the bank has not confirmed it. */
    returning: Kopecks,
    balance: Kopecks,
    /** Charges that are not paid yet. */
    debt: Kopecks,
  }),
  failure: z.nullable(
    z.object({
      id: Id,
      at: Instant,
      station_number: z.string(),
      cause: z.enum(causes),
      energy: WattHours,
      total: Kopecks,
      /** As the product recorded it, for readers with access-tech-logs. */
      raw: z.nullable(z.string()),
    }),
  ),
  notes: z.array(SupportNote),
  messages: z.array(SentMessageItem),
});
export type UserNow = z.infer<typeof UserNow>;
export type UserNowCharge = z.infer<typeof Charge>;

export const userNow = endpoint({
  method: 'GET',
  path: '/api/admin/users/:id/now',
  summary: 'What a caller calls about: the open charge, money held, the last failure, notes and messages',
  access: ['access-admin-page', 'monitor-users'],
  params: z.object({ id: IdText }),
  reply: UserNow,
  refusals: ['user_not_found'],
  openInMaintenance: true,
});
