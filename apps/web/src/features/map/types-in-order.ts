import type { ConnectorType } from '@fpay/contract/connectors';

/** As often as cars on Ukrainian roads have them. */
export const typesInOrder: readonly ConnectorType[] = [
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

/** With it if it was not there, without it if it was. */
export function toggled(types: readonly ConnectorType[], type: ConnectorType): ConnectorType[] {
  return types.includes(type) ? types.filter((other) => other !== type) : [...types, type];
}
