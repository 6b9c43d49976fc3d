import BatteryCharging from 'lucide-react/icons/battery-charging';
import Car from 'lucide-react/icons/car';
import UserRound from 'lucide-react/icons/user-round';
import { useText } from '../../i18n/use-text.ts';
import { Field } from '../../ui/form/field.tsx';
import { MainButton } from '../../ui/form/main-button.tsx';
import { PasswordField } from '../../ui/form/password-field.tsx';
import { PhoneField } from '../../ui/form/phone-field.tsx';
import type { SignUpErrors, SignUpValues } from './sign-up-check.ts';
import { TermsConsent } from './terms-consent.tsx';
import { useFocusOnError } from './use-focus-on-error.ts';

interface SignUpFormProps {
  values: SignUpValues;
  errors: SignUpErrors;
  isPending: boolean;
  onChange: (change: Partial<SignUpValues>) => void;
  onSubmit: () => Promise<void>;
}

export function SignUpForm({ values, errors, isPending, onChange, onSubmit }: SignUpFormProps) {
  const text = useText();
  const form = useFocusOnError(errors);
  const errorOf = (field: keyof SignUpValues) => errors[field] && text(errors[field]);
  return (
    <form
      ref={form}
      noValidate
      className="mt-6 flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        void onSubmit();
      }}
    >
      <Field
        label={text('auth:name')}
        autoComplete="name"
        icon={<UserRound aria-hidden="true" size={20} />}
        value={values.name}
        onChange={({ target }) => onChange({ name: target.value })}
        error={errorOf('name')}
      />
      <PhoneField
        label={text('auth:phone')}
        value={values.phone}
        onChange={(phone) => onChange({ phone })}
        error={errorOf('phone')}
      />
      <PasswordField
        label={text('auth:password')}
        autoComplete="new-password"
        hint={text('auth:passwordHint')}
        value={values.password}
        onChange={(password) => onChange({ password })}
        error={errorOf('password')}
      />
      <PasswordField
        label={text('auth:repeatPassword')}
        autoComplete="new-password"
        value={values.repeated}
        onChange={(repeated) => onChange({ repeated })}
        error={errorOf('repeated')}
      />
      <Field
        label={text('auth:carName')}
        autoComplete="off"
        hint={text('auth:carNameHint')}
        icon={<Car aria-hidden="true" size={20} />}
        value={values.carName}
        onChange={({ target }) => onChange({ carName: target.value })}
        error={errorOf('carName')}
      />
      <Field
        label={text('auth:battery')}
        autoComplete="off"
        inputMode="decimal"
        hint={text('auth:batteryHint')}
        icon={<BatteryCharging aria-hidden="true" size={20} />}
        value={values.battery}
        onChange={({ target }) => onChange({ battery: target.value })}
        error={errorOf('battery')}
      />
      <TermsConsent checked={values.agrees} onChange={(agrees) => onChange({ agrees })} error={errorOf('agrees')} />
      <MainButton type="submit" busy={isPending}>
        {text('auth:continue')}
      </MainButton>
    </form>
  );
}
