import type { Connector, ConnectorState } from '@fpay/contract/stations';
import type { ShownStatus } from '../../ui/layout/status-badge.tsx';

/** The status of a connector as a driver at the station sees it. */
export function shownStatus({ status }: Pick<Connector, 'status'>, isStationOnline: boolean): ShownStatus {
  return !isStationOnline || status === 'oos' || status === 'unknown' ? 'offline' : status;
}

/** A driver could charge here now. */
export function isAvailable({ status }: Pick<Connector, 'status'>): boolean {
  return status === 'free' || status === 'ready';
}

/** The connectors of a page with their latest states. */
export function withStates(connectors: readonly Connector[], states: readonly ConnectorState[]): Connector[] {
  const byId = new Map(states.map((state) => [state.id, state]));
  return connectors.map((connector) => {
    const { status, progress, time_left } = byId.get(connector.id) ?? connector;
    return { ...connector, status, progress, time_left };
  });
}
