import type { TariffTerms } from '@fpay/contract/admin/network/tariffs';

export const vatPercent = 20;
const days = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'];

/** Our prices include VAT; OCPI has them without it, with four decimals. A seller without VAT has no `vat` at all. */
function component(kopecks: number, hasVat: boolean) {
  const gross = kopecks / 100;
  const price = hasVat ? gross / (1 + vatPercent / 100) : gross;
  return { type: 'ENERGY', price: Number(price.toFixed(4)), ...(hasVat && { vat: vatPercent }), step_size: 1 };
}

const hourText = (hour: number) => `${String(hour % 24).padStart(2, '0')}:00`;

interface Dates {
  start_date?: string;
  end_date?: string;
}

const dayAfter = (day: string) => new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);

/** The windows of a discount that have not ended by this day. OCPI knows no yearly dates, so each year is one window. */
export function discountDates(from: string, to: string, today: string): Required<Dates>[] {
  const isYearly = from.length === 'MM-DD'.length;
  const year = Number(today.slice(0, 4));
  const windows = isYearly
    ? [year - 1, year, year + 1].map((begin) => ({
        from: `${begin}-${from}`,
        to: `${from > to ? begin + 1 : begin}-${to}`,
      }))
    : [{ from, to }];
  return windows
    .filter((window) => window.to >= today)
    .map((window) => ({ start_date: window.from, end_date: dayAfter(window.to) }));
}

/** Elements in the order in which a reader must try them: the first one that matches applies. */
export function tariffElements(terms: TariffTerms, hasVat: boolean, today: string): object[] {
  const { price, hours, discount } = terms;
  if (price === 0 && hours === null) return [{ price_components: [{ type: 'FLAT', price: 0, step_size: 1 }] }];
  const elementsAt = (percent: number, dates: Dates) => {
    const priced = (kopecks: number) => [component(Math.floor((kopecks * (100 - percent)) / 100), hasVat)];
    const rows = (hours ?? []).map((row) => ({
      price_components: priced(row.price),
      restrictions: {
        ...dates,
        start_time: hourText(row.from),
        end_time: hourText(row.to),
        ...(new Set(row.weekdays).size < 7 && { day_of_week: row.weekdays.map((day) => days[day - 1]) }),
      },
    }));
    const usual = { price_components: priced(price), ...(dates.start_date && { restrictions: dates }) };
    return [...rows, usual];
  };
  const reduced = discount
    ? discountDates(discount.from, discount.to, today).flatMap((dates) => elementsAt(discount.percent, dates))
    : [];
  return [...reduced, ...elementsAt(0, {})];
}
