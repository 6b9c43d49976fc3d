import type { ChargePointView } from '@fpay/contract/admin/network/charge-points';
import { connectorTypes } from '@fpay/contract/connectors';
import { useText } from '../../../../i18n/use-text.ts';
import { Link } from '../../../../router/index.ts';
import { DateTime } from '../../../../ui/format/date-time.tsx';
import { Power } from '../../../../ui/format/power.tsx';
import { classNames } from '../../../../ui/hooks/class-names.ts';
import { type ShownStatus, StatusBadge } from '../../../../ui/layout/status-badge.tsx';
import { ConnectorIcon } from '../../../../ui/picture/connector-icon.tsx';

type Connector = ChargePointView['connectors'][number];

const statusOf: Record<string, ShownStatus> = {
  Available: 'free',
  Preparing: 'ready',
  Charging: 'charging',
  SuspendedEV: 'charging',
  SuspendedEVSE: 'charging',
  Finishing: 'occupied',
  Reserved: 'occupied',
  Faulted: 'error',
};

function deviceStatus({ status }: Pick<Connector, 'status'>, isOnline: boolean): ShownStatus {
  return isOnline ? (statusOf[status ?? ''] ?? 'offline') : 'offline';
}

const wells = {
  free: 'bg-free-tint text-free',
  ready: 'bg-ready-tint text-ready',
  charging: 'bg-charging-tint text-charging',
  occupied: 'bg-occupied-tint text-occupied',
  offline: 'bg-offline-tint text-offline',
  error: 'bg-error-tint text-error',
} as const satisfies Record<ShownStatus, string>;

/** The connectors with the status that the device reports. */
export function Connectors({ point }: { point: ChargePointView }) {
  const text = useText();
  if (point.connectors.length === 0)
    return (
      <p className="rounded-card bg-surface p-4 text-note text-ink-2 shadow-card">
        {text('networkChargePoints:noConnectors')}
      </p>
    );
  return (
    <ul aria-label={text('network:connectors')} className="grid gap-3 sm:grid-cols-2 xl:grid-cols-4">
      {point.connectors.map((connector) => {
        const status = deviceStatus(connector, point.is_online);
        const hasError = connector.error_code !== null && connector.error_code !== 'NoError';
        return (
          <li key={connector.id} className="flex items-center gap-3 rounded-card bg-surface p-4 shadow-card">
            <span className={classNames('grid size-11 shrink-0 place-items-center rounded-control', wells[status])}>
              <ConnectorIcon type={connector.type} withCable={connector.has_cable} size={28} />
            </span>
            <span className="min-w-0 flex-1">
              <span className="block text-label">
                {connectorTypes[connector.type].name}{' '}
                <span className="font-medium">
                  № {connector.number} · <Power power={connector.power} rated />
                </span>
              </span>
              <span className="mt-1 flex flex-wrap items-center gap-2">
                <StatusBadge status={status} />
                {connector.operation !== null && (
                  <Link
                    to={`/admin/operations/${connector.operation}`}
                    className="inline-flex min-h-6 items-center text-small font-bold text-accent-text"
                  >
                    № {connector.operation}
                  </Link>
                )}
              </span>
              <span className="mt-1 block text-small text-ink-2">
                {hasError ? connector.error_code : (connector.status ?? text('networkChargePoints:noStatus'))}
                {connector.status_at && (
                  <>
                    {' · '}
                    <DateTime instant={connector.status_at} />
                  </>
                )}
              </span>
            </span>
          </li>
        );
      })}
    </ul>
  );
}
