import type { ConnectorType } from '@fpay/contract/connectors';

/** Adds the type, or removes it when it is present. */
export function toggled(types: readonly ConnectorType[], type: ConnectorType): ConnectorType[] {
  return types.includes(type) ? types.filter((other) => other !== type) : [...types, type];
}
