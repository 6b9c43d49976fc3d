import { isPhone, passwordLength } from '@fpay/contract/person';
import { checkPhoneFree, requestCode, restorePassword } from '@fpay/contract/sign-up';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { errorText } from '../../api/error-text.ts';
import { ApiError, NetworkError } from '../../api/errors.ts';
import { showError } from '../../data/action.ts';
import { currentLanguage } from '../../i18n/i18n.ts';
import type { TextKey } from '../../i18n/text-key.ts';
import { useText } from '../../i18n/use-text.ts';
import { CodeField } from '../../ui/form/code-field.tsx';
import { MainButton } from '../../ui/form/main-button.tsx';
import { PasswordField } from '../../ui/form/password-field.tsx';
import { PhoneField } from '../../ui/form/phone-field.tsx';
import { resendPauseMs, SendAgain } from '../../ui/form/send-again.tsx';
import { PopupFrame } from '../../ui/overlay/popup-frame.tsx';
import { notify } from '../../ui/overlay/popups.ts';
import { nonBreaking } from './non-breaking-phone.ts';
import { isPasswordRefused } from './password-refused.ts';
import { useFocusOnError } from './use-focus-on-error.ts';

interface RestorationPopupProps {
  /** The number from the sign-in form. */
  phone: string;
  onClose: () => void;
  onRestored: (phone: string) => void;
}

/** Replaces a forgotten password: number and new password, then the six digits of an SMS. */
export function RestorationPopup({ phone: typed, onClose, onRestored }: RestorationPopupProps) {
  const text = useText();
  const [phone, setPhone] = useState(typed);
  const [password, setPassword] = useState('');
  const [resendFrom, setResendFrom] = useState<number | null>(null);
  const [isPending, setPending] = useState(false);

  async function sendCode(): Promise<void> {
    setPending(true);
    try {
      await call(requestCode, { body: { phone_number: phone, purpose: 'restoration', language: currentLanguage() } });
      setResendFrom(Date.now() + resendPauseMs);
    } catch (error) {
      onClose();
      showError(error);
    } finally {
      setPending(false);
    }
  }

  function finish(): void {
    onRestored(phone);
    onClose();
    void notify(text('auth:restored'));
  }

  return (
    <PopupFrame open closeButton onClose={onClose} title={text('auth:restoreTitle')} titleClassName="text-h2">
      {resendFrom === null ? (
        <NewPasswordForm
          phone={phone}
          password={password}
          onPhone={setPhone}
          onPassword={setPassword}
          isSending={isPending}
          onReady={sendCode}
        />
      ) : (
        <CodeStep phone={phone} password={password} onRestored={finish}>
          <SendAgain from={resendFrom} busy={isPending} onPress={sendCode} />
        </CodeStep>
      )}
    </PopupFrame>
  );
}

interface NewPasswordFormProps {
  phone: string;
  password: string;
  onPhone: (phone: string) => void;
  onPassword: (password: string) => void;
  isSending: boolean;
  onReady: () => Promise<void>;
}

function NewPasswordForm({ phone, password, onPhone, onPassword, isSending, onReady }: NewPasswordFormProps) {
  const text = useText();
  const [errors, setErrors] = useState<{ phone?: TextKey; password?: TextKey }>({});
  const [isChecking, setChecking] = useState(false);
  const form = useFocusOnError(errors);

  async function submit(): Promise<void> {
    if (isChecking || isSending) return;
    const wrong = {
      ...(!isPhone(phone) && { phone: 'auth:phoneInvalid' as const }),
      ...(password.length < passwordLength.least && { password: 'auth:passwordShort' as const }),
      ...(password.length > passwordLength.most && { password: 'auth:passwordLong' as const }),
    };
    setErrors(wrong);
    if (wrong.phone || wrong.password) return;
    setChecking(true);
    try {
      if (await isKnown(phone, password)) await onReady();
      else setErrors({ phone: 'auth:userNotFound' });
    } catch (error) {
      setErrors(isPasswordRefused(error) ? { password: 'auth:passwordCommon' } : { phone: errorText(error) });
    } finally {
      setChecking(false);
    }
  }

  return (
    <form
      ref={form}
      noValidate
      className="-mt-3 flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <p className="text-body text-ink-2">{text('auth:restoreText')}</p>
      <PhoneField
        label={text('auth:phone')}
        autoComplete="username"
        value={phone}
        onChange={onPhone}
        error={errors.phone && text(errors.phone)}
      />
      <PasswordField
        label={text('auth:newPassword')}
        autoComplete="new-password"
        hint={text('auth:passwordHint')}
        value={password}
        onChange={onPassword}
        error={errors.password && text(errors.password)}
      />
      <MainButton type="submit" busy={isChecking || isSending}>
        {text('auth:getCode')}
      </MainButton>
    </form>
  );
}

/** The check for sign-up, reversed: a taken number has an account to restore. */
async function isKnown(phone: string, password: string): Promise<boolean> {
  try {
    await call(checkPhoneFree, { body: { phone_number: phone, password } });
    return false;
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) return true;
    throw error;
  }
}

interface CodeStepProps {
  phone: string;
  password: string;
  onRestored: () => void;
  children: React.ReactNode;
}

function CodeStep({ phone, password, onRestored, children }: CodeStepProps) {
  const text = useText();
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<TextKey | null>(null);
  const [isPending, setPending] = useState(false);

  async function restore(otp: string): Promise<void> {
    setPending(true);
    setProblem(null);
    try {
      await call(restorePassword, { body: { otp, phone_number: phone, new_password: password } });
      onRestored();
    } catch (error) {
      setCode('');
      setProblem(error instanceof NetworkError ? errorText(error) : 'auth:restoreFailed');
      setPending(false);
    }
  }

  return (
    <div className="-mt-3 flex flex-col gap-4">
      <p className="text-body text-ink-2">{text('auth:codeSentTo', { phone: nonBreaking(phone) })}</p>
      <CodeField
        label={text('auth:code')}
        value={code}
        onChange={setCode}
        onComplete={restore}
        disabled={isPending}
        error={problem ? text(problem) : undefined}
        focusOnArrival
      />
      {children}
    </div>
  );
}
