import * as z from 'zod/mini';
import { endpoint } from '../../endpoint.ts';
import { Kopecks, WattHours } from '../../money.ts';
import { noMoney } from '../../staff-money.ts';
import { StationNumber } from '../../stations.ts';
import { Id, IdText } from '../../wire.ts';
import { isRealDay } from './tariffs.ts';

const view = ['access-admin-page', 'view-network'] as const;
const manage = ['access-admin-page', 'view-network', 'manage-network'] as const;

/** The codes for which pages have texts and pictures. A reward needs none, because it is a transaction. */
export const promotionCodes = {
  banner: ['free_parking', 'solar'],
  marker: ['discount', 'sun', 'event'],
  reward: ['free_parking', 'bonus'],
} as const;
export type PromotionKind = keyof typeof promotionCodes;

/** A day of every year. */
const Day = z
  .string()
  .check(
    z.regex(/^(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, { error: 'must be a day: MM-DD', abort: true }),
    z.refine(isRealDay, 'There is no such day.'),
  );
const Days = z.object({ from: Day, to: Day });
const RewardTerms = z.object({ min_energy: WattHours, amount: Kopecks.check(z.gte(1), z.lte(10_000_00)) });

/** More than any promotion pays on one day. */
const mostBudget = 1_000_000_00;

/** What staff decide about a promotion. */
export const PromotionForm = z
  .object({
    kind: z.enum(['banner', 'marker', 'reward']),
    code: z.string(),
    /** Null: the whole network. */
    station_number: z.nullable(StationNumber),
    /** Both included, each year; null: always. A window may run over New Year. */
    days: z.nullable(Days),
    /** Of a reward: at how much energy which sum returns to the balance. */
    reward: z.nullable(RewardTerms),
    /**
     * Of a reward: the most that it pays on one day in Kyiv; then no more is paid until the next day. Without it the promotion waits for
     * a second staff member.
     */
    budget_per_day: z._default(z.nullable(Kopecks.check(z.gte(1), z.lte(mostBudget))), null),
  })
  .check(
    z.refine(({ kind, code }) => (promotionCodes[kind] as readonly string[]).includes(code), { path: ['code'] }),
    z.refine(({ kind, reward }) => (kind === 'reward') === (reward !== null), { path: ['reward'] }),
    z.refine(({ reward, budget_per_day: budget }) => budget === null || (reward !== null && budget >= reward.amount), {
      path: ['budget_per_day'],
      message: 'The budget of a day is at least one reward.',
    }),
    // A banner and a reward belong to the page and the charge of one station; a marker may be everywhere.
    z.refine(({ kind, station_number }) => kind === 'marker' || station_number !== null, { path: ['station_number'] }),
  );
export type PromotionForm = z.infer<typeof PromotionForm>;

export const PromotionItem = z.object({
  id: Id,
  kind: z.enum(['banner', 'marker', 'reward']),
  code: z.string(),
  station_number: z.nullable(z.string()),
  days: z.nullable(z.object({ from: z.string(), to: z.string() })),
  reward: z.nullable(z.object({ min_energy: WattHours, amount: Kopecks })),
  budget_per_day: z.nullable(Kopecks),
  /** What it has paid today. */
  paid_today: Kopecks,
  /** A second staff member has not approved it yet: it pays nothing. */
  is_waiting: z.boolean(),
  is_running: z.boolean(),
});
export type PromotionItem = z.infer<typeof PromotionItem>;

export const networkPromotions = endpoint({
  method: 'GET',
  path: '/api/admin/network/promotions',
  summary: 'All promotions with their days',
  access: view,
  reply: z.array(PromotionItem),
  openInMaintenance: true,
});

export const addPromotion = endpoint({
  method: 'POST',
  path: '/api/admin/network/promotions',
  summary:
    'A new promotion; one that gives more than the limit in one charge or has no budget per day waits for approval',
  access: manage,
  money: noMoney.prices,
  body: PromotionForm,
  reply: z.object({ id: Id, is_waiting: z.boolean() }),
  refusals: ['invalid_input'],
});

export const changePromotion = endpoint({
  method: 'PATCH',
  path: '/api/admin/network/promotions/:id',
  summary: 'Change a promotion; rewards that were paid stay',
  access: manage,
  money: noMoney.prices,
  params: z.object({ id: IdText }),
  body: PromotionForm,
  reply: z.object({ is_waiting: z.boolean() }),
  refusals: ['not_found', 'invalid_input'],
});

export const endPromotion = endpoint({
  method: 'DELETE',
  path: '/api/admin/network/promotions/:id',
  summary: 'End a promotion',
  access: manage,
  money: noMoney.prices,
  params: z.object({ id: IdText }),
  refusals: ['not_found'],
});
