import { connectorTypes } from '@fpay/contract/connectors';
import { headStartMinutes } from '@fpay/contract/free-alerts';
import { getNoticeChannels, setNoticeChannels } from '@fpay/contract/push';
import type { Connector } from '@fpay/contract/stations';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import BellIcon from 'lucide-react/icons/bell';
import Users from 'lucide-react/icons/users';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { errorText } from '../../api/error-text.ts';
import { pushState, turnPushOn } from '../../api/push.ts';
import { text as say } from '../../i18n/i18n.ts';
import { useText } from '../../i18n/use-text.ts';
import { MainButton } from '../../ui/form/main-button.tsx';
import { Segmented } from '../../ui/form/segmented.tsx';
import { Switch } from '../../ui/form/switch.tsx';
import { DateTime } from '../../ui/format/date-time.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { notify } from '../../ui/overlay/popups.ts';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { useUser } from '../account/queries.ts';
import { useFreeAlert } from './free-alert.ts';

interface FreeAlertSheetProps {
  number: string;
  connector: Connector;
  onClose: () => void;
}

const channelsKey = ['profile', 'notice-channels'];

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
        <Channels />
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

/** The channels that this driver has. They are the same for all notices. */
function Channels() {
  const text = useText();
  const user = useUser();
  const queryClient = useQueryClient();
  const [push, setPush] = useState(pushState);
  const { data } = useQuery({ queryKey: channelsKey, queryFn: ({ signal }) => call(getNoticeChannels, { signal }) });
  const { mutate } = useMutation({
    mutationFn: (body: { push?: boolean; telegram?: boolean; sms?: boolean }) => call(setNoticeChannels, { body }),
    onSuccess: (channels) => queryClient.setQueryData(channelsKey, channels),
    onError: (error) => void notify(say(errorText(error))),
  });
  if (!data) return null;

  async function changePush(wanted: boolean) {
    if (!wanted) return mutate({ push: false });
    const state = await turnPushOn().catch(() => null);
    setPush(pushState());
    if (state === 'granted') mutate({ push: true });
    else void notify(say('payment:alertPushFailed'));
  }

  return (
    <Card className="flex flex-col divide-y divide-line py-1!">
      {(push === 'default' || push === 'granted') && (
        <Switch
          label={text('payment:alertPush')}
          checked={data.push && push === 'granted'}
          onChange={(wanted) => void changePush(wanted)}
        />
      )}
      {user?.has_telegram && (
        <Switch label="Telegram" checked={data.telegram} onChange={(telegram) => mutate({ telegram })} />
      )}
      {!user?.is_temporary && (
        <Switch label={text('payment:alertSms')} checked={data.sms} onChange={(sms) => mutate({ sms })} />
      )}
    </Card>
  );
}
