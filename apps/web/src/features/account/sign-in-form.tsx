import { lazy, Suspense, useState } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { Button } from '../../ui/form/button.tsx';
import { MainButton } from '../../ui/form/main-button.tsx';
import { PasswordField } from '../../ui/form/password-field.tsx';
import { phonePrefix } from '../../ui/form/phone.ts';
import { PhoneField } from '../../ui/form/phone-field.tsx';
import { notify } from '../../ui/overlay/popups.ts';
import { returnToStation } from './return-to.ts';
import {
  checkSignIn,
  isCodeRequired,
  refusedSignIn,
  type SignInDraft,
  type SignInErrors,
  signInAs,
} from './sign-in.ts';
import { useCompleteSignIn } from './use-complete-sign-in.ts';
import { useFocusOnError } from './use-focus-on-error.ts';

const RestorationPopup = lazy(async () => ({ default: (await import('./restoration-popup.tsx')).RestorationPopup }));

export function SignInForm({ onCodeAsked: onCodeRequired }: { onCodeAsked: (credentials: SignInDraft) => void }) {
  const text = useText();
  const enter = useCompleteSignIn();
  const [phone, setPhone] = useState(phonePrefix);
  const [password, setPassword] = useState('');
  const [errors, setErrors] = useState<SignInErrors>({});
  const [isPending, setPending] = useState(false);
  const [isRestoring, setRestoring] = useState(false);
  const form = useFocusOnError(errors);

  async function submit(): Promise<void> {
    const wrong = checkSignIn({ phone, password });
    setErrors(wrong);
    if (isPending || wrong.phone || wrong.password) return;
    setPending(true);
    try {
      await enter(await signInAs({ phone, password }, returnToStation()));
    } catch (error) {
      if (isCodeRequired(error)) return onCodeRequired({ phone, password });
      const refused = refusedSignIn(error);
      if ('hints' in refused) setErrors(refused.hints);
      else void notify(text(refused.message));
    } finally {
      setPending(false);
    }
  }

  return (
    <>
      <form
        ref={form}
        noValidate
        className="mt-7 flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <PhoneField
          label={text('auth:phone')}
          autoComplete="username"
          value={phone}
          onChange={setPhone}
          error={errors.phone && text(errors.phone)}
        />
        <PasswordField
          label={text('auth:password')}
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          error={errors.password && text(errors.password)}
          action={
            <button
              type="button"
              onClick={() => setRestoring(true)}
              className="-my-3 min-h-11 rounded-control text-note font-bold text-accent-text"
            >
              {text('auth:forgot')}
            </button>
          }
        />
        <div className="flex flex-col gap-3 pt-1">
          <MainButton type="submit" busy={isPending}>
            {text('menu:signIn')}
          </MainButton>
          <Button kind="secondary" to="/reg">
            {text('menu:signUp')}
          </Button>
        </div>
      </form>
      {isRestoring && (
        <Suspense>
          <RestorationPopup
            phone={phone}
            onClose={() => setRestoring(false)}
            onRestored={(restored) => {
              setPhone(restored);
              setPassword('');
              setErrors({});
            }}
          />
        </Suspense>
      )}
    </>
  );
}
