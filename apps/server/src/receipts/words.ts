import { chargedMinutes } from '@fpay/contract/charged-time';
import { connectorTypes, isConnectorType } from '@fpay/contract/connectors';
import { powerScaleTop } from '@fpay/contract/power-curve';
import { inLanguage } from '@fpay/contract/translated';
import { kyivZone } from '../platform/kyiv-time.ts';
import type { Receipt, Seller } from './receipt.ts';
import { type ReceiptWords, receiptTexts } from './texts.ts';

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
  /** The three figures that a reader looks for. */
  headline: { label: string; value: string }[];
  charge: ReceiptBlock;
  money: ReceiptBlock;
  sale: ReceiptBlock;
  /** Null without readings of the power. */
  curve: ReceiptCurve | null;
  qr: string;
  footer: { contact: string; thanks: string };
}

interface ReceiptBlock {
  title: string;
  lines: ReceiptLine[];
}

/** Everything is a share of the width or of the height of the plot. */
export interface ReceiptCurve {
  title: string;
  note: string;
  marks: { text: string; share: number }[];
  times: { text: string; share: number }[];
  points: { x: number; y: number }[];
}

export function worded(receipt: Receipt, seller: Seller): ReceiptTexts {
  const say = inLanguage<ReceiptWords>(receiptTexts, receipt.language);
  const number = numberIn(say.locale);
  const hryvnias = (kopecks: number) => `${number(kopecks / 100, 2)} ₴`;
  const { captured, refunded, startedAt, finishedAt } = receipt;
  const minutes = chargedMinutes(startedAt, finishedAt);
  return {
    title: say.title.replace('{number}', String(receipt.operation)),
    issued: say.issued.replace('{date}', timeIn(say.locale, finishedAt)),
    headline: [
      { label: refunded > 0 ? say.net : say.total, value: hryvnias(captured - refunded) },
      { label: say.received, value: `${number(receipt.energyWh / 1000, 2)} ${say.kwh}` },
      ...(minutes === null ? [] : [{ label: say.duration, value: duration(minutes, say) }]),
    ],
    charge: { title: say.charge, lines: chargeLines(receipt, say) },
    money: { title: say.money, lines: moneyLines(receipt, say, hryvnias) },
    sale: { title: say.seller, lines: saleLines(receipt, seller, say) },
    curve: curveOf(receipt, say),
    qr: say.qr,
    footer: {
      contact: say.support.replace('{phone}', seller.supportPhone).replace('{site}', seller.site),
      thanks: say.thanks,
    },
  };
}

function chargeLines({ connector, soc, startedAt, finishedAt, ...receipt }: Receipt, say: ReceiptWords): ReceiptLine[] {
  const type = isConnectorType(connector.type) ? connectorTypes[connector.type].name : connector.type;
  const power = `${numberIn(say.locale)(connector.power / 1000, connector.power % 1000 === 0 ? 0 : 1)} ${say.kw}`;
  const charged = soc && soc.last > soc.first ? ` · ${soc.first} – ${soc.last}${say.percent}` : '';
  return [
    { label: say.station, value: receipt.station },
    { label: say.address, value: receipt.address },
    {
      label: say.connector,
      value: say.connectorNumber
        .replace('{type}', type)
        .replace('{number}', String(connector.number))
        .replace('{power}', power),
    },
    ...(startedAt ? [{ label: say.started, value: timeIn(say.locale, startedAt) }] : []),
    { label: say.finished, value: timeIn(say.locale, finishedAt) },
    ...(receipt.car === null && charged === ''
      ? []
      : [{ label: say.car, value: `${receipt.car ?? ''}${charged}`.replace(/^ · /, '') }]),
  ];
}

