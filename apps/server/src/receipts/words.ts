import type { Language } from '@fpay/contract/person';
import { kyivZone } from '../platform/kyiv-time.ts';
import { connectorNames, type Receipt, type Seller } from './receipt.ts';

const words = {
  uk: {
    locale: 'uk-UA',
    title: 'Квитанція № {number}',
    subtitle: 'Послуга зарядки електромобіля',
    station: 'Станція',
    address: 'Адреса',
    connector: 'Роз’єм',
    started: 'Початок зарядки',
    finished: 'Кінець зарядки',
    energy: 'Енергія',
    price: 'Ціна за кВт·год',
    total: 'Сплачено',
    refunded: 'Повернено',
    net: 'Підсумок',
    paidBy: 'Спосіб оплати',
    card: 'Картка',
    balance: 'Баланс рахунку',
    rrn: 'RRN',
    seller: 'Продавець',
    edrpou: 'Код ЄДРПОУ',
    vat: 'ІПН платника ПДВ',
    noVat: 'Не платник ПДВ',
    fiscal: 'Фіскальний чек',
    kwh: 'кВт·год',
    time: 'за київським часом',
    qr: 'Відскануйте, щоб відкрити сесію',
  },
  en: {
    locale: 'en-GB',
    title: 'Receipt No. {number}',
    subtitle: 'Electric vehicle charging service',
    station: 'Station',
    address: 'Address',
    connector: 'Connector',
    started: 'Charging started',
    finished: 'Charging ended',
    energy: 'Energy',
    price: 'Price per kWh',
    total: 'Paid',
    refunded: 'Refunded',
    net: 'Net amount',
    paidBy: 'Payment method',
    card: 'Card',
    balance: 'Account balance',
    rrn: 'RRN',
    seller: 'Seller',
    edrpou: 'EDRPOU code',
    vat: 'VAT number',
    noVat: 'Not a VAT payer',
    fiscal: 'Fiscal check',
    kwh: 'kWh',
    time: 'Kyiv time',
    qr: 'Scan to open the session',
  },
  pl: {
    locale: 'pl-PL',
    title: 'Potwierdzenie nr {number}',
    subtitle: 'Usługa ładowania pojazdu elektrycznego',
    station: 'Stacja',
    address: 'Adres',
    connector: 'Złącze',
    started: 'Początek ładowania',
    finished: 'Koniec ładowania',
    energy: 'Zużyta energia',
    price: 'Cena za kWh',
    total: 'Zapłacono',
    refunded: 'Zwrócono',
    net: 'Razem',
    paidBy: 'Sposób płatności',
    card: 'Karta',
    balance: 'Saldo konta',
    rrn: 'RRN',
    seller: 'Sprzedawca',
    edrpou: 'Kod EDRPOU',
    vat: 'Numer VAT',
    noVat: 'Nie jest płatnikiem VAT',
    fiscal: 'Paragon fiskalny',
    kwh: 'kWh',
    time: 'Czas kijowski',
    qr: 'Zeskanuj, aby otworzyć sesję',
  },
} as const satisfies Record<Language, Record<string, string>>;

export interface ReceiptLine {
  label: string;
  value: string;
  link?: string;
  isStrong?: boolean;
}

/** The lines of a receipt in its reader's language. */
export function worded(
  receipt: Receipt,
  seller: Seller,
): { title: string; subtitle: string; lines: ReceiptLine[][]; qr: string } {
  const say = words[receipt.language];
  const number = (value: number, digits: number) =>
    value.toLocaleString(say.locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  const hryvnias = (kopecks: number) => `${number(kopecks / 100, 2)} ₴`;
  const time = (instant: Date) =>
    instant.toLocaleString(say.locale, { timeZone: kyivZone, dateStyle: 'long', timeStyle: 'short' });
  const { paidBy, fiscal } = receipt;
  const connector = `${connectorNames[receipt.connector.type] ?? receipt.connector.type} · ${receipt.connector.number}`;

  const { captured, refunded } = receipt;
  const sums: ReceiptLine[] =
    refunded === 0
      ? [{ label: say.total, value: hryvnias(captured), isStrong: true }]
      : [
          { label: say.total, value: hryvnias(captured) },
          { label: say.refunded, value: hryvnias(refunded) },
          { label: say.net, value: hryvnias(captured - refunded), isStrong: true },
        ];
  const charge: ReceiptLine[] = [
    { label: say.station, value: receipt.station },
    { label: say.address, value: receipt.address },
    { label: say.connector, value: connector },
    ...(receipt.startedAt ? [{ label: say.started, value: time(receipt.startedAt) }] : []),
    { label: say.finished, value: `${time(receipt.finishedAt)} (${say.time})` },
    { label: say.energy, value: `${number(receipt.energyWh / 1000, 3)} ${say.kwh}` },
    { label: say.price, value: hryvnias(receipt.price) },
    ...sums,
  ];
  const payment: ReceiptLine[] =
    paidBy.kind === 'balance'
      ? [{ label: say.paidBy, value: say.balance }]
      : [
          { label: say.paidBy, value: `${say.card} ${paidBy.maskedPan ?? ''}`.trim() },
          ...(paidBy.rrn ? [{ label: say.rrn, value: paidBy.rrn }] : []),
        ];
  const sale: ReceiptLine[] = [
    { label: say.seller, value: seller.name },
    { label: say.edrpou, value: seller.edrpou },
    { label: say.vat, value: seller.vat ?? say.noVat },
    ...(fiscal ? [{ label: say.fiscal, value: fiscal.number ?? fiscal.url, link: fiscal.url }] : []),
  ];
  return {
    title: say.title.replace('{number}', String(receipt.operation)),
    subtitle: say.subtitle,
    lines: [charge, payment, sale],
    qr: say.qr,
  };
}
