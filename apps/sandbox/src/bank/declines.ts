import type { Language } from './pay-texts.ts';

/** Reasons of a failed payment by the bank's code: some of each group that a caller may want to distinguish. */
export const declines = {
  '59': { uk: 'Недостатньо коштів', en: 'Not enough money', pl: 'Za mało środków' },
  '51': { uk: 'Термін дії картки вичерпано', en: 'The card has expired', pl: 'Karta straciła ważność' },
  '1200': { uk: 'Неправильний CVV код', en: 'Wrong CVV code', pl: 'Błędny kod CVV' },
  '61': { uk: 'Перевищено ліміт картки', en: 'Over the card’s limit', pl: 'Przekroczono limit karty' },
  '41': { uk: 'Картку втрачено', en: 'The card is lost', pl: 'Karta zgubiona' },
  '6': { uk: 'Операцію відхилив банк картки', en: 'Refused by the card’s bank', pl: 'Odmowa banku karty' },
  '1034': { uk: 'Не пройдено перевірку 3-D Secure', en: '3-D Secure failed', pl: 'Nieudane 3-D Secure' },
  '1077': { uk: 'Сума замала', en: 'The amount is too small', pl: 'Kwota jest za mała' },
  '1406': { uk: 'Відхилено як ризикову', en: 'Refused as risky', pl: 'Odrzucono jako ryzykowną' },
  '8002': { uk: 'Платник скасував оплату', en: 'The payer cancelled', pl: 'Płatnik anulował' },
  '8003': { uk: 'Технічна помилка', en: 'Technical error', pl: 'Błąd techniczny' },
} as const satisfies Record<string, Record<Language, string>>;

export const payerCancelled = '8002';
export const notEnoughMoney = '59';

/** The bank gives its reasons in Ukrainian. An unknown code is possible and has a generic text. */
export function failureReasonOf(errCode: string): string {
  return errCode in declines ? declines[errCode as keyof typeof declines].uk : 'Операцію відхилено';
}
