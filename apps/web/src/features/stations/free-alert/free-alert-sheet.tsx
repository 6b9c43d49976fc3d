import { connectorTypes } from '@fpay/contract/connectors';
import { headStartMinutes } from '@fpay/contract/free-alerts';
import type { Connector } from '@fpay/contract/stations';
import BellIcon from 'lucide-react/icons/bell';
import Users from 'lucide-react/icons/users';
import { useState } from 'react';
import { useText } from '../../../i18n/use-text.ts';
import { MainButton } from '../../../ui/form/main-button.tsx';
import { Segmented } from '../../../ui/form/segmented.tsx';
import { DateTime } from '../../../ui/format/date-time.tsx';
import { Sheet } from '../../../ui/overlay/sheet.tsx';
import { AlertChannels } from './alert-channels.tsx';
import { useFreeAlert } from './free-alert.ts';

interface FreeAlertSheetProps {
  number: string;
  connector: Connector;
  onClose: () => void;
}

/** What to wait for, how to be notified, and how many drivers are ahead. */
export function FreeAlertSheet({ number, connector, onClose }: FreeAlertSheetProps) {
  const text = useText();
  const { state, ask } = useFreeAlert(number);
  const [which, setWhich] = useState<'this' | 'any'>('this');
  const { name } = connectorTypes[connector.type];
  const ahead = state?.waiting.find(({ connector_type }) => connector_type === connector.type)?.count ?? 0;
  return (
    <Sheet open onClose={onClose} title={text('payment:alertTitle')}>
      <div className="flex flex-col gap-3.5">
        <Segmented
          legend={text('payment:alertWhich')}
          value={which}
          onChange={setWhich}
          segments={[
            { value: 'this', label: `${name} ${text('station:number', { number: connector.api_address })}` },
            { value: 'any', label: text('payment:alertAny', { type: name }) },
          ]}
        />
        <AlertChannels />
        <p className="flex gap-3 rounded-card bg-charging-tint p-4 text-note">
          <Users aria-hidden="true" size={20} className="mt-0.5 shrink-0 text-charging" />
          <span>
            <strong className="block text-label font-bold">{text('payment:alertAhead', { count: ahead })}</strong>
            {text('payment:alertHeadStart', { minutes: headStartMinutes })}
          </span>
        </p>
        {state && (
          <p className="text-center text-small text-ink-2">
            {text('payment:alertEnds')} <DateTime instant={state.expires_at} form="time" />
          </p>
        )}
        <MainButton
          busy={ask.isPending}
          icon={<BellIcon aria-hidden="true" size={20} />}
          onPress={() =>
            ask.mutate({ type: connector.type, id: which === 'this' ? connector.id : null }, { onSuccess: onClose })
          }
        >
          {text('payment:alertAsk')}
        </MainButton>
      </div>
    </Sheet>
  );
}
