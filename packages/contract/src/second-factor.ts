import * as z from 'zod/mini';
import { User } from './account.ts';
import { endpoint } from './endpoint.ts';
import { OneTimeCode } from './person.ts';

export const sendSecondFactor = endpoint({
  method: 'POST',
  path: '/api/login/otps',
  summary: 'Send the second factor of a staff sign-in again, by Telegram or SMS',
  access: 'signed-in',
  reply: z.object({ sent_by: z.enum(['telegram', 'sms']) }),
  refusals: ['no_code_awaited', 'second_factor_not_by_sms', 'too_many_attempts', 'sms_not_sent'],
  openInMaintenance: true,
});

export const enterSecondFactor = endpoint({
  method: 'POST',
  path: '/api/login/otp',
  summary: 'Enter the second factor: staff permissions begin',
  access: 'signed-in',
  body: z.object({
    code: OneTimeCode,
    /** When true, this device needs no code for the next 30 days. */
    trust: z._default(z.boolean(), false),
  }),
  reply: User,
  refusals: ['no_code_awaited', 'wrong_code', 'too_many_attempts'],
  openInMaintenance: true,
});
