import type { ConnectorStatus } from '@fpay/ocpp/v16/status-notification';

/** What is the case at a connector, from which its status follows. */
export interface ConnectorFacts {
  isFaulted: boolean;
  isOperative: boolean;
  /** A car the charge point can see: one behind a passive adapter shows only when it charges. */
  isPlugged: boolean;
  isAuthorised: boolean;
  inTransaction: boolean;
  /** A transaction ended and its cable is still in. */
  isSpent: boolean;
  /** The charge point holds the power back. */
  isHeldBack: boolean;
  /** The car takes none, though it could. */
  isCarIdle: boolean;
}

/** The first line that is true tells the status. */
const rules: readonly [ConnectorStatus, (facts: ConnectorFacts) => boolean][] = [
  ['Faulted', ({ isFaulted }) => isFaulted],
  // Both pausing: the standard lets the charge point's own pause win.
  ['SuspendedEVSE', ({ inTransaction, isHeldBack }) => inTransaction && isHeldBack],
  ['SuspendedEV', ({ inTransaction, isCarIdle }) => inTransaction && isCarIdle],
  ['Charging', ({ inTransaction }) => inTransaction],
  ['Unavailable', ({ isOperative }) => !isOperative],
  ['Finishing', ({ isPlugged, isSpent, isAuthorised }) => isPlugged && isSpent && !isAuthorised],
  ['Preparing', ({ isPlugged, isAuthorised }) => isPlugged || isAuthorised],
];

export function statusOf(facts: ConnectorFacts): ConnectorStatus {
  return rules.find(([, holds]) => holds(facts))?.[0] ?? 'Available';
}
