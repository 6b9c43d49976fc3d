import { signIn, type User } from '@fpay/contract/account';
import { isPhone } from '@fpay/contract/person';
import { call } from '../../api/call.ts';
import { errorText } from '../../api/error-text.ts';
import { ApiError } from '../../api/errors.ts';
import type { TextKey } from '../../i18n/text-key.ts';

export interface SignInDraft {
  phone: string;
  password: string;
  /** The code, when the server requested one. */
  code?: string;
}

/** The error of each field. */
export interface SignInErrors {
  phone?: TextKey;
  password?: TextKey;
}

/** Ukrainian numbers have exactly 13 characters with the plus; for other countries the rule of sign-up applies. */
export function checkSignIn({ phone, password }: SignInDraft): SignInErrors {
  const isRight = phone.startsWith('+380') ? phone.length === 13 : isPhone(phone);
  return {
    ...(!isRight && { phone: 'auth:phoneInvalid' }),
    ...(password === '' && { password: 'auth:passwordEmpty' }),
  };
}

/** `station` is the one whose page led here; "0" means none. */
export function signInAs({ phone, password, code }: SignInDraft, station: string | null): Promise<User> {
  const otp = code === undefined ? {} : { otp: code };
  return call(signIn, { body: { phone_number: phone, password, station_number: station ?? '0', ...otp } });
}

/** True when the password was right and a code was sent to the owner. */
export function isCodeRequired(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'sign_in_code_required';
}

/** A refusal becomes a hint at both fields, because it must not reveal which one was wrong, or a message. */
export function refusedSignIn(error: unknown): { hints: SignInErrors } | { message: TextKey } {
  const isMessage = !(error instanceof ApiError) || error.status === 429 || error.status >= 500;
  if (isMessage || error.code === 'banned') return { message: errorText(error) };
  return { hints: { phone: 'auth:userNotFound', password: 'auth:maybeWrongPassword' } };
}
