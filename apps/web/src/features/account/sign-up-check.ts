import { batteryLimits } from '@fpay/contract/cars';
import { isBlank, isPhone, isShortName, passwordLength } from '@fpay/contract/person';
import type { TextKey } from '../../i18n/text-key.ts';

/** The form as it stands, word for word. */
export interface SignUpValues {
  name: string;
  phone: string;
  password: string;
  repeated: string;
  carName: string;
  battery: string;
  agrees: boolean;
}

export type SignUpErrors = Partial<Record<keyof SignUpValues, TextKey>>;

interface Rule {
  field: keyof SignUpValues;
  isBroken: (values: SignUpValues) => boolean;
  text: TextKey;
}

/** For each field the first broken rule speaks. */
const rules: Rule[] = [
  { field: 'name', isBroken: ({ name }) => isBlank(name), text: 'auth:nameRequired' },
  { field: 'name', isBroken: ({ name }) => !isShortName(name), text: 'auth:nameInvalid' },
  { field: 'phone', isBroken: ({ phone }) => !isPhone(phone), text: 'auth:phoneInvalid' },
  {
    field: 'password',
    isBroken: ({ password }) => password.length < passwordLength.least,
    text: 'auth:passwordShort',
  },
  { field: 'password', isBroken: ({ password }) => password.length > passwordLength.most, text: 'auth:passwordLong' },
  { field: 'repeated', isBroken: ({ password, repeated }) => password !== repeated, text: 'auth:passwordsDiffer' },
  { field: 'carName', isBroken: ({ carName }) => !isShortName(carName), text: 'auth:carNameInvalid' },
  { field: 'battery', isBroken: ({ battery }) => !isBattery(battery), text: 'auth:batteryInvalid' },
  { field: 'agrees', isBroken: ({ agrees }) => !agrees, text: 'auth:termsRequired' },
];

export function checkSignUp(values: SignUpValues): SignUpErrors {
  const errors: SignUpErrors = {};
  for (const { field, isBroken, text } of rules) if (isBroken(values)) errors[field] ??= text;
  return errors;
}

/** Null: the driver did not say. */
export function batteryOf(typed: string): number | null {
  return Number(typed.replace(',', '.')) || null;
}

function isBattery(typed: string): boolean {
  const kwh = Number(typed.trim().replace(',', '.'));
  return kwh === 0 || (kwh >= batteryLimits.least && kwh <= batteryLimits.most);
}
