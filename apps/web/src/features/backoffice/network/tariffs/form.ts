import type { TariffTerms } from '@fpay/contract/admin/network/tariffs';
import { decimalOf } from '../../../../ui/form/decimal.ts';
import { readDay } from '../../parts/calendar.ts';
import { rowsOf, usualOf, type Week, weekOf } from './week.ts';

export interface TypedDiscount {
  isOn: boolean;
  percent: string;
  /** `YYYY-MM-DD` as a date field has it; the year counts only when it is not yearly. */
  from: string;
  to: string;
  isYearly: boolean;
  text: string;
}

export interface TypedIdle {
  isOn: boolean;
  /** Hryvnias per minute. */
  fee: string;
  graceMinutes: string;
}

export interface TypedTariff {
  name: string;
  kind: 'fixed' | 'hours' | 'free';
  /** Hryvnias. */
  price: string;
  week: Week;
  discount: TypedDiscount;
  idle: TypedIdle;
}

const noDiscount: TypedDiscount = { isOn: false, percent: '', from: '', to: '', isYearly: false, text: '' };
const noIdle: TypedIdle = { isOn: false, fee: '', graceMinutes: '10' };
const usualPrice = 15_00;

export const emptyTariff: TypedTariff = {
  name: '',
  kind: 'fixed',
  price: '',
  week: weekOf({ price: usualPrice as TariffTerms['price'], hours: null }),
  discount: noDiscount,
  idle: noIdle,
};

/** A yearly day has no year; a leap year has every day, so the field can show it. */
const leapYear = '2028-';
const withYear = (day: string) => (day.length === 'MM-DD'.length ? leapYear + day : day);

export function typedTariff({ name, price, hours, discount, idle }: TariffTerms & { name: string }): TypedTariff {
  return {
    name,
    kind: hours ? 'hours' : price === 0 ? 'free' : 'fixed',
    price: hryvnias(price),
    week: weekOf({ price, hours }),
    discount: discount
      ? {
          isOn: true,
          percent: String(discount.percent),
          from: withYear(discount.from),
          to: withYear(discount.to),
          isYearly: discount.from.length === 'MM-DD'.length,
          text: discount.text ?? '',
        }
      : noDiscount,
    idle: idle ? { isOn: true, fee: hryvnias(idle.fee), graceMinutes: String(idle.grace_minutes) } : noIdle,
  };
}

const hryvnias = (kopecks: number) => (kopecks / 100).toFixed(2).replace('.', ',');
const numberOf = (typed: string) => {
  const value = decimalOf(typed);
  return value === '' ? Number.NaN : value;
};

/** The terms of a form; what is not a number becomes NaN and is refused by the contract. */
export function termsOf({ kind, price, week, discount, idle }: TypedTariff) {
  const typed = decimalOf(price);
  const usual =
    kind === 'hours' ? usualOf(week) : kind === 'free' ? 0 : typed === '' ? Number.NaN : Math.round(typed * 100);
  const rows = kind === 'hours' ? rowsOf(week, usual) : [];
  const dayOf = (typed: string) => {
    const day = readDay(typed) ?? '';
    return discount.isYearly ? day.slice('YYYY-'.length) : day;
  };
  return {
    price: usual,
    hours: rows.length > 0 ? rows : null,
    discount:
      discount.isOn && kind !== 'free'
        ? {
            from: dayOf(discount.from),
            to: dayOf(discount.to),
            percent: Number(discount.percent.trim() === '' ? Number.NaN : decimalOf(discount.percent)),
            text: discount.text.trim() || null,
          }
        : null,
    idle:
      idle.isOn && kind !== 'free'
        ? { fee: Math.round(numberOf(idle.fee) * 100), grace_minutes: numberOf(idle.graceMinutes) }
        : null,
  };
}