function moneyLines(receipt: Receipt, say: ReceiptWords, hryvnias: (kopecks: number) => string): ReceiptLine[] {
  const { captured, refunded, deposit, paidBy } = receipt;
  const released = deposit - captured;
  const isBalance = paidBy.kind === 'balance';
  const isFree = paidBy.kind === 'free';
  return [
    { label: say.energy, value: `${numberIn(say.locale)(receipt.energyWh / 1000, 3)} ${say.kwh}` },
    { label: say.price, value: hryvnias(receipt.price) },
    ...idleLines(receipt, say, hryvnias),
    ...(isFree ? [] : [{ label: say.deposit, value: hryvnias(deposit) }]),
    ...(released > 0 ? [{ label: isBalance ? say.releasedToBalance : say.released, value: hryvnias(released) }] : []),
    { label: say.total, value: hryvnias(captured), isStrong: refunded === 0 },
    ...(refunded === 0
      ? []
      : [
          { label: say.refunded, value: hryvnias(refunded) },
          { label: say.net, value: hryvnias(captured - refunded), isStrong: true },
        ]),
    {
      label: say.paidBy,
      value: paidBy.kind === 'card' ? `${say.card} ${lastDigits(paidBy.maskedPan)}`.trim() : say[paidBy.kind],
    },
    ...(paidBy.kind === 'card' && paidBy.rrn ? [{ label: say.rrn, value: paidBy.rrn }] : []),
  ];
}

function idleLines({ idle }: Receipt, say: ReceiptWords, hryvnias: (kopecks: number) => string): ReceiptLine[] {
  if (!idle) return [];
  const label = say.idle.replace('{minutes}', `${idle.minutes} ${say.minutes}`).replace('{fee}', hryvnias(idle.fee));
  const isCapped = idle.total < idle.minutes * idle.fee;
  return [
    { label: say.energyTotal, value: hryvnias(idle.energyTotal) },
    { label, value: `${hryvnias(idle.total)}${isCapped ? `, ${say.capped}` : ''}` },
  ];
}

function saleLines({ fiscal }: Receipt, seller: Seller, say: ReceiptWords): ReceiptLine[] {
  return [
    { label: say.sellerName, value: seller.name },
    { label: say.edrpou, value: seller.edrpou },
    { label: say.vat, value: seller.vat ?? say.noVat },
    ...(fiscal ? [{ label: say.fiscal, value: fiscal.number ?? fiscal.url, link: fiscal.url }] : []),
  ];
}

/** One point is no curve. */
function curveOf({ curve, energyWh, startedAt, finishedAt }: Receipt, say: ReceiptWords): ReceiptCurve | null {
  if (!curve) return null;
  const span = curve.seconds.at(-1) ?? 0;
  const values = curve.powerW.flatMap((watts, index) =>
    watts === null ? [] : [{ watts, second: curve.seconds[index] ?? 0 }],
  );
  const most = Math.max(0, ...values.map(({ watts }) => watts)) / 1000;
  if (values.length < 2 || span === 0 || most === 0) return null;
  const number = numberIn(say.locale);
  const top = powerScaleTop(most);
  const hours = startedAt ? (finishedAt.getTime() - startedAt.getTime()) / 3_600_000 : 0;
  const clock = (share: number) =>
    new Date((startedAt ?? curve.beganAt).getTime() + share * span * 1000).toLocaleTimeString(say.locale, {
      timeZone: kyivZone,
      hour: '2-digit',
      minute: '2-digit',
    });
  const shares = span > 600 ? [0, 0.25, 0.5, 0.75, 1] : [0, 1];
  return {
    title: say.power,
    note: [
      say.most.replace('{power}', number(most, 1)),
      ...(hours > 0 ? [say.mean.replace('{power}', number(energyWh / 1000 / hours, 1))] : []),
    ].join(' · '),
    marks: [0, 1, 2, 3].map((third) => ({ text: number((top * third) / 3, 0), share: third / 3 })),
    times: shares.map((share) => ({ text: clock(share), share })),
    points: values.map(({ watts, second }) => ({ x: second / span, y: Math.max(0, watts) / 1000 / top })),
  };
}

function numberIn(locale: string) {
  return (value: number, digits: number) =>
    value.toLocaleString(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function timeIn(locale: string, instant: Date): string {
  return instant.toLocaleString(locale, { timeZone: kyivZone, dateStyle: 'long', timeStyle: 'short' });
}

function duration(minutes: number, say: { minutes: string; hours: string }): string {
  const hours = Math.floor(minutes / 60);
  return hours > 0 ? `${hours} ${say.hours} ${minutes % 60} ${say.minutes}` : `${minutes} ${say.minutes}`;
}

/** A paper that is shown to others has no more of a card than its owner needs to recognise it. */
function lastDigits(maskedPan: string | null): string {
  return maskedPan === null ? '' : `*${maskedPan.slice(-4)}`;
}
