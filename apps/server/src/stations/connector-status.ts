import { beforePowerStatuses, isAmong } from '@fpay/contract/charging';
import type { ConnectorStatus } from '@fpay/contract/connectors';

/**
 * The device's status of a connector, and ours. Suspended means charging only while a transaction runs; without one
 * some chargers send it instead of Preparing.
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

/** Statuses of the whole device that override its connectors. */
const outOfService = new Set(['Unavailable', 'Faulted']);

export interface ConnectorFacts {
  /** Null when the device has not sent one yet. */
  ocppStatus: string | null;
  /** Status of the whole charge point (connector 0). */
  chargePointStatus: string | null;
  isChargePointOnline: boolean;
  isInTransaction: boolean;
  /** Staff have announced work at it. */
  isUnderMaintenance: boolean;
  /** Status of the connector's open operation, if it has one. */
  operationStatus: string | null;
}

/** The status shown to drivers. An unknown status of the device says nothing, so it is `unknown`, never `free`. */
export function connectorStatus(facts: ConnectorFacts): ConnectorStatus {
  if (!facts.isChargePointOnline || facts.ocppStatus === null) return 'unknown';
  const word = Object.hasOwn(statusOfWord, facts.ocppStatus) ? statusOfWord[facts.ocppStatus] : undefined;
  if (word === undefined) return 'unknown';
  const said = typeof word === 'string' ? word : facts.isInTransaction ? word.inTransaction : word.otherwise;

  if (said === 'oos') return 'oos';
  // A device that goes out of service continues the running charge and accepts no new one.
  if (outOfService.has(facts.chargePointStatus ?? '') && said !== 'charging') return 'oos';
  // Announced work lets a running charge go on and accepts no new one.
  if (facts.isUnderMaintenance && facts.operationStatus === null && said !== 'charging') return 'oos';
  if (facts.operationStatus === null) return said;
  if (isAmong(beforePowerStatuses, facts.operationStatus)) return 'occupied';
  // A status may overtake the messages of the transaction. While the operation is open, no other driver can have the
  // connector.
  return said === 'charging' ? 'charging' : 'occupied';
}
