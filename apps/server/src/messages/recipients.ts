import type { Language } from '@fpay/contract/person';
import type { Step } from '../platform/step.ts';

/** A user as messages see them. */
export interface Recipient {
  id: number;
  name: string;
  phone: string;
  language: Language;
  telegramId: number | null;
  /** They blocked the bot: it may not write until they come back. */
  hasBlockedBot: boolean;
}

/** What messages ask of accounts, which know who is who. */
export interface Recipients {
  find(userId: number, step?: Step): Promise<Recipient | null>;
  byTelegram(telegramId: number): Promise<Recipient | null>;
  /** False: the account or the Telegram is linked already. */
  link(step: Step, userId: number, telegramId: number): Promise<boolean>;
  unlink(userId: number): Promise<void>;
  setBlocked(telegramId: number, hasBlocked: boolean): Promise<void>;
}
