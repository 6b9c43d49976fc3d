import * as z from 'zod/mini';

/** What this product asks about a kind of plug. */
type ConnectorRecord = {
  name: string;
  /**
   * Drivers often use an adapter with it. The adapter hides the car from the charger, so a charge may be started while
   * the connector still reports that it is free.
   */
  adapter: boolean;
  /** The largest rated power that a connector of this type may have, in W. */
  mostW: number;
} & ( // What OCPI 2.2.1 publishes. Only the server reads it, so the build removes it from the pages.
  | { current: 'AC'; ocpi: { standard: string; volts: number } }
  | { current: 'DC'; ocpi: { standard: string; volts: number; amperes: number } }
);

/**
 * Every connector type that we know, in the order of the filter: by how many cars on Ukrainian roads have it. Names, filter,
 * receipts, OCPI, checks of typed values and the schema are made from this record. OCPI 2.2.1 has no value for NACS, and
 * `TESLA_S` is the plug that fits it; a double cable is published as the more common plug. The network stores only the power,
 * so the volts and amperes of OCPI are those of the plug.
 */
export const connectorTypes = {
  ccstype2: {
    name: 'CCS2',
    current: 'DC',
    adapter: false,
    mostW: 2_000_000,
    ocpi: { standard: 'IEC_62196_T2_COMBO', volts: 1_000, amperes: 500 },
  },
  type2: {
    name: 'Type 2',
    current: 'AC',
    adapter: false,
    mostW: 2_000_000,
    ocpi: { standard: 'IEC_62196_T2', volts: 230 },
  },
  chademo: {
    name: 'CHAdeMO',
    current: 'DC',
    adapter: true,
    mostW: 2_000_000,
    ocpi: { standard: 'CHADEMO', volts: 500, amperes: 500 },
  },
  gbtdc: {
    name: 'GB/T DC',
    current: 'DC',
    adapter: true,
    mostW: 2_000_000,
    ocpi: { standard: 'GBT_DC', volts: 750, amperes: 500 },
  },
  gbtac: {
    name: 'GB/T AC',
    current: 'AC',
    adapter: true,
    mostW: 2_000_000,
    ocpi: { standard: 'GBT_AC', volts: 230 },
  },
  type1: {
    name: 'Type 1',
    current: 'AC',
    adapter: false,
    mostW: 2_000_000,
    ocpi: { standard: 'IEC_62196_T1', volts: 230 },
  },
  ccstype1: {
    name: 'CCS1',
    current: 'DC',
    adapter: false,
    mostW: 2_000_000,
    ocpi: { standard: 'IEC_62196_T1_COMBO', volts: 1_000, amperes: 500 },
  },
  nacs: {
    name: 'NACS',
    current: 'DC',
    adapter: false,
    mostW: 2_000_000,
    ocpi: { standard: 'TESLA_S', volts: 500, amperes: 500 },
  },
  ccstype1type2: {
    name: 'CCS1 / CCS2',
    current: 'DC',
    adapter: false,
    mostW: 2_000_000,
    ocpi: { standard: 'IEC_62196_T2_COMBO', volts: 1_000, amperes: 500 },
  },
  ccstype2nacs: {
    name: 'NACS / CCS T2',
    current: 'DC',
    adapter: false,
    mostW: 2_000_000,
    ocpi: { standard: 'IEC_62196_T2_COMBO', volts: 1_000, amperes: 500 },
  },
} as const satisfies Record<string, ConnectorRecord>;

export type ConnectorType = keyof typeof connectorTypes;
/** In the order of the filter. */
export const everyConnectorType = Object.keys(connectorTypes) as [ConnectorType, ...ConnectorType[]];
export const ConnectorType = z.enum(everyConnectorType);

export function isConnectorType(text: string): text is ConnectorType {
  return Object.hasOwn(connectorTypes, text);
}

export const connectorStatuses = ['charging', 'free', 'occupied', 'oos', 'ready', 'unknown'] as const;
export const ConnectorStatus = z.enum(connectorStatuses);
export type ConnectorStatus = z.infer<typeof ConnectorStatus>;

/** The server applies the same rule, so the page can decide without a request. */
export function canStart(type: ConnectorType, status: ConnectorStatus): boolean {
  return status === 'ready' || (status === 'free' && connectorTypes[type].adapter);
}
