import { setNoticeChannels } from '@fpay/contract/push';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/call.ts';
import { pushState, turnPushOn } from '../../../api/push.ts';
import { useAction } from '../../../data/action.ts';
import { text as say } from '../../../i18n/i18n.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Switch } from '../../../ui/form/switch.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { notify } from '../../../ui/overlay/popups.ts';
import { useUser } from '../../account/queries.ts';
import { profileQueries } from '../../profile/queries.ts';

/** The channels that this driver has. They are the same for all notices. */
export function AlertChannels({ onChanged }: { onChanged?: () => void }) {
  const text = useText();
  const user = useUser();
  const queryClient = useQueryClient();
  const [push, setPush] = useState(pushState);
  const { data } = useQuery(profileQueries.channels());
  const { mutate } = useAction(
    (body: { push?: boolean; telegram?: boolean; sms?: boolean }) => call(setNoticeChannels, { body }),
    {
      onSuccess: (channels) => {
        queryClient.setQueryData(profileQueries.channels().queryKey, channels);
        onChanged?.();
      },
    },
  );
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
