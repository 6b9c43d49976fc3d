import type { Language } from './pay-texts.ts';

const signs: Record<number, string> = { 980: '₴', 840: '$', 978: '€' };

/** Kopecks in readable form: 1 250,00 ₴, with non-breaking spaces. */
export function moneyText(kopecks: number, ccy: number, lang: Language): string {
  const point = lang === 'en' ? '.' : ',';
  const gap = lang === 'en' ? ',' : '\u00a0';
  const whole = String(Math.floor(kopecks / 100)).replace(/\B(?=(\d{3})+$)/g, gap);
  return `${whole}${point}${String(kopecks % 100).padStart(2, '0')}\u00a0${signs[ccy] ?? ccy}`;
}

/** The total of a basket line. Quantities may have decimals but kopecks may not; half a kopeck rounds up. */
export function lineTotal({ qty, sum }: { qty: number; sum: number }): number {
  return Math.round(qty * sum);
}

export function quantityText(qty: number, unit: string | undefined, lang: Language): string {
  const number = String(qty).replace('.', lang === 'en' ? '.' : ',');
  return unit ? `${number}\u00a0${unit}` : number;
}
