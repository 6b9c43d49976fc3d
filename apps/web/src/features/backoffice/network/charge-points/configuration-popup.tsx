import type { ChargePointView } from '@fpay/contract/admin/network/charge-points';
import { namesPassword } from '@fpay/contract/admin/network/device-passwords';
import { type FormEvent, useState } from 'react';
import { useAction } from '../../../../data/action.ts';
import { useText } from '../../../../i18n/use-text.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { Field } from '../../../../ui/form/field.tsx';
import { Badge } from '../../../../ui/layout/badge.tsx';
import { PopupFrame } from '../../../../ui/overlay/popup-frame.tsx';
import { useMay } from '../../parts/use-may.ts';
import { sendCommand } from './command-request.ts';
import { configurationOf } from './configuration-rows.ts';

interface ConfigurationPopupProps {
  point: ChargePointView;
  onClose: () => void;
  onSent: () => void;
}

/** The keys of the device as it last listed them. A key is changed with the device's own answer in the list of commands. */
export function ConfigurationPopup({ point, onClose, onSent }: ConfigurationPopupProps) {
  const text = useText();
  const mayManage = useMay('manage-network');
  const mayInteract = useMay('interact-with-stations');
  const [typed, setTyped] = useState('');
  const [edited, setEdited] = useState<ConfigurationKey | null>(null);
  const sending = useAction((command: Parameters<typeof sendCommand>[1]) => sendCommand(point.id, command), {
    onSuccess: () => {
      setEdited(null);
      onSent();
    },
  });
  const rows = configurationOf(point).filter(({ key }) => key.toLowerCase().includes(typed.trim().toLowerCase()));
  return (
    <PopupFrame open onClose={onClose} title={text('networkChargePoints:configuration')} titleClassName="text-h2">
      {edited ? (
        <KeyForm
          start={edited}
          isBusy={sending.isPending}
          onSend={(key) => sending.mutate({ action: 'ChangeConfiguration', ...key })}
          onBack={() => setEdited(null)}
        />
      ) : (
        <>
          <Field
            label={text('networkChargePoints:findKey')}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
          <ul
            className="max-h-72 divide-y divide-line overflow-y-auto"
            aria-label={text('networkChargePoints:configuration')}
          >
            {rows.map(({ key, value, isReadOnly, note }) => (
              <li key={key} className="flex min-h-12 items-center gap-2 py-1.5">
                <span className="min-w-0 flex-1">
                  <span className="block text-small break-all text-ink-2">{key}</span>
                  <span className="block text-note font-bold break-all">{value === '' ? '—' : value}</span>
                </span>
                {note === 'refused' && <Badge tone="error">{text('networkChargePoints:keyRefused')}</Badge>}
                {note === 'reboot' && <Badge tone="occupied">{text('networkChargePoints:keyNeedsReboot')}</Badge>}
                {mayManage && !isReadOnly && !namesPassword(key) && (
                  <Button size="s" onPress={() => setEdited({ key, value })}>
                    {text('network:change')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
          {rows.length === 0 && <p className="text-note text-ink-2">{text('networkChargePoints:noKeys')}</p>}
          {mayInteract && (
            <Button busy={sending.isPending} onPress={() => sending.mutate({ action: 'GetConfiguration' })}>
              {text('networkChargePoints:readAll')}
            </Button>
          )}
        </>
      )}
    </PopupFrame>
  );
}

interface ConfigurationKey {
  key: string;
  value: string;
}

interface KeyFormProps {
  start: ConfigurationKey;
  isBusy: boolean;
  onSend: (edited: ConfigurationKey) => void;
  onBack: () => void;
}

/** Another value for one key. */
function KeyForm({ start, isBusy, onSend, onBack }: KeyFormProps) {
  const text = useText();
  const [value, setValue] = useState(start.value);
  function send(event: FormEvent) {
    event.preventDefault();
    onSend({ ...start, value });
  }
  return (
    <form className="flex flex-col gap-4" onSubmit={send}>
      <Field label={start.key} maxLength={500} value={value} onChange={({ target }) => setValue(target.value)} />
      <p className="text-small text-ink-2">{text('networkChargePoints:changeEffect')}</p>
      <div className="grid grid-cols-2 gap-2">
        <Button onPress={onBack}>{text('generic:back')}</Button>
        <Button type="submit" kind="main" busy={isBusy}>
          {text('networkChargePoints:send')}
        </Button>
      </div>
    </form>
  );
}
