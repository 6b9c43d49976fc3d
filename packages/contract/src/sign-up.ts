import * as z from 'zod/mini';
import { NewCar } from './cars.ts';
import { endpoint } from './endpoint.ts';
import { Language, NewPassword, OneTimeCode, PersonName, Phone, TelegramId } from './person.ts';

/** Purposes of a phone verification; a verification for one purpose is not valid for another. */
export const codePurposes = ['sign_up', 'restoration', 'new_phone'] as const;
export const CodePurpose = z.enum(codePurposes);
export type CodePurpose = z.infer<typeof CodePurpose>;

const Nothing = z.object({});

export const signUp = endpoint({
  method: 'POST',
  path: '/api/users',
  summary: 'Sign up. Needs the phone proven in this session, or a fresh code; a guest keeps their operations',
  access: 'anyone',
  body: z.object({
    name: PersonName,
    password: NewPassword,
    phone_number: Phone,
    /** A request to link this Telegram account, which must confirm in the bot before it is linked. */
    telegram_id: z._default(z.nullable(TelegramId), null),
    cars: z.array(NewCar).check(z.length(1, 'One car is expected!')),
    /** The version of the terms that the page showed (`terms_version` of the settings). */
    terms_version: z
      .string('The terms must be accepted!')
      .check(z.minLength(1, 'The terms must be accepted!'), z.maxLength(64)),
    otp: z.optional(OneTimeCode),
    language: z.optional(Language),
  }),
  reply: Nothing,
  refusals: ['user_exists', 'phone_not_proven', 'wrong_code', 'too_many_attempts'],
});

export const checkPhoneFree = endpoint({
  method: 'POST',
  path: '/api/users/uc',
  summary: 'Whether a phone number is free: 200, or 409 when it has an account',
  access: 'anyone',
  body: z.object({
    phone_number: Phone,
    /** The new password, when the page wants to check it before a code is sent. */
    password: z.optional(NewPassword),
  }),
  reply: Nothing,
  refusals: ['user_exists', 'too_many_attempts'],
});

export const requestCode = endpoint({
  method: 'POST',
  path: '/api/otps',
  summary: 'Send a one-time code by SMS. Without a purpose it is restoration for a known number, sign-up otherwise',
  access: 'anyone',
  body: z.object({
    phone_number: Phone,
    purpose: z.optional(CodePurpose),
    /** Language of the message. The language of the account takes precedence when there is an account. */
    language: z.optional(Language),
  }),
  reply: Nothing,
  refusals: ['user_exists', 'too_many_attempts', 'sms_not_sent'],
});

export const enterCode = endpoint({
  method: 'POST',
  path: '/api/otp',
  summary: 'Enter the code: the phone is then proven in this session for 10 minutes, for one use',
  access: 'anyone',
  body: z.object({ code: OneTimeCode, phone_number: Phone, purpose: z.optional(CodePurpose) }),
  reply: Nothing,
  refusals: ['wrong_code', 'too_many_attempts'],
});

export const restorePassword = endpoint({
  method: 'POST',
  path: '/api/restoration',
  summary: 'Set a new password with a code; every session of the account ends',
  access: 'anyone',
  body: z.object({
    /** May be empty when the phone is already verified in this session. */
    otp: z.union([z.literal(''), OneTimeCode], 'The code has 6 digits!'),
    phone_number: Phone,
    new_password: NewPassword,
  }),
  reply: Nothing,
  refusals: ['wrong_code', 'phone_not_proven', 'too_many_attempts'],
});
