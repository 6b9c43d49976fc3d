import type { Session, Viewer } from '../../platform/http/session.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Steps } from '../../platform/step.ts';
import type { Codes } from '../codes/codes.ts';
import type { CallerInfo, PhoneCodes } from '../codes/phone-codes.ts';
import type { UserCredentials, UserStore } from '../store.ts';
import type { UserSessions } from './sessions.ts';

interface Dependencies {
  steps: Steps;
  users: UserStore;
  sessions: UserSessions;
  codes: Codes;
  phoneCodes: PhoneCodes;
}

/**
 * The owner of a party has reset a member's password and knows the new one. A session that begins with it can do little until a
 * code to the member's own phone is entered in it. Other sessions need a code of their own, so the owner gains nothing by the
 * member's confirmation; only a new password ends this.
 */
export function createConfirmations({ steps, users, sessions, codes, phoneCodes }: Dependencies) {
  async function awaiting(viewer: Viewer): Promise<UserCredentials> {
    const user = viewer.unconfirmedSince ? await users.find(viewer.id) : null;
    if (!user) throw new Refusal('no_code_awaited');
    return user;
  }

  return {
    async send(caller: CallerInfo & { viewer: Viewer }): Promise<'telegram' | 'sms'> {
      const user = await awaiting(caller.viewer);
      if (!phoneCodes.reaches(user)) throw new Refusal('sms_not_sent');
      return phoneCodes.sendToOwner(user, 'password_reset', caller);
    },

    async confirm(code: string, session: Session, caller: CallerInfo & { viewer: Viewer }): Promise<void> {
      const user = await awaiting(caller.viewer);
      const claim = { session: caller.session, phone: user.phone, purpose: 'password_reset' } as const;
      await phoneCodes.enter({ ...claim, code }, caller);
      await steps.run(async (step) => {
        if (!(await codes.consume(step, claim))) throw new Refusal('wrong_code');
        await sessions.confirmPassword(step, session);
        await users.note(step, user.id, 'user', `confirmed the reset password from ${caller.device.ip}`);
      });
    },
  };
}

export type Confirmations = ReturnType<typeof createConfirmations>;
