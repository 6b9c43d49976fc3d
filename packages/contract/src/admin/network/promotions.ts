import * as z from 'zod/mini';
import { endpoint } from '../../endpoint.ts';
import { Kopecks, WattHours } from '../../money.ts';
import { noMoney } from '../../staff-money.ts';
import { StationNumber } from '../../stations.ts';
import { Id, IdText } from '../../wire.ts';

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
const Day = z.string().check(z.regex(/^(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, 'must be a day: MM-DD'));
const Days = z.object({ from: Day, to: Day });
const RewardTerms = z.object({ min_energy: WattHours, amount: Kopecks.check(z.gte(1), z.lte(10_000_00)) });

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
  })
  .check(
    z.refine(({ kind, code }) => (promotionCodes[kind] as readonly string[]).includes(code), { path: ['code'] }),
    z.refine(({ kind, reward }) => (kind === 'reward') === (reward !== null), { path: ['reward'] }),
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
  summary: 'A new promotion',
  access: manage,
  money: noMoney.prices,
  body: PromotionForm,
  reply: z.object({ id: Id }),
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
