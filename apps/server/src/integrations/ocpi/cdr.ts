import { isConnectorType } from '@fpay/contract/connectors';
import { ocpiTime } from './answer.ts';
import type { OcpiIdentity } from './identity.ts';
import { cityOf, coordinatesOf, electricsOf } from './location.ts';
import { vatPercent } from './tariff.ts';

/** One charge detail record: a charge that ended, or a correction of an earlier record. */
export interface CdrRow {
  operation: number;
  /** 0 for the first record of a charge; each refund adds a credit of the record before it and a new one. */
  sequence: number;
  is_credit: boolean;
  /** Kopecks with VAT; a credit is negative. */
  amount: number;
  recorded_at: Date;
  user_id: number;
  is_guest: boolean;
  source: string;
  started_at: Date;
  finished_at: Date;
  energy_wh: number;
  total: number;
  idle_total: number;
  idle_seconds: number;
  number: string;
  address_uk: string;
  lat: number;
  lon: number;
  connector_id: number;
  type: string;
  power_w: number;
  has_cable: boolean;
}

interface Seller {
  identity: OcpiIdentity;
  operator: string;
  hasVat: boolean;
}

const hourSeconds = 3_600;
/** As OCPI counts hours and net prices. */
const fourDecimals = (value: number) => Math.round(value * 10_000) / 10_000;

/** Our sums are kopecks with VAT. They are divided only here, so `incl_vat` is exact. */
function priceOf(kopecks: number, hasVat: boolean) {
  if (!hasVat) return { excl_vat: kopecks / 100 };
  return { excl_vat: fourDecimals(kopecks / (100 + vatPercent)), incl_vat: kopecks / 100 };
}

/** Null for a connector whose type OCPI cannot name. */
export function cdrOf(row: CdrRow, { identity, operator, hasVat }: Seller): object | null {
  if (!isConnectorType(row.type)) return null;
  const { standard, power_type } = electricsOf(row.type, row.power_w);
  const party = { country_code: identity.countryCode, party_id: identity.partyId };
  const contract = `${identity.countryCode}-${identity.partyId}-C${String(row.user_id).padStart(9, '0')}`;
  const original = row.sequence <= 1 ? String(row.operation) : `${row.operation}-${row.sequence - 1}`;
  const id = row.is_credit
    ? `${row.operation}-C${row.sequence}`
    : row.sequence === 0
      ? String(row.operation)
      : `${row.operation}-${row.sequence}`;
  const isCard = row.source === 'rfid';
  return {
    ...party,
    id,
    start_date_time: ocpiTime(row.started_at),
    end_date_time: ocpiTime(row.finished_at),
    session_id: String(row.operation),
    cdr_token: {
      ...party,
      uid: contract,
      type: isCard ? 'RFID' : row.is_guest ? 'AD_HOC_USER' : 'APP_USER',
      contract_id: contract,
    },
    auth_method: isCard ? 'AUTH_REQUEST' : 'COMMAND',
    cdr_location: {
      id: row.number,
      name: `${operator} ${row.number}`,
      address: row.address_uk.slice(0, 45),
      city: cityOf(row.address_uk),
      country: 'UKR',
      coordinates: coordinatesOf(row.lat, row.lon),
      evse_uid: String(row.connector_id),
      evse_id: `${identity.countryCode}*${identity.partyId}*E${row.connector_id}`,
      connector_id: '1',
      connector_standard: standard,
      connector_format: row.has_cable ? 'CABLE' : 'SOCKET',
      connector_power_type: power_type,
    },
    currency: 'UAH',
    ...volumesOf(row),
    total_cost: priceOf(row.amount, hasVat),
    ...costsOf(row, hasVat),
    ...(row.is_credit && { credit: true, credit_reference_id: original }),
    last_updated: ocpiTime(row.recorded_at),
  };
}

/** The parts of the sum, while it is the sum of the charge; a partial refund has no parts. */
function costsOf({ amount, total, idle_total }: CdrRow, hasVat: boolean): object {
  if (Math.abs(amount) !== total) return {};
  const sign = amount < 0 ? -1 : 1;
  return {
    total_energy_cost: priceOf(sign * (total - idle_total), hasVat),
    ...(idle_total > 0 && { total_parking_cost: priceOf(sign * idle_total, hasVat) }),
  };
}

/** The idle time that was observed is parking; its period is the last one, so that each period is as long as its volume. */
function volumesOf({ started_at, finished_at, energy_wh, idle_seconds }: CdrRow) {
  const seconds = Math.max(0, Math.round((finished_at.getTime() - started_at.getTime()) / 1000));
  const idle = Math.min(idle_seconds, seconds);
  const total_time = fourDecimals(seconds / hourSeconds);
  const parking = fourDecimals(idle / hourSeconds);
  const energy = { type: 'ENERGY', volume: energy_wh / 1000 };
  const charging = { type: 'TIME', volume: fourDecimals(total_time - parking) };
  const parkedAt = new Date(finished_at.getTime() - idle * 1000);
  return {
    charging_periods: [
      { start_date_time: ocpiTime(started_at), dimensions: [energy, charging] },
      ...(idle > 0
        ? [{ start_date_time: ocpiTime(parkedAt), dimensions: [{ type: 'PARKING_TIME', volume: parking }] }]
        : []),
    ],
    total_energy: energy_wh / 1000,
    total_time,
    ...(idle > 0 && { total_parking_time: parking }),
  };
}
