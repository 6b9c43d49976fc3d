import { type Language, personTexts } from '@fpay/contract/person';
import { can } from '@fpay/contract/roles';
import type { CodePurpose } from '@fpay/contract/sign-up';
import type { Logger } from 'pino';
import type { Device, Viewer } from '../../platform/http/session.ts';
import { addressKey, type RateLimits } from '../../platform/rate-limits.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { AccountNotifications } from '../notifications.ts';
import { refuseCommonPassword } from '../passwords/common-passwords.ts';
import type { UserCredentials, UserStore } from '../store.ts';
import type { Codes, ProofPurpose } from './codes.ts';
import { createSendPace } from './send-pace.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const limitsOf = {
  perPhone: { most: 1, windowMs: 30_000 },
  perPhoneAnHour: { most: 5, windowMs: hourMs },
  perAddressAnHour: { most: 10, windowMs: hourMs },
  entriesPerAddress: { most: 30, windowMs: minuteMs },
  checksPerAddress: { most: 20, windowMs: minuteMs },
} as const;

/**
 * Which limits per phone and address a code counts for. Anyone can request the public ones. The others need the
 * password first and have separate limits, so that a stranger cannot use them up.
 */
const budgetOf = {
  sign_up: 'codes',
  restoration: 'codes',
  new_phone: 'codes',
  sign_in: 'sign-in-codes',
  second_factor: 'second-factor-codes',
  password_reset: 'password-reset-codes',
} as const satisfies Record<ProofPurpose, string>;

export interface CodeSettings {
  /** Countries that we serve: SMS to others are expensive and used for fraud. */
  allowedPrefixes: readonly string[];
  /** SMS for each purpose in the whole network; a higher number means abuse. */
  mostADay: number;
}

/** The caller and the address. */
export interface CallerInfo {
  viewer: Viewer | null;
  /** `owner` of the session. */
  session: string;
  device: Device;
}

interface Dependencies {
  users: UserStore;
  codes: Codes;
  limits: RateLimits;
  outgoing: AccountNotifications;
  settings: CodeSettings;
  log: Logger;
}

