import type { ChargePointView, DeviceCommandItem } from '@fpay/contract/admin/network/charge-points';
import { useQueryClient } from '@tanstack/react-query';
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import { useState } from 'react';
import type { TextKey } from '../../../../i18n/text-key.ts';
import { useText } from '../../../../i18n/use-text.ts';
import { DateTime } from '../../../../ui/format/date-time.tsx';
import { classNames } from '../../../../ui/hooks/class-names.ts';
import { Badge, type Tone } from '../../../../ui/layout/badge.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { usePermissions } from '../../parts/use-may.ts';
import { CommandPopup } from './command-popup.tsx';
import { type DeviceCommandName, deviceCommandNames, deviceCommandViews } from './command-table.ts';
import { ConfigurationPopup } from './configuration-popup.tsx';
import { chargePointKey } from './queries.ts';

const look =
  'flex min-h-20 flex-col items-center justify-center gap-1.5 rounded-control px-2 text-center text-note font-bold lg:min-h-11 lg:flex-row lg:justify-start lg:px-3 lg:text-left';

/** What staff can ask of the device, each with a confirmation, and its answers. */
export function CommandCard({ point }: { point: ChargePointView }) {
  const text = useText();
  const queryClient = useQueryClient();
  const permissions = usePermissions();
  const [opened, setOpened] = useState<DeviceCommandName | 'configuration' | null>(null);
  const shown = deviceCommandNames.filter((name) => permissions.includes(deviceCommandViews[name].needs));
  const refresh = () => void queryClient.invalidateQueries({ queryKey: chargePointKey(point.id) });
  const close = () => setOpened(null);
  return (
    <Card>
      <h2 className="mb-2 text-label">{text('network:commands')}</h2>
      <div className="grid grid-cols-2 gap-2 min-[380px]:grid-cols-3 lg:grid-cols-2">
        {shown.map((name) => {
          const view = deviceCommandViews[name];
          const Icon = view.icon;
          return (
            <button
              key={name}
              type="button"
              onClick={() => setOpened(name)}
              className={classNames(
                look,
                'isDanger' in view ? 'bg-error-tint text-error' : 'bg-surface-2 active:bg-line',
              )}
            >
              <Icon aria-hidden="true" size={20} className="shrink-0" />
              <span className="min-w-0 hyphens-auto">{text(view.label)}</span>
            </button>
          );
        })}
        <button
          type="button"
          onClick={() => setOpened('configuration')}
          className={classNames(look, 'bg-surface-2 active:bg-line')}
        >
          <SlidersHorizontal aria-hidden="true" size={20} className="shrink-0" />
          <span className="min-w-0">{text('networkChargePoints:configuration')}</span>
        </button>
      </div>
      <Progress point={point} />
      <h3 className="mt-4 mb-1 text-label">{text('networkChargePoints:answers')}</h3>
      {point.commands.length === 0 && <p className="text-small text-ink-2">{text('networkChargePoints:noCommands')}</p>}
      <ul className="divide-y divide-line" aria-live="polite">
        {point.commands.map((command) => (
          <CommandRow key={command.id} command={command} />
        ))}
      </ul>
      {opened === 'configuration' && <ConfigurationPopup point={point} onClose={close} onSent={refresh} />}
      {opened !== null && opened !== 'configuration' && (
        <CommandPopup point={point} name={opened} onClose={close} onSent={refresh} />
      )}
    </Card>
  );
}

/** What the device reports about a file that it sends or loads. */
function Progress({ point: { diagnostics, firmware } }: { point: ChargePointView }) {
  const text = useText();
  const rows = [
    { label: text('networkChargePoints:diagnostics'), progress: diagnostics },
    { label: text('networkChargePoints:firmwareUpdate'), progress: firmware },
  ];
  return rows.map(({ label, progress }) =>
    progress ? (
      <p
        key={label}
        className="mt-3 flex flex-wrap items-center gap-2 rounded-control bg-surface-3 p-3 text-note shadow-card"
      >
        <span className="min-w-0 flex-1 font-bold">{label}</span>
        <Badge tone={/Failed$/.test(progress.status) ? 'error' : 'ready'}>{progress.status}</Badge>
        <span className="text-small text-ink-2">
          <DateTime instant={progress.at} />
        </span>
      </p>
    ) : null,
  );
}

const withoutAnswer = {
  queued: { label: 'networkChargePoints:isQueued', tone: 'occupied' },
  sent: { label: 'networkChargePoints:isSent', tone: 'occupied' },
  timeout: { label: 'networkChargePoints:isTimeout', tone: 'error' },
  offline: { label: 'networkChargePoints:isOffline', tone: 'offline' },
  unknown: { label: 'networkChargePoints:isUnknown', tone: 'error' },
} as const satisfies Record<string, { label: TextKey; tone: Tone }>;

/** The device's own words where it answered, otherwise why there is no answer. */
function CommandRow({ command }: { command: DeviceCommandItem }) {
  const text = useText();
  const { action, payload, status, answer, staff, created_at, answered_at } = command;
  const said = String(answer?.status ?? answer?.code ?? answer?.fileName ?? 'OK');
  const isBad = status === 'error' || ['Rejected', 'NotSupported', 'UnlockFailed', 'NotImplemented'].includes(said);
  const view =
    status === 'answered' || status === 'error'
      ? { label: said, tone: isBad ? 'error' : 'free' }
      : { ...withoutAnswer[status], label: text(withoutAnswer[status].label) };
  const details = Object.entries(payload)
    .filter(([name]) => name !== 'csChargingProfiles' && !name.startsWith('retr'))
    .map(([, value]) => (typeof value === 'object' ? JSON.stringify(value) : String(value)))
    .join(' · ');
  return (
    <li className="flex items-start gap-2 py-2 text-note">
      <span className="min-w-0 flex-1">
        <span className="block font-bold">{action}</span>
        <span className="block text-small break-words text-ink-2">
          <DateTime instant={created_at} form="exact" />
          {[details, staff].filter(Boolean).map((part) => ` · ${part}`)}
        </span>
        {status === 'error' && answer?.description !== undefined && (
          <span className="block text-small break-words text-error">{String(answer.description)}</span>
        )}
      </span>
      <span className="shrink-0 text-right">
        <Badge tone={view.tone as Tone}>{view.label}</Badge>
        {answered_at && status !== 'offline' && (
          <span className="block text-small text-ink-2">
            {text('networkChargePoints:milliseconds', { count: Date.parse(answered_at) - Date.parse(created_at) })}
          </span>
        )}
      </span>
    </li>
  );
}
