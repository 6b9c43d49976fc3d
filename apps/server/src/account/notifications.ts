import type { Kopecks } from '@fpay/contract/money';
import type { Language } from '@fpay/contract/person';
import type { Step } from '../platform/step.ts';

/**
 * `unknown`: no answer came, so it may have arrived. It is never sent again automatically, because two codes confuse
 * more than none.
 */
export type CodeSent = 'sent' | 'unknown' | 'bad_number' | 'failed';

/** Notifications by SMS that the user did not request. */
export type AccountNotice =
  | { kind: 'phone_changed'; newPhone: string }
  | { kind: 'password_changed' }
  /** By the owner of the party. */
  | { kind: 'password_reset' }
  /** An allowance that the reader gives to a member of the party. */
  | { kind: 'allowance_stopped' }
  /** The reader was removed from a party, or the party was opened. */
  | { kind: 'party_left'; party: string; returned: Kopecks; kept: Kopecks }
  | { kind: 'party_invitation'; party: string }
  | { kind: 'account_deleted' };

/** What accounts need for sending messages. */
export interface AccountNotifications {
  /** Sent at once, while the driver waits. */
  code(phone: string, code: string, language: Language): Promise<CodeSent>;
  /** False when it was not delivered and an SMS is needed. */
  codeByTelegram(telegramId: number, code: string, language: Language): Promise<boolean>;
  /** Queued in the step that causes it. */
  notice(step: Step, phone: string, language: Language, notice: AccountNotice): Promise<void>;
  /** Asks the user of a Telegram account whether it belongs to this user. */
  askToLink(step: Step, telegramId: number, userId: number): Promise<void>;
}