/** Codes to phones: which users may have one sent, how often, and what an entered code allows. */
export function createPhoneCodes({ users, codes, limits, outgoing, settings, log }: Dependencies) {
  const pace = createSendPace();

  const perAddress = (purpose: ProofPurpose, { ip }: Device) => ({
    key: `${budgetOf[purpose]}:address:${addressKey(ip)}`,
    ...limitsOf.perAddressAnHour,
  });

  async function takeLimits(purpose: ProofPurpose, phone: string, device: Device): Promise<void> {
    await limits.take(perAddress(purpose, device));
    await limits.take({ key: `${budgetOf[purpose]}:phone:${phone}`, ...limitsOf.perPhone });
    await limits.take({ key: `${budgetOf[purpose]}:phone-hour:${phone}`, ...limitsOf.perPhoneAnHour });
  }

  const isAllowed = (phone: string) => settings.allowedPrefixes.some((prefix) => phone.startsWith(prefix));

  function checkPrefix(phone: string): void {
    if (isAllowed(phone)) return;
    throw new Refusal('invalid_input', { fields: { phone_number: [personTexts.phoneInvalid] } });
  }

  /** Takes one SMS from the network's daily cap of this purpose. Returns a function that gives it back. */
  async function takeSms(purpose: ProofPurpose): Promise<() => Promise<void>> {
    const key = `codes:network:${purpose}`;
    const { mostADay } = settings;
    try {
      await limits.take({ key, most: mostADay, windowMs: 24 * hourMs });
    } catch (error) {
      log.error({ alert: 'sms_daily_cap', purpose, mostADay }, 'daily code cap reached');
      throw error;
    }
    return () => limits.giveBack(key);
  }

  async function sendBySms(purpose: ProofPurpose, phone: string, code: string, language: Language): Promise<void> {
    const giveBack = await takeSms(purpose);
    const outcome = await outgoing.code(phone, code, language);
    if (outcome === 'bad_number' || outcome === 'failed') await giveBack();
    if (outcome === 'bad_number') {
      throw new Refusal('invalid_input', { fields: { phone_number: [personTexts.phoneInvalid] } });
    }
    if (outcome === 'failed') throw new Refusal('sms_not_sent');
    // No answer came: the code may have arrived, so it stays valid; the driver may request another one.
  }

  return {
    async checkFree(phone: string, password: string | undefined, device: Device): Promise<void> {
      await limits.take({ key: `uc:address:${addressKey(device.ip)}`, ...limitsOf.checksPerAddress });
      if (password !== undefined) refuseCommonPassword(password, 'password');
      if (await users.credentials(phone)) throw new Refusal('user_exists');
    },

    async request(
      { phone, purpose: wanted, language }: { phone: string; purpose?: CodePurpose; language?: Language },
      { viewer, session, device }: CallerInfo,
    ): Promise<void> {
      checkPrefix(phone);
      const isRegistered = viewer !== null && can(viewer.role, 'access-account-page');
      await limits.check(perAddress(wanted ?? 'restoration', device));
      const known = await users.credentials(phone);
      const purpose = wanted ?? (known ? 'restoration' : isRegistered ? 'new_phone' : 'sign_up');
      if (purpose === 'new_phone' && !isRegistered) throw new Refusal('unauthenticated');
      await takeLimits(purpose, phone, device);
      if (purpose !== 'restoration' && known) throw new Refusal('user_exists');
      // There is no account to restore. The answer and its time are the same, but no SMS is sent and none is counted.
      if (purpose === 'restoration' && !known) return pace.imitate();
      await pace.measure(async () => {
        const code = await codes.make({ session, phone, purpose });
        await sendBySms(purpose, phone, code, known?.language ?? language ?? 'uk');
      });
    },

    /** Whether codes reach this user at all. */
    reaches: ({ phone, telegramId }: Pick<UserCredentials, 'phone' | 'telegramId'>): boolean =>
      telegramId !== null || isAllowed(phone),

    /**
     * To the owner of an account whose password was entered. By Telegram when it is linked, which is free and arrives
     * sooner; otherwise by SMS, unless `allowsSms` is false.
     */
    async sendToOwner(
      user: UserCredentials,
      purpose: 'sign_in' | 'second_factor' | 'password_reset',
      { session, device }: CallerInfo,
      allowsSms = true,
    ): Promise<'telegram' | 'sms'> {
      if (!allowsSms && user.telegramId === null) throw new Refusal('second_factor_not_by_sms');
      await takeLimits(purpose, user.phone, device);
      const code = await codes.make({ session, phone: user.phone, purpose });
      if (user.telegramId !== null && (await outgoing.codeByTelegram(user.telegramId, code, user.language))) {
        return 'telegram';
      }
      if (!allowsSms) throw new Refusal('second_factor_not_by_sms');
      await sendBySms(purpose, user.phone, code, user.language);
      return 'sms';
    },

    /** Refuses unless the code is right. The answer is the same for wrong, burnt, expired and never sent codes. */
    async enter(
      { phone, purpose, code }: { phone: string; purpose?: ProofPurpose | undefined; code: string },
      { session, device }: CallerInfo,
      field = 'code',
    ): Promise<void> {
      await limits.take({ key: `codes:entries:${addressKey(device.ip)}`, ...limitsOf.entriesPerAddress });
      const purposes = purpose ? [purpose] : await codes.awaited(session, phone);
      for (const one of purposes) if (await codes.enter({ session, phone, purpose: one }, code)) return;
      log.warn({ session, ip: device.ip }, 'one-time code refused');
      throw new Refusal('wrong_code', { fields: { [field]: ['The code is wrong or has expired'] } });
    },
  };
}

export type PhoneCodes = ReturnType<typeof createPhoneCodes>;
