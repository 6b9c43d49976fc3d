import { confirmPassword, sendConfirmation } from '@fpay/contract/account';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import ShieldAlert from 'lucide-react/icons/shield-alert';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { isCodePending, pauseAfter } from '../../api/code-pause.ts';
import { errorText } from '../../api/error-text.ts';
import { useText } from '../../i18n/use-text.ts';
import { Button } from '../../ui/form/button.tsx';
import { CodeField } from '../../ui/form/code-field.tsx';
import { resendPauseMs, SendAgain } from '../../ui/form/send-again.tsx';
import { accountQueries } from '../account/queries.ts';

/** The owner of the party has reset the password: until the code is entered, this device can only charge. */
export function ConfirmPassword() {
  const text = useText();
  const queryClient = useQueryClient();
  const [code, setCode] = useState('');
  const [resendFrom, setResendFrom] = useState(0);
  const sending = useMutation({
    mutationFn: () => call(sendConfirmation),
    onSuccess: () => setResendFrom(Date.now() + resendPauseMs),
    onError: (error) => setResendFrom(Date.now() + pauseAfter(error)),
  });
  const entering = useMutation({
    mutationFn: (entered: string) => call(confirmPassword, { body: { code: entered } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: accountQueries.user().queryKey }),
    onError: () => setCode(''),
  });
  const error = entering.error ?? (isCodePending(sending.error, resendPauseMs) ? null : sending.error);
  const isSent = sending.isSuccess || isCodePending(sending.error, resendPauseMs);
  const sentBy = sending.data?.sent_by;
  return (
    <section
      aria-label={text('account:confirmTitle')}
      className="flex flex-col gap-3 rounded-card bg-surface p-4 shadow-card"
    >
      <div className="flex items-start gap-3">
        <ShieldAlert aria-hidden="true" size={22} className="mt-0.5 shrink-0 text-occupied" />
        <div>
          <h2 className="text-body font-bold">{text('account:confirmTitle')}</h2>
          <p className="text-note text-ink-2">{text('account:confirmText')}</p>
        </div>
      </div>
      {isSent ? (
        <>
          <p role="status" className="text-note text-ink-2 empty:hidden">
            {sentBy && text(sentBy === 'sms' ? 'signInCode:secondFactorSms' : 'signInCode:secondFactorTelegram')}
          </p>
          <CodeField
            label={text('signInCode:secondFactorCode')}
            value={code}
            onChange={setCode}
            onComplete={entering.mutate}
            disabled={entering.isPending}
            error={error ? text(errorText(error)) : undefined}
            focusOnArrival
          />
          <SendAgain from={resendFrom} busy={sending.isPending} onPress={() => sending.mutate()} />
        </>
      ) : (
        <>
          <p role="alert" className="text-note text-error empty:hidden">
            {error && text(errorText(error))}
          </p>
          <Button kind="main" size="m" busy={sending.isPending} onPress={() => sending.mutate()}>
            {text('account:confirmSend')}
          </Button>
        </>
      )}
    </section>
  );
}
