import { useState } from 'react';
import { errorText } from '../../api/error-text.ts';
import { useText } from '../../i18n/use-text.ts';
import { redirect } from '../../router/index.ts';
import { Button } from '../../ui/form/button.tsx';
import { CodeField } from '../../ui/form/code-field.tsx';
import { MainButton } from '../../ui/form/main-button.tsx';
import { SendAgain } from '../../ui/form/send-again.tsx';
import { isComplete, signUpDraft } from './draft.ts';
import { nonBreaking } from './non-breaking-phone.ts';
import { useCode } from './use-code.ts';
import { useRegister } from './use-register.ts';

/** Without a draft there is nothing to confirm. */
export function loader(): null {
  if (!isComplete(signUpDraft())) throw redirect('/reg');
  return null;
}

export function Page() {
  const text = useText();
  // The draft as it was when the page opened, because it is deleted after the sign-up while this page is still shown.
  const [draft] = useState(signUpDraft);
  const [code, setCode] = useState('');
  const sent = useCode(draft.phoneNumber);
  const register = useRegister(draft, () => setCode(''));
  const error = register.error ?? sent.error;
  return (
    <div className="flex flex-1 flex-col gap-6 px-4 pt-10 pb-6 max-[359px]:pt-6">
      <div>
        <h1 className="text-h1">{text('auth:otpTitle')}</h1>
        <p className="mt-1 text-body text-ink-2">
          {text('auth:codeSentTo', { phone: nonBreaking(draft.phoneNumber) })}
        </p>
      </div>
      <CodeField
        label={text('auth:code')}
        value={code}
        onChange={setCode}
        onComplete={register.withCode}
        disabled={register.isPending || register.isProven}
        error={error ? text(errorText(error)) : undefined}
        focusOnArrival
      />
      {register.isProven ? (
        <MainButton busy={register.isPending} onPress={register.again}>
          {text('auth:finishSignUp')}
        </MainButton>
      ) : (
        <SendAgain from={sent.resendFrom} busy={sent.isPending} onPress={sent.again} />
      )}
      <div className="mt-auto flex flex-col">
        <Button kind="text" to="/reg">
          {text('auth:changeNumber')}
        </Button>
      </div>
    </div>
  );
}
