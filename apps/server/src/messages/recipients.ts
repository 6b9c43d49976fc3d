import type { Language } from '@fpay/contract/person';
import type { Step } from '../platform/step.ts';

/** A user as messages see one. */
export interface Recipient {
  id: number;
  name: string;
  phone: string;
  language: Language;
  telegramId: number | null;
  /** The user blocked the bot, so it may not write until they unblock it. */
  hasBlockedBot: boolean;
}

/** What messages need from accounts. */
export interface Recipients {
  find(userId: number, step?: Step): Promise<Recipient | null>;
  byTelegram(telegramId: number): Promise<Recipient | null>;
  /** False when the account or the Telegram account is already linked. */
  link(step: Step, userId: number, telegramId: number): Promise<boolean>;
  unlink(userId: number): Promise<void>;
  setBlocked(telegramId: number, hasBlocked: boolean): Promise<void>;
}
