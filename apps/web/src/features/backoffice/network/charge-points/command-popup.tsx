import type { ChargePointView } from '@fpay/contract/admin/network/charge-points';
import { useState } from 'react';
import { useAction } from '../../../../data/action.ts';
import { useText } from '../../../../i18n/use-text.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { PopupFrame } from '../../../../ui/overlay/popup-frame.tsx';
import { CommandFields } from './command-fields.tsx';
import { type CommandForm, commandOf, emptyCommand, sendCommand } from './command-request.ts';
import { type DeviceCommandName, deviceCommandViews } from './command-table.ts';

interface CommandPopupProps {
  point: ChargePointView;
  name: DeviceCommandName;
  onClose: () => void;
  onSent: () => void;
}

/** Asks for what the command needs, shows its effect and sends it. The answer appears on the page. */
export function CommandPopup({ point, name, onClose, onSent }: CommandPopupProps) {
  const text = useText();
  const firstConnector = String(point.connectors[0]?.number ?? 1);
  const [form, setForm] = useState<CommandForm>({
    ...emptyCommand,
    connector: name === 'unlock' ? firstConnector : emptyCommand.connector,
  });
  const view = deviceCommandViews[name];
  const request = commandOf(name, form);
  const sending = useAction((command: NonNullable<typeof request>) => sendCommand(point.id, command), {
    onSuccess: () => {
      onSent();
      onClose();
    },
  });
  const change = (part: Partial<CommandForm>) => setForm({ ...form, ...part });
  return (
    <PopupFrame open onClose={onClose} title={text(view.label)} titleClassName="text-h2">
      <CommandFields point={point} name={name} form={form} onChange={change} />
      <p className="rounded-control bg-surface-2 p-3 text-note">{text(view.effect)}</p>
      {!point.is_online && <p className="text-note text-error">{text('networkChargePoints:offlineNow')}</p>}
      <div className="grid grid-cols-2 gap-2">
        <Button onPress={onClose}>{text('generic:no')}</Button>
        <Button
          kind={'isDanger' in view ? 'danger' : 'main'}
          disabled={request === null}
          busy={sending.isPending}
          onPress={() => request && sending.mutate(request)}
        >
          {text('networkChargePoints:send')}
        </Button>
      </div>
    </PopupFrame>
  );
}
