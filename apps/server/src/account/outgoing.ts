import type { Language } from '@fpay/contract/person';
import type { Step } from '../platform/step.ts';

/** `unknown`: no answer came, so it may have arrived. Never sent again by itself: two codes confuse more than none. */
export type CodeSent = 'sent' | 'unknown' | 'bad_number' | 'failed';

/** What is told by SMS without being asked for. */
export type AccountNews =
  | { kind: 'phone_changed'; newPhone: string }
  | { kind: 'password_changed' }
  | { kind: 'account_deleted' };

/** What accounts ask of whoever carries messages. */
export interface Outgoing {
  /** At once, while the driver waits. */
  code(phone: string, code: string, language: Language): Promise<CodeSent>;
  /** False: not delivered, an SMS must do. */
  codeByTelegram(telegramId: number, code: string, language: Language): Promise<boolean>;
  /** Leaves with the step that causes it, or not at all. */
  news(step: Step, phone: string, language: Language, news: AccountNews): Promise<void>;
  /** Asks a Telegram account whether it belongs to this user. */
  askToLink(step: Step, telegramId: number, userId: number): Promise<void>;
}
