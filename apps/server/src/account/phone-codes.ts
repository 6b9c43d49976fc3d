import { type Language, personTexts } from '@fpay/contract/person';
import { can } from '@fpay/contract/roles';
import type { CodePurpose } from '@fpay/contract/sign-up';
import type { Logger } from 'pino';
import type { Device, Viewer } from '../platform/http/session.ts';
import type { RateLimits } from '../platform/rate-limits.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Codes, ProofPurpose } from './codes.ts';
import type { Outgoing } from './outgoing.ts';
import type { UserStore } from './store.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const limitsOf = {
  perPhone: { most: 1, windowMs: 30_000 },
  perPhoneAnHour: { most: 5, windowMs: hourMs },
  perAddressAnHour: { most: 10, windowMs: hourMs },
  entriesPerAddress: { most: 30, windowMs: minuteMs },
  checksPerAddress: { most: 20, windowMs: minuteMs },
} as const;

export interface CodeSettings {
  /** Countries we serve: SMS elsewhere cost much and are how numbers are defrauded. */
  allowedPrefixes: readonly string[];
  /** For the whole network; past it somebody is spending our money. */
  mostADay: number;
}

/** Who asks, and from where. */
export interface Asker {
  viewer: Viewer | null;
  session: number;
  device: Device;
}

interface Dependencies {
  users: UserStore;
  codes: Codes;
  limits: RateLimits;
  outgoing: Outgoing;
  settings: CodeSettings;
  log: Logger;
}

/** Codes to phones: who may have one sent, how often, and what an entered one is worth. */
export function createPhoneCodes({ users, codes, limits, outgoing, settings, log }: Dependencies) {
  async function takeLimits(phone: string, device: Device): Promise<void> {
    await limits.take({ key: `codes:address:${device.ip}`, ...limitsOf.perAddressAnHour });
    await limits.take({ key: `codes:phone:${phone}`, ...limitsOf.perPhone });
    await limits.take({ key: `codes:phone-hour:${phone}`, ...limitsOf.perPhoneAnHour });
    try {
      await limits.take({ key: 'codes:network', most: settings.mostADay, windowMs: 24 * hourMs });
    } catch (error) {
      log.error({ alert: 'sms_daily_cap', mostADay: settings.mostADay }, 'the daily cap of one-time codes is reached');
      throw error;
    }
  }

  function checkPrefix(phone: string): void {
    if (settings.allowedPrefixes.some((prefix) => phone.startsWith(prefix))) return;
    throw new Refusal('invalid_input', { fields: { phone_number: [personTexts.phoneInvalid] } });
  }

  async function sendBySms(phone: string, code: string, language: Language): Promise<void> {
    const outcome = await outgoing.code(phone, code, language);
    if (outcome === 'bad_number') {
      throw new Refusal('invalid_input', { fields: { phone_number: [personTexts.phoneInvalid] } });
    }
    if (outcome === 'failed') throw new Refusal('sms_not_sent');
    // No answer: the code may have arrived, so it stays valid; the driver may ask for another one.
  }

  return {
    async checkFree(phone: string, device: Device): Promise<void> {
      await limits.take({ key: `uc:address:${device.ip}`, ...limitsOf.checksPerAddress });
      if (await users.credentials(phone)) throw new Refusal('user_exists');
    },

    async request(
      { phone, purpose: wanted, language }: { phone: string; purpose?: CodePurpose; language?: Language },
      { viewer, session, device }: Asker,
    ): Promise<void> {
      checkPrefix(phone);
      const isRegistered = viewer !== null && can(viewer.role, 'access-account-page');
      await limits.check({ key: `codes:address:${device.ip}`, ...limitsOf.perAddressAnHour });
      const known = await users.credentials(phone);
      const purpose = wanted ?? (known ? 'restoration' : isRegistered ? 'new_phone' : 'sign_up');
      if (purpose === 'new_phone' && !isRegistered) throw new Refusal('unauthenticated');
      await takeLimits(phone, device);
      if (purpose !== 'restoration' && known) throw new Refusal('user_exists');
      // Nobody's password to restore: the answer is the same, the SMS is saved.
      if (purpose === 'restoration' && !known) return;
      const code = await codes.make({ session, phone, purpose });
      await sendBySms(phone, code, known?.language ?? language ?? 'uk');
    },

    /** By Telegram when it is linked, which costs nothing and arrives sooner; by SMS otherwise. */
    async requestSecondFactor(userId: number, { session, device }: Asker): Promise<'telegram' | 'sms'> {
      const user = await users.find(userId);
      if (!user) throw new Refusal('unauthenticated');
      await takeLimits(user.phone, device);
      const code = await codes.make({ session, phone: user.phone, purpose: 'second_factor' });
      if (user.telegramId !== null && (await outgoing.codeByTelegram(user.telegramId, code, user.language))) {
        return 'telegram';
      }
      await sendBySms(user.phone, code, user.language);
      return 'sms';
    },

    /** Refuses unless the code is right. Wrong, burnt, expired and never sent all sound the same. */
    async enter(
      { phone, purpose, code }: { phone: string; purpose?: ProofPurpose | undefined; code: string },
      { session, device }: Asker,
      field = 'code',
    ): Promise<void> {
      await limits.take({ key: `codes:entries:${device.ip}`, ...limitsOf.entriesPerAddress });
      const purposes = purpose ? [purpose] : await codes.awaited(session, phone);
      for (const one of purposes) if (await codes.enter({ session, phone, purpose: one }, code)) return;
      log.warn({ session, ip: device.ip }, 'a wrong one-time code was entered');
      throw new Refusal('wrong_code', { fields: { [field]: ['The code is wrong or has expired'] } });
    },
  };
}

export type PhoneCodes = ReturnType<typeof createPhoneCodes>;
