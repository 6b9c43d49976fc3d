import { useState } from 'react';
import { errorText } from '../../api/error-text.ts';
import { useText } from '../../i18n/use-text.ts';
import { redirect } from '../../router/index.ts';
import { Button } from '../../ui/button.tsx';
import { CodeField } from '../../ui/code-field.tsx';
import { MainButton } from '../../ui/main-button.tsx';
import { SendAgain } from '../../ui/send-again.tsx';
import { isFilled, signUpDraft } from './draft.ts';
import { unbroken } from './unbroken.ts';
import { useCode } from './use-code.ts';
import { useRegister } from './use-register.ts';

/** Without a draft there is nothing to confirm. */
export function loader(): null {
  if (!isFilled(signUpDraft())) throw redirect('/reg');
  return null;
}

export function Page() {
  const text = useText();
  // Kept as it was on arrival: once it has become an account it is forgotten, while this page still stands.
  const [draft] = useState(signUpDraft);
  const [code, setCode] = useState('');
  const sent = useCode(draft.phoneNumber);
  const register = useRegister(draft, () => setCode(''));
  const error = register.error ?? sent.error;
  return (
    <div className="flex flex-1 flex-col gap-6 px-4 pt-10 pb-6 max-[359px]:pt-6">
      <div>
        <h1 className="text-h1">{text('auth:otpTitle')}</h1>
        <p className="mt-1 text-body text-ink-2">{text('auth:codeSentTo', { phone: unbroken(draft.phoneNumber) })}</p>
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
