import { enterSecondFactor, sendSecondFactor } from '@fpay/contract/second-factor';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../api/call.ts';
import { errorText } from '../../api/error-text.ts';
import { useText } from '../../i18n/use-text.ts';
import { useNavigate } from '../../router/index.ts';
import { Button } from '../../ui/button.tsx';
import { CodeField } from '../../ui/code-field.tsx';
import { resendPauseMs, SendAgain } from '../../ui/send-again.tsx';
import { Switch } from '../../ui/switch.tsx';
import { isOnItsWay, pauseAfter } from './code-pause.ts';
import { useEnter } from './use-enter.ts';

/** Staff have given their password; their rights begin with the code that was sent to them. */
export function SecondFactor() {
  const text = useText();
  const enter = useEnter();
  const navigate = useNavigate();
  const [code, setCode] = useState('');
  const [isTrusted, setTrusted] = useState(false);
  const [resendFrom, setResendFrom] = useState(0);

  const sending = useMutation({
    mutationFn: () => call(sendSecondFactor),
    onSuccess: () => setResendFrom(Date.now() + resendPauseMs),
    onError: (error) => setResendFrom(Date.now() + pauseAfter(error)),
  });
  const entering = useMutation({
    mutationFn: async (entered: string) =>
      enter(await call(enterSecondFactor, { body: { code: entered, trust: isTrusted } })),
    onError: () => setCode(''),
  });

  const { mutate: send } = sending;
  const isAsked = useRef(false);
  useEffect(() => {
    if (isAsked.current) return;
    isAsked.current = true;
    send();
  }, [send]);

  const error = entering.error ?? (isOnItsWay(sending.error) ? null : sending.error);
  const sentBy = sending.data?.sent_by;
  return (
    <div className="flex flex-1 flex-col gap-6 px-4 pt-10 pb-6 max-[359px]:pt-6">
      <div>
        <h1 className="text-h1">{text('auth:secondFactorTitle')}</h1>
        <p className="mt-1 min-h-6 text-body text-ink-2" role="status">
          {sentBy && text(sentBy === 'sms' ? 'auth:secondFactorSms' : 'auth:secondFactorTelegram')}
        </p>
      </div>
      <CodeField
        label={text('auth:secondFactorCode')}
        value={code}
        onChange={setCode}
        onComplete={entering.mutate}
        disabled={entering.isPending}
        error={error ? text(errorText(error)) : undefined}
        focusOnArrival
      />
      <Switch label={text('auth:trustDevice')} checked={isTrusted} onChange={setTrusted} />
      <SendAgain from={resendFrom} busy={sending.isPending} onPress={send} />
      <div className="mt-auto flex flex-col">
        <Button kind="text" onPress={() => navigate('/account', { replace: true })}>
          {text('auth:asDriver')}
        </Button>
      </div>
    </div>
  );
}
