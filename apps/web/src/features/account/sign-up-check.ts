import { personTexts } from '@fpay/contract/person';
import { signUp } from '@fpay/contract/sign-up';
import { type FormErrors, type FormField, schemaErrors } from '../../api/form-errors.ts';
import { decimalOf } from '../../ui/form/decimal.ts';

/** The values of the form as typed. */
export interface SignUpValues {
  name: string;
  phone: string;
  password: string;
  repeated: string;
  carName: string;
  battery: string;
  agrees: boolean;
}

export type SignUpErrors = FormErrors<keyof SignUpValues>;

const fields = {
  name: { path: 'name', text: 'auth:nameInvalid', texts: { [personTexts.nameRequired]: 'auth:nameRequired' } },
  phone: { path: 'phone_number', text: 'auth:phoneInvalid' },
  password: {
    path: 'password',
    text: 'auth:passwordShort',
    texts: { [personTexts.passwordLong]: 'auth:passwordLong' },
  },
  carName: { path: 'cars.name', text: 'auth:carNameInvalid' },
  battery: { path: 'cars.battery', text: 'auth:batteryInvalid' },
  agrees: { path: 'terms_version', text: 'auth:termsRequired' },
} as const satisfies Partial<Record<keyof SignUpValues, FormField>>;

export function checkSignUp(values: SignUpValues, termsVersion: string): SignUpErrors {
  const { name, phone, password, repeated, carName, battery, agrees } = values;
  const request = {
    name,
    phone_number: phone,
    password,
    cars: [{ name: carName, battery: decimalOf(battery) }],
    terms_version: agrees ? termsVersion : '',
  };
  const errors: SignUpErrors = schemaErrors(signUp.body, request, fields);
  // Only the page asks for the password twice.
  if (password !== repeated) errors.repeated = 'auth:passwordsDiffer';
  return errors;
}
