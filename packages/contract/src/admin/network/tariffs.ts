import * as z from 'zod/mini';
import { endpoint } from '../../endpoint.ts';
import { IdleFee } from '../../idle-fee.ts';
import { Kopecks } from '../../money.ts';
import { noMoney } from '../../staff-money.ts';
import { Id, IdText, Instant, KyivDate } from '../../wire.ts';
import { TariffName } from './stations.ts';

const view = ['access-admin-page', 'view-network'] as const;
const manage = ['access-admin-page', 'view-network', 'manage-network'] as const;

/** More than any price of a kWh. */
export const mostPrice = 1000_00;
const Price = Kopecks.check(z.lte(mostPrice));
const Hour = z.int().check(z.gte(0), z.lte(24));
const HoursRow = z
  .object({
    /** 1 is Monday, 7 is Sunday. */
    weekdays: z.array(z.int().check(z.gte(1), z.lte(7))).check(z.minLength(1), z.maxLength(7)),
    from: Hour,
    /** Exclusive. A night is two rows: until 24 and from 0. */
    to: Hour,
    price: Price,
  })
  .check(z.refine(({ from, to }) => from < to, { path: ['to'], message: '`from` must be before `to`' }));
export type HoursRow = z.infer<typeof HoursRow>;

const day = (pattern: RegExp) => z.string().check(z.regex(pattern, 'must be a day: MM-DD or YYYY-MM-DD'));
const discountOver = (pattern: RegExp) =>
  z.object({
    from: day(pattern),
    to: day(pattern),
    percent: z.int().check(z.gte(1), z.lte(100)),
    /** Null when the percentage itself is shown. */
    text: z.nullable(z.string().check(z.minLength(1), z.maxLength(40))),
  });
/** Days of every year, or days of one year. */
const Discount = z.union([
  discountOver(/^(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/),
  discountOver(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/),
]);

/** What a kWh costs: one price, or a table by hour and weekday in Kyiv time, and perhaps a discount for some days. */
export const TariffTerms = z.object({
  /** The price of hours that no row covers. 0 is free. */
  price: Price,
  /** The first matching row applies. */
  hours: z.nullable(z.array(HoursRow).check(z.maxLength(7 * 24))),
  discount: z.nullable(Discount),
  /** Null: none. A file that does not name it has none. */
  idle: z._default(z.nullable(IdleFee), null),
});
export type TariffTerms = z.infer<typeof TariffTerms>;

/** A day of every year may be the 29th of February. */
const leapYear = '2028-';
export function isRealDay(day: string): boolean {
  const full = day.length === 'MM-DD'.length ? leapYear + day : day;
  const at = new Date(`${full}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(full);
}

/** The first row whose hours all belong to rows above it, so that it would never apply. */
export function hiddenRow(hours: TariffTerms['hours']): number | null {
  const taken = new Set<string>();
  for (const [index, { weekdays, from, to }] of (hours ?? []).entries()) {
    const own = weekdays.flatMap((day) => Array.from({ length: to - from }, (_, hour) => `${day} ${from + hour}`));
    if (own.every((hour) => taken.has(hour))) return index;
    for (const hour of own) taken.add(hour);
  }
  return null;
}

/** What is typed is checked more strictly than what is stored: a stored price must always be readable. */
export function typedTerms<Schema extends z.ZodMiniType<Pick<TariffTerms, 'hours' | 'discount'>>>(
  schema: Schema,
): Schema {
  return schema.check((checked) => {
    const { hours, discount } = checked.value;
    const refuse = (path: (string | number)[], message: string) =>
      checked.issues.push({ code: 'custom', input: checked.value, path, message });
    for (const name of ['from', 'to'] as const)
      if (discount && !isRealDay(discount[name])) refuse(['discount', name], 'There is no such day.');
    // A discount of every year may run over New Year.
    if (discount && discount.from.length === 'YYYY-MM-DD'.length && discount.from > discount.to)
      refuse(['discount', 'to'], 'must not be before the first day');
    const hidden = hiddenRow(hours);
    if (hidden !== null) refuse(['hours', hidden], 'Rows above it have all its hours, so it would never apply.');
  }) as Schema;
}

export const TariffItem = z.extend(TariffTerms, {
  id: Id,
  name: z.string(),
  /** It stands for one price and nothing else; staff set it as a price of a connector. */
  is_fixed: z.boolean(),
  connectors: z.int(),
  stations: z.int(),
  /** Kopecks per kWh now. */
  price_now: Kopecks,
  has_plan: z.boolean(),
  /** A change waits for a second staff member. */
  is_waiting: z.boolean(),
});
export type TariffItem = z.infer<typeof TariffItem>;

export const networkTariffs = endpoint({
  method: 'GET',
  path: '/api/admin/network/tariffs',
  summary: 'All tariffs with their present price and how many connectors have them',
  access: view,
  reply: z.array(TariffItem),
  refusals: ['pricing_unavailable'],
  openInMaintenance: true,
});

export const TariffChange = z.extend(TariffTerms, {
  id: Id,
  starts_at: Instant,
  /** `waiting`: a second staff member has not approved it yet. */
  status: z.enum(['waiting', 'planned', 'applied', 'withdrawn']),
  staff: z.string(),
});
export type TariffChange = z.infer<typeof TariffChange>;

export const networkTariff = endpoint({
  method: 'GET',
  path: '/api/admin/network/tariffs/:id',
  summary: 'One tariff with its planned and former prices, newest first',
  access: view,
  params: z.object({ id: IdText }),
  reply: z.extend(TariffItem, {
    changes: z.array(TariffChange),
    /** Charges that run now at connectors of this tariff. They keep their price. */
    running: z.int(),
  }),
  refusals: ['not_found', 'pricing_unavailable'],
  openInMaintenance: true,
});

export const addTariff = endpoint({
  method: 'POST',
  path: '/api/admin/network/tariffs',
  summary: 'A new tariff',
  access: manage,
  money: noMoney.prices,
  body: typedTerms(z.extend(TariffTerms, { name: TariffName })),
  reply: z.object({ id: Id }),
  refusals: ['invalid_input'],
});

export const changeTariff = endpoint({
  method: 'POST',
  path: '/api/admin/network/tariffs/:id/changes',
  summary:
    'Change a tariff now or at a later time; running charges keep their price, and a generous change waits for approval',
  access: manage,
  money: noMoney.prices,
  params: z.object({ id: IdText }),
  body: typedTerms(
    z.extend(TariffTerms, {
      /** Null: now. */
      starts_at: z.nullable(Instant),
    }),
  ),
  reply: z.object({ id: Id, is_waiting: z.boolean() }),
  refusals: ['not_found', 'invalid_input'],
});

export const withdrawTariffChange = endpoint({
  method: 'DELETE',
  path: '/api/admin/network/tariff-changes/:id',
  summary: 'Withdraw a change of a tariff that is planned or waits',
  access: manage,
  money: noMoney.prices,
  params: z.object({ id: IdText }),
  refusals: ['not_found', 'action_not_applicable'],
});

export const previewTariff = endpoint({
  method: 'POST',
  path: '/api/admin/network/tariffs/preview',
  summary: 'What each hour of a day costs under these terms',
  onlyReads: true,
  access: view,
  money: noMoney.reads,
  body: z.object({ terms: TariffTerms, date: KyivDate }),
  reply: z.array(z.object({ hour: z.int(), price: Kopecks, old_price: z.nullable(Kopecks) })),
  openInMaintenance: true,
});
