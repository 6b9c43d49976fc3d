import { ChargePointIdentity } from '@fpay/contract/admin/network/charge-points';
import { RatedPower } from '@fpay/contract/admin/network/stations';
import { typedTerms } from '@fpay/contract/admin/network/tariffs';
import { ConnectorType } from '@fpay/contract/connectors';
import { Kopecks } from '@fpay/contract/money';
import { StationNumber } from '@fpay/contract/stations';
import { Id } from '@fpay/contract/wire';
import * as z from 'zod/mini';
import { Tariff } from '../stations/tariff.ts';

const text = (most: number) => z.string().check(z.trim(), z.minLength(1, 'must not be empty'), z.maxLength(most));

/** Files and staff use the same rule. */
export const Identity = ChargePointIdentity;
export const OcppConnector = z.int('must be a whole number').check(z.gte(1), z.lte(100));

const Place = {
  number: StationNumber,
  address: text(200),
  address_uk: text(200),
  lat: z.number('must be degrees').check(z.gte(-90), z.lte(90)),
  lon: z.number('must be degrees').check(z.gte(-180), z.lte(180)),
  /** The id of the party it belongs to. */
  party: z.optional(Id),
  /** Codes of its QR links. */
  links: z.optional(z.array(z.string().check(z.regex(/^[\w-]{1,64}$/, 'must be letters, digits, - or _')))),
};

const ConnectorRecord = z
  .object({
    charge_point: Identity,
    /** Its number on the device. */
    connector: OcppConnector,
    type: ConnectorType,
    power: RatedPower,
    has_cable: z._default(z.boolean(), true),
    /** Kopecks per kWh for a fixed price, or the name of a tariff; exactly one of them. */
    price: z.optional(Kopecks),
    tariff: z.optional(text(60)),
  })
  .check(
    z.refine(({ price, tariff }) => (price === undefined) !== (tariff === undefined), 'needs `price` or `tariff`'),
  );
export type ConnectorRecord = z.infer<typeof ConnectorRecord>;

const RealStation = z.object({
  ...Place,
  virtual: z.optional(z.literal(false)),
  connectors: z._default(z.array(ConnectorRecord), []),
});

/** A number of its own that lists connectors of several stations. */
const VirtualStation = z.object({
  ...Place,
  virtual: z.literal(true),
  connectors: z.array(z.object({ charge_point: Identity, connector: OcppConnector })),
});

/** A station in a file: what `export` writes and `import` reads. */
export type StationRecord = z.infer<typeof RealStation> | z.infer<typeof VirtualStation>;
export const NamedTariff = typedTerms(z.extend(Tariff, { name: text(60) }));
export type NamedTariff = z.infer<typeof NamedTariff>;

export type RecordResult<T> = { record: T } | { reason: string };

export function readStation(value: unknown): RecordResult<StationRecord> {
  const isVirtual = typeof value === 'object' && value !== null && 'virtual' in value && value.virtual === true;
  return reading(
    z.safeParse(isVirtual ? VirtualStation : RealStation, value) as z.core.util.SafeParseResult<StationRecord>,
  );
}

export function readNamedTariff(value: unknown): RecordResult<NamedTariff> {
  return reading(NamedTariff.safeParse(value));
}

function reading<T>(parsed: z.core.util.SafeParseResult<T>): RecordResult<T> {
  if (parsed.success) return { record: parsed.data };
  return {
    reason: parsed.error.issues
      .map(({ path, message }) => [...path, ''].join('.').replace(/\.$/, ': ') + message)
      .join('; '),
  };
}
