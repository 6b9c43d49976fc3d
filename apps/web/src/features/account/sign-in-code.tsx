import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isCodePending, pauseAfter } from '../../api/code-pause.ts';
import { useText } from '../../i18n/use-text.ts';
import { Button } from '../../ui/form/button.tsx';
import { resendPauseMs } from '../../ui/form/send-again.tsx';
import { CodeForm } from './code-form.tsx';
import { returnToStation } from './return-to.ts';
import { isCodeRequired, type SignInDraft, signInAs } from './sign-in.ts';
import { useCompleteSignIn } from './use-complete-sign-in.ts';

interface SignInCodeProps {
  credentials: SignInDraft;
  onCancel: () => void;
}

/** After too many wrong passwords for this account, the right password also needs a code that its owner gets. */
export function SignInCode({ credentials, onCancel }: SignInCodeProps) {
  const text = useText();
  const enter = useCompleteSignIn();
  const [resendFrom, setResendFrom] = useState(() => Date.now() + resendPauseMs);
  const sending = useMutation({
    // A sign-in without the code sends another one. When no code is needed any more, it signs in.
    mutationFn: async () => {
      try {
        await enter(await signInAs(credentials, returnToStation()));
      } catch (error) {
        if (!isCodeRequired(error)) throw error;
        setResendFrom(Date.now() + resendPauseMs);
      }
    },
    onError: (error) => setResendFrom(Date.now() + pauseAfter(error)),
  });
  return (
    <CodeForm
      title={text('signInCode:signInCodeTitle')}
      hint={text('signInCode:signInCodeText')}
      resendFrom={resendFrom}
      isSending={sending.isPending}
      onSendAgain={sending.mutate}
      onEnter={async (code) => enter(await signInAs({ ...credentials, code }, returnToStation()))}
      sendError={isCodePending(sending.error, resendPauseMs) ? null : sending.error}
      footer={
        <Button kind="text" onPress={onCancel}>
          {text('signInCode:signInCodeCancel')}
        </Button>
      }
    />
  );
}
