import * as z from 'zod/mini';

/**
 * Every connector type that we know. `adapter`: drivers often use an adapter with it. The adapter hides the car from
 * the charger, so a charge may be started while the connector still reports that it is free.
 */
export const connectorTypes = {
  gbtac: { name: 'GB/T AC', current: 'AC', adapter: true },
  gbtdc: { name: 'GB/T DC', current: 'DC', adapter: true },
  type1: { name: 'Type 1', current: 'AC', adapter: false },
  type2: { name: 'Type 2', current: 'AC', adapter: false },
  ccstype1: { name: 'CCS1', current: 'DC', adapter: false },
  ccstype2: { name: 'CCS2', current: 'DC', adapter: false },
  ccstype1type2: { name: 'CCS1 / CCS2', current: 'DC', adapter: false },
  chademo: { name: 'CHAdeMO', current: 'DC', adapter: true },
  nacs: { name: 'NACS', current: 'DC', adapter: false },
  ccstype2nacs: { name: 'NACS / CCS T2', current: 'DC', adapter: false },
} as const satisfies Record<string, { name: string; current: 'AC' | 'DC'; adapter: boolean }>;

export type ConnectorType = keyof typeof connectorTypes;
export const ConnectorType = z.enum(Object.keys(connectorTypes) as [ConnectorType, ...ConnectorType[]]);

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
