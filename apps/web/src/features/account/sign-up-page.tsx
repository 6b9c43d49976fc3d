import { TelegramId } from '@fpay/contract/person';
import { checkPhoneFree } from '@fpay/contract/sign-up';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { ApiError } from '../../api/errors.ts';
import { showError } from '../../data/action.ts';
import { useText } from '../../i18n/use-text.ts';
import { useLocation, useNavigate, useParams } from '../../router/index.ts';
import { Button } from '../../ui/form/button.tsx';
import { decimalOf } from '../../ui/form/decimal.ts';
import { phonePrefix } from '../../ui/form/phone.ts';
import { useSettings } from '../settings/queries.ts';
import { signUpDraft, storeDraft } from './draft.ts';
import { isPasswordRefused } from './password-refused.ts';
import { checkSignUp, type SignUpErrors, type SignUpValues } from './sign-up-check.ts';
import { SignUpForm } from './sign-up-form.tsx';

export function Page() {
  const text = useText();
  const navigate = useNavigate();
  const { terms_version } = useSettings();
  const telegramId = telegramIdOf(useParams().tg);
  // The page of the code returns here when the driver has to correct a field.
  const sentBack = useLocation().state as { errors?: SignUpErrors } | null;
  const [values, setValues] = useState(valuesOfDraft);
  const [errors, setErrors] = useState(sentBack?.errors ?? {});
  const [isPending, setPending] = useState(false);

  async function submit(): Promise<void> {
    const wrong = checkSignUp(values, terms_version);
    setErrors(wrong);
    if (isPending || Object.keys(wrong).length > 0) return;
    setPending(true);
    try {
      await call(checkPhoneFree, { body: { phone_number: values.phone, password: values.password } });
      storeDraft({
        name: values.name.trim(),
        password: values.password,
        phoneNumber: values.phone,
        telegramId: telegramId ?? signUpDraft().telegramId,
        car: { name: values.carName.trim(), battery: decimalOf(values.battery) || null },
        termsVersion: terms_version,
      });
      await navigate('/otp');
    } catch (error) {
      const status = error instanceof ApiError ? error.status : 0;
      if (status === 409) setErrors({ phone: 'refusals:userExists' });
      else if (isPasswordRefused(error)) setErrors({ password: 'auth:passwordCommon' });
      else if (status === 422) setErrors({ phone: 'auth:phoneInvalid' });
      else showError(error);
    } finally {
      setPending(false);
    }
  }

  return (
    <div className="flex flex-1 flex-col px-4 pt-6 pb-6">
      <h1 className="text-h1">{text('auth:signUpTitle')}</h1>
      <p className="mt-1 text-body text-ink-2">{text('auth:signUpText')}</p>
      <SignUpForm
        values={values}
        errors={errors}
        isPending={isPending}
        onChange={(change) => setValues({ ...values, ...change })}
        onSubmit={submit}
      />
      {telegramId !== null && <p className="mt-3 text-center text-small text-ink-2">{text('auth:telegramHint')}</p>}
      <Button kind="text" className="mt-2" to="/auth">
        {text('auth:haveAccount')}
      </Button>
    </div>
  );
}

/** Telegram's bot links here with the id of the account to connect. An invalid id is ignored. */
function telegramIdOf(given: string | undefined): number | null {
  const id = TelegramId.safeParse(Number(given));
  return id.success ? id.data : null;
}

function valuesOfDraft(): SignUpValues {
  const { name, phoneNumber, password, car, termsVersion } = signUpDraft();
  return {
    name,
    phone: phoneNumber || phonePrefix(),
    password,
    repeated: password,
    carName: car.name,
    battery: car.battery === null ? '' : String(car.battery),
    agrees: termsVersion !== '',
  };
}
