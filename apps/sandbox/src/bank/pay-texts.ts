export const languages = ['uk', 'en', 'pl'] as const;
export type Language = (typeof languages)[number];

/** Texts of the payment page. Ukrainian is the default, because it is a Ukrainian bank. */
export const payTexts = {
  uk: {
    title: 'Оплата',
    test: 'Тестова оплата. Гроші не списуються.',
    for: 'Отримувач',
    toPay: 'До сплати',
    toHold: 'Буде заблоковано на картці',
    holdNote: 'Спишемо лише вартість послуги, решту повернемо на картку одразу.',
    verifyNote: 'Перевірка картки без списання.',
    basket: 'Замовлення',
    card: 'Номер картки',
    expiry: 'Термін дії',
    expiryHint: 'ММ/РР',
    cvv: 'CVV',
    pay: 'Сплатити',
    hold: 'Заблокувати',
    confirm: 'Підтвердити',
    savedCard: 'Збережена картка',
    decline: 'Відхилити',
    declineWith: 'Причина відмови',
    cancel: 'Скасувати',
    faults: {
      number: 'Перевірте номер картки',
      expiry: 'Перевірте термін дії',
      cvv: 'Три цифри на звороті картки',
    },
    back: 'Повернутися до магазину',
    language: 'Мова',
    states: {
      processing: ['Оплата обробляється', 'Це триває кілька секунд.'],
      hold: ['Суму заблоковано', 'Цей рахунок уже сплачено.'],
      success: ['Оплачено', 'Цей рахунок уже сплачено.'],
      failure: ['Оплата не пройшла', 'За цим рахунком більше не можна сплатити.'],
      reversed: ['Кошти повернено', 'Гроші за цим рахунком повернуто на картку.'],
      expired: ['Час на оплату минув', 'Рахунок більше не діє. Створіть новий.'],
    },
    unknown: ['Рахунок не знайдено', 'Перевірте посилання.'],
  },
  en: {
    title: 'Payment',
    test: 'Test payment. No money is taken.',
    for: 'Paid to',
    toPay: 'To pay',
    toHold: 'To be held on the card',
    holdNote: 'Only the price of the service is taken; the rest is released at once.',
    verifyNote: 'The card is checked, nothing is taken.',
    basket: 'Order',
    card: 'Card number',
    expiry: 'Valid until',
    expiryHint: 'MM/YY',
    cvv: 'CVV',
    pay: 'Pay',
    hold: 'Hold',
    confirm: 'Confirm',
    savedCard: 'Saved card',
    decline: 'Decline',
    declineWith: 'Reason to decline',
    cancel: 'Cancel',
    faults: {
      number: 'Check the card number',
      expiry: 'Check the date',
      cvv: 'Three digits on the back of the card',
    },
    back: 'Back to the shop',
    language: 'Language',
    states: {
      processing: ['The payment is being processed', 'This takes a few seconds.'],
      hold: ['The amount is held', 'This invoice is already paid.'],
      success: ['Paid', 'This invoice is already paid.'],
      failure: ['The payment failed', 'This invoice can no longer be paid.'],
      reversed: ['The money was returned', 'What was paid went back to the card.'],
      expired: ['Time to pay is over', 'This invoice is no longer valid. Please make a new one.'],
    },
    unknown: ['No such invoice', 'Please check the link.'],
  },
  pl: {
    title: 'Płatność',
    test: 'Płatność testowa. Pieniądze nie zostaną pobrane.',
    for: 'Odbiorca',
    toPay: 'Do zapłaty',
    toHold: 'Do zablokowania na karcie',
    holdNote: 'Pobierzemy tylko koszt usługi, reszta od razu wróci na kartę.',
    verifyNote: 'Sprawdzenie karty bez pobrania środków.',
    basket: 'Zamówienie',
    card: 'Numer karty',
    expiry: 'Data ważności',
    expiryHint: 'MM/RR',
    cvv: 'CVV',
    pay: 'Zapłać',
    hold: 'Zablokuj',
    confirm: 'Potwierdź',
    savedCard: 'Zapisana karta',
    decline: 'Odrzuć',
    declineWith: 'Powód odmowy',
    cancel: 'Anuluj',
    faults: {
      number: 'Sprawdź numer karty',
      expiry: 'Sprawdź datę',
      cvv: 'Trzy cyfry z tyłu karty',
    },
    back: 'Wróć do sklepu',
    language: 'Język',
    states: {
      processing: ['Płatność jest przetwarzana', 'To potrwa kilka sekund.'],
      hold: ['Kwota zablokowana', 'Ten rachunek jest już opłacony.'],
      success: ['Opłacono', 'Ten rachunek jest już opłacony.'],
      failure: ['Płatność się nie powiodła', 'Tego rachunku nie można już opłacić.'],
      reversed: ['Środki zwrócono', 'Pieniądze z tego rachunku wróciły na kartę.'],
      expired: ['Czas na płatność minął', 'Rachunek jest już nieważny. Utwórz nowy.'],
    },
    unknown: ['Nie ma takiego rachunku', 'Sprawdź adres.'],
  },
} as const;

/** The requested language, otherwise the browser's preferred one, otherwise Ukrainian. */
export function languageOf(asked: unknown, acceptLanguage: string | undefined): Language {
  const known = (tag: string) => languages.find((language) => tag.trim().toLowerCase().split('-')[0] === language);
  if (typeof asked === 'string' && known(asked)) return known(asked) ?? 'uk';
  const wanted = (acceptLanguage ?? '')
    .split(',')
    .map((entry) => {
      const [tag = '', weight] = entry.split(';q=');
      return { language: known(tag), weight: weight === undefined ? 1 : Number(weight) || 0 };
    })
    .sort((a, b) => b.weight - a.weight);
  return wanted.find(({ language, weight }) => language && weight > 0)?.language ?? 'uk';
}
