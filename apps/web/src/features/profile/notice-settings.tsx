import { type NoticeChannels, setNoticeChannels } from '@fpay/contract/push';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../../api/call.ts';
import { isPushOn, pushState, turnPushOff, turnPushOn } from '../../api/push.ts';
import { useAction } from '../../data/action.ts';
import { text as say } from '../../i18n/i18n.ts';
import { useText } from '../../i18n/use-text.ts';
import { Switch } from '../../ui/form/switch.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { notify } from '../../ui/overlay/popups.ts';
import { useUser } from '../account/queries.ts';
import { profileQueries } from './queries.ts';

/** How the driver is notified about charges and free connectors. The first switch is about this device alone. */
export function NoticeSettings() {
  const text = useText();
  const user = useUser();
  const queryClient = useQueryClient();
  const { data } = useQuery(profileQueries.channels());
  const { mutate } = useAction(
    (body: { [Name in keyof NoticeChannels]?: boolean }) => call(setNoticeChannels, { body }),
    { onSuccess: (channels) => queryClient.setQueryData(profileQueries.channels().queryKey, channels) },
  );
  if (!data) return null;
  return (
    <section className="flex flex-col gap-2">
      <h2 className="px-1 text-card">{text('account:notices')}</h2>
      <Card className="flex flex-col divide-y divide-line py-1!">
        <ThisDevice onTurnedOn={() => mutate({ push: true })} />
        {user?.has_telegram && (
          <NoticeRow about={text('account:noticeTelegramText')}>
            <Switch
              label={text('account:noticeTelegram')}
              checked={data.telegram}
              onChange={(telegram) => mutate({ telegram })}
            />
          </NoticeRow>
        )}
        <NoticeRow about={text('account:noticeSmsText')}>
          <Switch label={text('account:noticeSms')} checked={data.sms} onChange={(sms) => mutate({ sms })} />
        </NoticeRow>
      </Card>
    </section>
  );
}

function ThisDevice({ onTurnedOn }: { onTurnedOn: () => void }) {
  const text = useText();
  const [isOn, setOn] = useState(false);
  const [state, setState] = useState(pushState);
  useEffect(() => void isPushOn().then(setOn, () => undefined), []);
  const about = {
    unsupported: text('account:pushUnsupported'),
    install: text('account:pushInstall'),
    denied: text('account:pushDenied'),
    default: text('account:noticePushText'),
    granted: text('account:noticePushText'),
  }[state];

  async function change(wanted: boolean) {
    try {
      if (wanted) {
        const reached = await turnPushOn();
        setState(reached);
        if (reached !== 'granted') return;
        onTurnedOn();
      } else await turnPushOff();
      setOn(wanted);
    } catch {
      void notify(say('account:pushFailed'));
    }
  }

  return (
    <NoticeRow about={about}>
      <Switch
        label={text('account:noticePush')}
        checked={isOn}
        disabled={state === 'unsupported' || state === 'install' || state === 'denied'}
        onChange={(wanted) => void change(wanted)}
      />
    </NoticeRow>
  );
}

function NoticeRow({ about, children }: { about: string; children: React.ReactNode }) {
  return (
    <div className="py-2">
      {children}
      <p className="-mt-1 pr-16 text-small text-ink-2">{about}</p>
    </div>
  );
}
