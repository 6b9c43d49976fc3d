import type { Language } from '@fpay/contract/person';

/** The data of a receipt, before it is put into texts and drawn. */
export interface Receipt {
  operation: number;
  language: Language;
  station: string;
  address: string;
  /** The name of the driver's car; null when it is not known. */
  car: string | null;
  /** Rated power in watts. */
  connector: { type: string; number: number; power: number };
  startedAt: Date | null;
  finishedAt: Date;
  energyWh: number;
  /** Kopecks per kWh, fixed when the operation was opened. */
  price: number;
  /** Null when no idle fee was charged. */
  idle: { minutes: number; fee: number; total: number; energyTotal: number } | null;
  /** What was set aside at the start. */
  deposit: number;
  /** What was captured, and what of it was refunded or is being refunded. */
  captured: number;
  refunded: number;
  paidBy: { kind: 'card'; maskedPan: string | null; rrn: string | null } | { kind: 'balance' } | { kind: 'free' };
  fiscal: { number: string | null; url: string } | null;
  /** The car's state of charge at the first and the latest reading; null when the car did not report it. */
  soc: { first: number; last: number } | null;
  /** The readings of the power over time; a value is null where the device sent none. */
  curve: { beganAt: Date; seconds: readonly number[]; powerW: readonly (number | null)[] } | null;
}

/** The seller, from the settings. The VAT number is null when not registered for VAT. */
export interface Seller {
  brand: string;
  name: string;
  edrpou: string;
  vat: string | null;
  supportPhone: string;
  /** The network's site, as people type it. */
  site: string;
}

/** The file name that drivers know. */
export const fileNameOf = (operation: number) => `invoice-fpay-${operation}.pdf`;
