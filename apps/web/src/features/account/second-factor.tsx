import { enterSecondFactor, sendSecondFactor } from '@fpay/contract/second-factor';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../api/call.ts';
import { isCodePending, pauseAfter } from '../../api/code-pause.ts';
import { useText } from '../../i18n/use-text.ts';
import { useNavigate } from '../../router/index.ts';
import { Button } from '../../ui/form/button.tsx';
import { resendPauseMs } from '../../ui/form/send-again.tsx';
import { Switch } from '../../ui/form/switch.tsx';
import { CodeForm } from './code-form.tsx';
import { useCompleteSignIn } from './use-complete-sign-in.ts';

/** Staff have entered their password; they get their rights with the code that was sent to them. */
export function SecondFactorForm() {
  const text = useText();
  const enter = useCompleteSignIn();
  const navigate = useNavigate();
  const [isTrusted, setTrusted] = useState(false);
  const [resendFrom, setResendFrom] = useState(0);

  const sending = useMutation({
    mutationFn: () => call(sendSecondFactor),
    onSuccess: () => setResendFrom(Date.now() + resendPauseMs),
    onError: (error) => setResendFrom(Date.now() + pauseAfter(error)),
  });
  const { mutate: send } = sending;
  const isAsked = useRef(false);
  useEffect(() => {
    if (isAsked.current) return;
    isAsked.current = true;
    send();
  }, [send]);

  const sentBy = sending.data?.sent_by;
  return (
    <CodeForm
      title={text('signInCode:secondFactorTitle')}
      hint={sentBy ? text(sentBy === 'sms' ? 'signInCode:secondFactorSms' : 'signInCode:secondFactorTelegram') : ''}
      resendFrom={resendFrom}
      isSending={sending.isPending}
      onSendAgain={send}
      onEnter={async (code) => enter(await call(enterSecondFactor, { body: { code, trust: isTrusted } }))}
      sendError={isCodePending(sending.error, resendPauseMs) ? null : sending.error}
      footer={
        <Button kind="text" onPress={() => navigate('/account', { replace: true })}>
          {text('signInCode:asDriver')}
        </Button>
      }
    >
      <Switch label={text('signInCode:trustDevice')} checked={isTrusted} onChange={setTrusted} />
    </CodeForm>
  );
}
