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
    energyTotal: 'За енергію',
    idle: 'Простій',
    capped: 'не більше депозиту',
    total: 'Сплачено',
    refunded: 'Повернено',
    net: 'Підсумок',
    paidBy: 'Спосіб оплати',
    card: 'Картка',
    balance: 'Баланс рахунку',
    rrn: 'Код операції в банку',
    seller: 'Продавець',
    edrpou: 'Код ЄДРПОУ',
    vat: 'ІПН платника ПДВ',
    noVat: 'Не платник ПДВ',
    fiscal: 'Фіскальний чек',
    kwh: 'кВт·год',
    issued: 'видано {date}, час київський',
    duration: 'Тривало',
    received: 'Отримано',
    car: 'Авто',
    minutes: 'хв',
    hours: 'год',
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
    energyTotal: 'For energy',
    idle: 'Idle fee',
    capped: 'limited by the deposit',
    total: 'Paid',
    refunded: 'Refunded',
    net: 'Net amount',
    paidBy: 'Payment method',
    card: 'Card',
    balance: 'Account balance',
    rrn: 'Bank reference',
    seller: 'Seller',
    edrpou: 'EDRPOU code',
    vat: 'VAT number',
    noVat: 'Not a VAT payer',
    fiscal: 'Fiscal check',
    kwh: 'kWh',
    issued: 'issued on {date}, Kyiv time',
    duration: 'Duration',
    received: 'Received',
    car: 'Car',
    minutes: 'min',
    hours: 'h',
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
    energyTotal: 'Za energię',
    idle: 'Postój',
    capped: 'nie więcej niż depozyt',
    total: 'Zapłacono',
    refunded: 'Zwrócono',
    net: 'Razem',
    paidBy: 'Sposób płatności',
    card: 'Karta',
    balance: 'Saldo konta',
    rrn: 'Kod operacji w banku',
    seller: 'Sprzedawca',
    edrpou: 'Kod EDRPOU',
    vat: 'Numer VAT',
    noVat: 'Nie jest płatnikiem VAT',
    fiscal: 'Paragon fiskalny',
    kwh: 'kWh',
    issued: 'wystawiono {date}, czas kijowski',
    duration: 'Czas',
    received: 'Pobrano',
    car: 'Auto',
    minutes: 'min',
    hours: 'godz.',
    qr: 'Zeskanuj, aby otworzyć sesję',
  },
} as const satisfies Record<Language, Record<string, string>>;

export interface ReceiptLine {
  label: string;
  value: string;
  link?: string;
  isStrong?: boolean;
}

/** A receipt in its reader's language. */
interface ReceiptTexts {
  title: string;
  issued: string;
  subtitle: string;
  /** The three figures that a reader looks for. */
  headline: { label: string; value: string }[];
  lines: ReceiptLine[][];
  qr: string;
}

export function worded(receipt: Receipt, seller: Seller): ReceiptTexts {
  const say = words[receipt.language];
  const number = (value: number, digits: number) =>
    value.toLocaleString(say.locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  const hryvnias = (kopecks: number) => `${number(kopecks / 100, 2)} ₴`;
  const time = (instant: Date) =>
    instant.toLocaleString(say.locale, { timeZone: kyivZone, dateStyle: 'long', timeStyle: 'short' });
  const { paidBy, fiscal } = receipt;
  const connector = `${connectorNames[receipt.connector.type] ?? receipt.connector.type} · ${receipt.connector.number}`;

  const minutes =
    receipt.startedAt && Math.round((receipt.finishedAt.getTime() - receipt.startedAt.getTime()) / 60_000);
  const { captured, refunded } = receipt;
  const sums: ReceiptLine[] =
    refunded === 0
      ? [{ label: say.total, value: hryvnias(captured), isStrong: true }]
      : [
          { label: say.total, value: hryvnias(captured) },
          { label: say.refunded, value: hryvnias(refunded) },
          { label: say.net, value: hryvnias(captured - refunded), isStrong: true },
        ];
  const { idle } = receipt;
  const counted = idle && `${idle.minutes} ${say.minutes} × ${hryvnias(idle.fee)}`;
  const isCapped = idle !== null && idle.total < idle.minutes * idle.fee;
  const idleLines: ReceiptLine[] = idle
    ? [
        { label: say.energyTotal, value: hryvnias(idle.energyTotal) },
        { label: say.idle, value: `${hryvnias(idle.total)} (${counted}${isCapped ? `, ${say.capped}` : ''})` },
      ]
    : [];
  const charge: ReceiptLine[] = [
    { label: say.station, value: receipt.station },
    { label: say.address, value: receipt.address },
    { label: say.connector, value: connector },
    ...(receipt.car === null ? [] : [{ label: say.car, value: receipt.car }]),
    ...(receipt.startedAt ? [{ label: say.started, value: time(receipt.startedAt) }] : []),
    { label: say.finished, value: time(receipt.finishedAt) },
    { label: say.energy, value: `${number(receipt.energyWh / 1000, 3)} ${say.kwh}` },
    { label: say.price, value: hryvnias(receipt.price) },
    ...idleLines,
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
    issued: say.issued.replace('{date}', time(receipt.finishedAt)),
    subtitle: say.subtitle,
    headline: [
      { label: say.total, value: hryvnias(captured - refunded) },
      { label: say.received, value: `${number(receipt.energyWh / 1000, 2)} ${say.kwh}` },
      ...(minutes === null ? [] : [{ label: say.duration, value: duration(minutes, say) }]),
    ],
    lines: [charge, payment, sale],
    qr: say.qr,
  };
}

function duration(minutes: number, say: { minutes: string; hours: string }): string {
  const hours = Math.floor(minutes / 60);
  return hours > 0 ? `${hours} ${say.hours} ${minutes % 60} ${say.minutes}` : `${minutes} ${say.minutes}`;
}
