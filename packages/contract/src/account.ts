import * as z from 'zod/mini';
import { Car } from './cars.ts';
import { endpoint } from './endpoint.ts';
import { Kopecks } from './money.ts';
import { isClean, Language, OneTimeCode } from './person.ts';
import { Permission, Role } from './roles.ts';
import { Id } from './wire.ts';

export const User = z.object({
  id: Id,
  name: z.string(),
  /** Guests have no phone; their value starts with TMP. */
  phone_number: z.string(),
  icon: z.int().check(z.gte(1), z.lte(6)),
  balance: Kopecks,
  cars: z.array(Car),
  active_car_id: z.nullable(Id),
  active_operations: z.array(Id),
  role: Role,
  permissions: z.array(Permission),
  party: z.nullable(z.object({ name: z.string(), is_owner: z.boolean(), is_closed: z.boolean() })),
  has_telegram: z.boolean(),
  telegram_link: z.string(),
  is_temporary: z.boolean(),
  language: z.optional(Language),
  /** True for staff who have entered the password but not the second factor. Until then they have a driver's rights. */
  awaits_code: z.optional(z.boolean()),
  /**
   * True when the owner of a party has reset the password and this session was not confirmed by a code: it can only charge
   * and see the party's stations.
   */
  needs_confirmation: z.optional(z.boolean()),
});
export type User = z.infer<typeof User>;

export const guestPhonePrefix = 'TMP';

export const getUser = endpoint({
  method: 'GET',
  path: '/api/user',
  beforeConfirmation: true,
  summary: 'The signed-in user',
  access: 'signed-in',
  reply: User,
  openInMaintenance: true,
});

export const storeLanguage = endpoint({
  method: 'POST',
  path: '/api/user/language',
  beforeConfirmation: true,
  summary: 'Store the language of the page: receipts, SMS and the bot use it. For guests too',
  access: 'signed-in',
  body: z.object({ language: Language }),
  openInMaintenance: true,
});

export const sendConfirmation = endpoint({
  method: 'POST',
  path: '/api/user/confirmation/code',
  summary: 'Send a code to the own phone, or Telegram, after the owner of the party has reset the password',
  access: 'signed-in',
  reply: z.object({ sent_by: z.enum(['telegram', 'sms']) }),
  refusals: ['no_code_awaited', 'too_many_attempts', 'sms_not_sent'],
  beforeConfirmation: true,
});

export const confirmPassword = endpoint({
  method: 'POST',
  path: '/api/user/confirmation',
  summary:
    'Enter that code: this session may do everything; others need a code of their own until the password is changed',
  access: 'signed-in',
  body: z.object({ code: OneTimeCode }),
  reply: User,
  refusals: ['no_code_awaited', 'wrong_code', 'too_many_attempts'],
  beforeConfirmation: true,
});

export const signIn = endpoint({
  method: 'POST',
  path: '/api/login',
  summary: 'Sign in with phone and password',
  access: 'anyone',
  body: z.object({
    phone_number: z.string().check(z.maxLength(32)),
    // Longer passwords are refused before hashing, because argon2 of a megabyte would let an attacker use up the CPU.
    password: z.string().check(z.minLength(1), z.maxLength(256)),
    /** The station whose page the user came from; "0" means none. */
    station_number: z.optional(z.string().check(z.maxLength(16), z.refine(isClean))),
    /** The code that `sign_in_code_required` requests. A sign-in without it sends another code. */
    otp: z.optional(OneTimeCode),
  }),
  reply: User,
  refusals: ['bad_credentials', 'banned', 'sign_in_code_required', 'wrong_code', 'too_many_attempts', 'sms_not_sent'],
  openInMaintenance: true,
});

export const signOut = endpoint({
  method: 'DELETE',
  path: '/api/logout',
  summary: 'End this session',
  access: 'anyone',
  openInMaintenance: true,
});

export const signInAsGuest = endpoint({
  method: 'POST',
  path: '/api/guest',
  summary: 'Become a guest: a temporary user, signed in at once',
  access: 'anyone',
  reply: User,
  refusals: ['too_many_attempts'],
});

export const comeBack = endpoint({
  method: 'POST',
  path: '/api/return',
  summary: "Take a guest's session up again with the token that the bank's page brought back",
  access: 'anyone',
  body: z.object({ token: z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/)) }),
  reply: User,
  refusals: ['link_expired', 'too_many_attempts'],
  openInMaintenance: true,
});
