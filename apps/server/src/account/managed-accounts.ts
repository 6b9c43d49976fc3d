import { randomInt } from 'node:crypto';
import type { Kopecks } from '@fpay/contract/money';
import { Refusal } from '../platform/refusal.ts';
import type { Step } from '../platform/step.ts';
import type { AccountNotifications } from './notifications.ts';
import { hashPassword } from './passwords/passwords.ts';
import type { UserSessions } from './sign-in/sessions.ts';
import type { UserStore } from './store.ts';

interface Dependencies {
  users: UserStore;
  sessions: UserSessions;
  outgoing: AccountNotifications;
}

/** Letters and digits that are not taken for one another when they are read aloud or copied by hand. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
const passwordCharacters = 12;

/** What a party's owner may change in the account of a member. Who may ask for it is the party's to decide. */
export interface ManagedAccounts {
  /** Made before the step, because hashing takes tens of milliseconds. */
  newPassword(): Promise<{ password: string; hash: string }>;
  rename(step: Step, user: number, name: string, by: number): Promise<void>;
  /**
   * Sets the password, ends the member's sessions and sends the member an SMS.
   * @refuses not_found, password_reset_refused
   */
  resetPassword(step: Step, user: number, hash: string, by: number): Promise<void>;
  /** Informs an owner that an automatic payment has ended, because the balance was too small. */
  noteStoppedAllowance(step: Step, owner: number): Promise<void>;
  /** Tells a phone number about an invitation to a party; the number may have no account. */
  noteInvitation(step: Step, phone: string, party: string): Promise<void>;
  /** Informs a member who was removed, or whose closed party was opened, of what returned and what is kept. */
  noteParting(step: Step, parting: { member: number; party: string; returned: Kopecks; kept: Kopecks }): Promise<void>;
}

export function createManagedAccounts({ users, sessions, outgoing }: Dependencies): ManagedAccounts {
  return {
    async newPassword(): Promise<{ password: string; hash: string }> {
      const characters = Array.from({ length: passwordCharacters }, () => alphabet[randomInt(alphabet.length)]);
      const password = characters.join('');
      return { password, hash: await hashPassword(password) };
    },

    async rename(step: Step, user: number, name: string, by: number): Promise<void> {
      await users.rename(step, user, name);
      await users.note(step, user, `user ${by}`, 'changed the name as owner of the party');
    },

    async resetPassword(step: Step, user: number, hash: string, by: number): Promise<void> {
      const found = await users.lock(step, user);
      if (!found) throw new Refusal('not_found');
      if (found.role !== 'User') throw new Refusal('password_reset_refused');
      await users.setPassword(step, user, hash);
      await users.markPasswordReset(step, user);
      await sessions.endAll(user, null, step.db);
      step.publish('signed-out', user);
      await users.note(step, user, `user ${by}`, 'reset the password as owner of the party');
      await outgoing.notice(step, found.phone, found.language, { kind: 'password_reset' });
    },

    async noteStoppedAllowance(step: Step, owner: number): Promise<void> {
      const found = await users.find(owner);
      if (found) await outgoing.notice(step, found.phone, found.language, { kind: 'allowance_stopped' });
    },

    async noteInvitation(step, phone, party): Promise<void> {
      const found = await users.credentials(phone);
      await outgoing.notice(step, phone, found?.language ?? 'uk', { kind: 'party_invitation', party });
    },

    async noteParting(step, { member, ...parting }): Promise<void> {
      const found = await users.find(member);
      if (found) await outgoing.notice(step, found.phone, found.language, { kind: 'party_left', ...parting });
    },
  };
}
