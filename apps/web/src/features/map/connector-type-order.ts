import type { ConnectorType } from '@fpay/contract/connectors';

/** Ordered by how many cars on Ukrainian roads have them. */
export const orderedTypes: readonly ConnectorType[] = [
  'ccstype2',
  'type2',
  'chademo',
  'gbtdc',
  'gbtac',
  'type1',
  'ccstype1',
  'nacs',
  'ccstype1type2',
  'ccstype2nacs',
];

/** Adds the type, or removes it when it is present. */
export function toggled(types: readonly ConnectorType[], type: ConnectorType): ConnectorType[] {
  return types.includes(type) ? types.filter((other) => other !== type) : [...types, type];
}
