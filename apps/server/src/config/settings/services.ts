import * as z from 'zod/mini';
import type { SettingTable } from '../setting.ts';
import { commaList, textWith, token, url, wholeNumber } from './fields.ts';

const address = z.optional(url('https:', 'http:'));

/** The services that carry messages. */
export const serviceSettings = {
  SMS_URL: {
    schema: address,
    shown: 'the sandbox in the demo',
    meaning: 'TurboSMS: `https://api.turbosms.ua`',
    isRequired: true,
    isOutside: true,
    remedy: 'https://api.turbosms.ua',
  },
  SMS_TOKEN: {
    schema: token,
    shown: 'the sandbox in the demo',
    meaning: 'from the cabinet of the SMS service',
    isRequired: true,
    isSecret: true,
    sandbox: 'sandbox-sms-token',
    remedy: 'Copy it from the cabinet of the SMS service.',
  },
  SMS_SENDER: { schema: textWith('FPay'), meaning: "the sender's name, which must be registered there" },
  TELEGRAM_TOKEN: {
    schema: token,
    shown: "none; the sandbox's in the demo",
    meaning: 'the bot, from @BotFather; without a token there is none',
    isSecret: true,
    sandbox: '7000000001:sandbox-bot-token-0123456789abcdefghi',
    remedy: 'Ask @BotFather for one, or remove it.',
  },
  TELEGRAM_API_URL: {
    schema: address,
    shown: '`https://api.telegram.org`',
    meaning: 'the API of the bot',
    isOutside: true,
  },
  TELEGRAM_UPDATES: {
    schema: z._default(z.enum(['polling', 'webhook'], 'must be polling or webhook'), 'polling'),
    meaning: '`webhook` where the bot can reach `PUBLIC_URL`',
  },
  CODE_PREFIXES: { schema: commaList(['+380', '+48']), meaning: 'which numbers one-time codes are sent to' },
  CODES_PER_DAY: {
    schema: wholeNumber(2_000, 1, 10_000_000),
    meaning:
      'how many SMS a day for each purpose of a code (sign-up, restoration, new phone, sign-in, second factor of staff)',
  },
} as const satisfies SettingTable;
