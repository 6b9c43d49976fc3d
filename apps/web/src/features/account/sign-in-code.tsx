import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { Button } from '../../ui/button.tsx';
import { resendPauseMs } from '../../ui/send-again.tsx';
import { askedStation } from './asked-page.ts';
import { CodeForm } from './code-form.tsx';
import { isOnItsWay, pauseAfter } from './code-pause.ts';
import { type Credentials, isCodeAsked, signInAs } from './sign-in.ts';
import { useEnter } from './use-enter.ts';

interface SignInCodeProps {
  credentials: Credentials;
  onCancel: () => void;
}

/** Somebody has guessed at this account's password too often: the right password also needs a code that its owner gets. */
export function SignInCode({ credentials, onCancel }: SignInCodeProps) {
  const text = useText();
  const enter = useEnter();
  const [resendFrom, setResendFrom] = useState(() => Date.now() + resendPauseMs);
  const sending = useMutation({
    // A sign-in without the code sends another one. Should no code be needed any more, it simply signs in.
    mutationFn: async () => {
      try {
        await enter(await signInAs(credentials, askedStation()));
      } catch (error) {
        if (!isCodeAsked(error)) throw error;
        setResendFrom(Date.now() + resendPauseMs);
      }
    },
    onError: (error) => setResendFrom(Date.now() + pauseAfter(error)),
  });
  return (
    <CodeForm
      title={text('auth:signInCodeTitle')}
      hint={text('auth:signInCodeText')}
      resendFrom={resendFrom}
      isSending={sending.isPending}
      onSendAgain={sending.mutate}
      onEnter={async (code) => enter(await signInAs({ ...credentials, code }, askedStation()))}
      sendError={isOnItsWay(sending.error) ? null : sending.error}
      footer={
        <Button kind="text" onPress={onCancel}>
          {text('auth:signInCodeCancel')}
        </Button>
      }
    />
  );
}
