import type { OcppConnectorStatus } from '@fpay/ocpp/v16/status-notification';

/** The facts of a connector from which its status is derived. */
export interface ConnectorFacts {
  isFaulted: boolean;
  isOperative: boolean;
  /** A car that the charge point detects; one behind a passive adapter is detected only while it charges. */
  isPlugged: boolean;
  isAuthorised: boolean;
  inTransaction: boolean;
  /** A transaction ended and its cable is still plugged in. */
  isUnplugPending: boolean;
  /** The charge point limits the power to zero. */
  isHeldBack: boolean;
  /** The car takes no power although it could. */
  isCarIdle: boolean;
}

/** The first rule that is true gives the status. */
const rules: readonly [OcppConnectorStatus, (facts: ConnectorFacts) => boolean][] = [
  ['Faulted', ({ isFaulted }) => isFaulted],
  // When both sides pause, the standard gives the charge point's pause precedence.
  ['SuspendedEVSE', ({ inTransaction, isHeldBack }) => inTransaction && isHeldBack],
  ['SuspendedEV', ({ inTransaction, isCarIdle }) => inTransaction && isCarIdle],
  ['Charging', ({ inTransaction }) => inTransaction],
  ['Unavailable', ({ isOperative }) => !isOperative],
  ['Finishing', ({ isPlugged, isUnplugPending, isAuthorised }) => isPlugged && isUnplugPending && !isAuthorised],
  ['Preparing', ({ isPlugged, isAuthorised }) => isPlugged || isAuthorised],
];

export function statusOf(facts: ConnectorFacts): OcppConnectorStatus {
  return rules.find(([, holds]) => holds(facts))?.[0] ?? 'Available';
}
