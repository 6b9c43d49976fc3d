import type { ConnectorStatus } from '@fpay/contract/connectors';

/**
 * The device's status of a connector, and ours. Suspended is charging only while a transaction runs; without one it is what
 * some chargers say instead of Preparing.
 */
const statusOfWord: Record<string, ConnectorStatus | { inTransaction: ConnectorStatus; otherwise: ConnectorStatus }> = {
  Available: 'free',
  Preparing: 'ready',
  Charging: 'charging',
  SuspendedEV: { inTransaction: 'charging', otherwise: 'ready' },
  SuspendedEVSE: { inTransaction: 'charging', otherwise: 'ready' },
  Finishing: 'occupied',
  Reserved: 'occupied',
  Unavailable: 'oos',
  Faulted: 'oos',
};

/** What the whole device may say of itself that its connectors must not ignore. */
const outOfService = new Set(['Unavailable', 'Faulted']);
/** Of an open operation: the driver has the connector, but no power flows yet. */
const beforePower = new Set(['created', 'pending', 'starting']);

export interface ConnectorFacts {
  /** Null: nothing heard yet. */
  ocppStatus: string | null;
  /** Of the whole charge point (connector 0). */
  chargePointStatus: string | null;
  isChargePointOnline: boolean;
  isInTransaction: boolean;
  /** Of the connector's open operation, if it has one. */
  operationStatus: string | null;
}

/** What a driver is told. A word that no one knows says nothing, so it is `unknown`, never `free`. */
export function connectorStatus(facts: ConnectorFacts): ConnectorStatus {
  if (!facts.isChargePointOnline || facts.ocppStatus === null) return 'unknown';
  const word = Object.hasOwn(statusOfWord, facts.ocppStatus) ? statusOfWord[facts.ocppStatus] : undefined;
  if (word === undefined) return 'unknown';
  const said = typeof word === 'string' ? word : facts.isInTransaction ? word.inTransaction : word.otherwise;

  if (said === 'oos') return 'oos';
  // A device that takes itself out of service lets the running charge go on and takes no new one.
  if (outOfService.has(facts.chargePointStatus ?? '') && said !== 'charging') return 'oos';
  if (facts.operationStatus === null) return said;
  if (beforePower.has(facts.operationStatus)) return 'occupied';
  // A status may overtake the transaction's messages: as long as the operation is open, nobody else can have the connector.
  return said === 'charging' ? 'charging' : 'occupied';
}
