import type { NewCar } from '@fpay/contract/cars';
import type { Language } from '@fpay/contract/person';
import { isStaff } from '@fpay/contract/roles';
import { isUniqueViolation } from '../../platform/database.ts';
import type { Viewer } from '../../platform/http/session.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Steps } from '../../platform/step.ts';
import type { Claim, Codes } from '../codes/codes.ts';
import type { CallerInfo, PhoneCodes } from '../codes/phone-codes.ts';
import type { AccountNotifications } from '../notifications.ts';
import { refuseCommonPassword } from '../passwords/common-passwords.ts';
import { hashPassword } from '../passwords/passwords.ts';
import type { UserSessions } from '../sign-in/sessions.ts';
import type { UserCredentials, UserStore } from '../store.ts';

interface Dependencies {
  steps: Steps;
  users: UserStore;
  sessions: UserSessions;
  codes: Codes;
  phoneCodes: PhoneCodes;
  outgoing: AccountNotifications;
  /** The current version of the terms. */
  termsVersion: string;
}

export interface SignUp {
  name: string;
  password: string;
  phone: string;
  telegramId: number | null;
  car: NewCar;
  termsVersion: string;
  code: string | undefined;
  language: Language | undefined;
}

export interface Restoration {
  phone: string;
  password: string;
  code: string;
}

/** Creating an account, and restoring it after the password was lost. Both need a proven phone. */
export function createSignUp({ steps, users, sessions, codes, phoneCodes, outgoing, termsVersion }: Dependencies) {
  /** Checked before the password is hashed, which is slow on purpose and must not be available to strangers. */
  async function needProof(claim: Claim, code: string | undefined, caller: CallerInfo, field: string): Promise<void> {
    if (await codes.isProven(claim)) return;
    if (!code) throw new Refusal('phone_not_proven');
    await phoneCodes.enter({ ...claim, code }, caller, field);
  }

  return {
    /** The new viewer when a guest signed up, who is already signed in; null for a visitor, who signs in next. */
    async signUp(given: SignUp, caller: CallerInfo): Promise<Viewer | null> {
      const { phone, name, language, car, telegramId } = given;
      if (given.termsVersion !== termsVersion) {
        const fields = { terms_version: ['The terms have changed, please read them again.'] };
        throw new Refusal('invalid_input', { fields });
      }
      refuseCommonPassword(given.password, 'password');
      const claim: Claim = { session: caller.session, phone, purpose: 'sign_up' };
      await needProof(claim, given.code, caller, 'otp');
      if (await users.credentials(phone)) throw new Refusal('user_exists');
      const passwordHash = await hashPassword(given.password);
      const guest = caller.viewer?.role === 'Guest' ? caller.viewer.id : null;

      try {
        return await steps.run(async (step) => {
          if (!(await codes.consume(step, claim))) throw new Refusal('phone_not_proven');
          const user = { name, phone, passwordHash, termsVersion, ...(language && { language }) };
          const isGuest = guest !== null && (await users.register(step, guest, user));
          const id = isGuest ? guest : await users.add(step, user);
          await users.setActiveCar(step, id, await users.addCar(step, id, car));
          await users.note(step, id, 'user', `signed up from ${caller.device.ip}, accepted terms ${termsVersion}`);
          if (telegramId !== null) await outgoing.askToLink(step, telegramId, id);
          if (!isGuest) return null;
          // The guest may also be open in a bank's browser, where no password was entered.
          await sessions.endAll(id, null, step.db);
          step.publish('signed-out', id);
          return { id, role: 'User' } satisfies Viewer;
        });
      } catch (error) {
        // For two sign-ups with one phone at once, the database accepts one.
        if (isUniqueViolation(error, 'users_phone_number_key')) throw new Refusal('user_exists');
        throw error;
      }
    },

    /** The user with the new password, who has proven the phone in this browser. */
    async restore({ phone, password, code }: Restoration, caller: CallerInfo): Promise<UserCredentials> {
      refuseCommonPassword(password, 'new_password');
      const claim: Claim = { session: caller.session, phone, purpose: 'restoration' };
      await needProof(claim, code, caller, 'otp');
      const found = await users.credentials(phone);
      const passwordHash = await hashPassword(password);
      return steps.run(async (step) => {
        if (!(await codes.consume(step, claim))) throw new Refusal('phone_not_proven');
        const user = found && (await users.lock(step, found.id));
        // The number may belong to another account since the code was sent.
        if (user?.phone !== phone) throw new Refusal('phone_not_proven');
        await users.setPassword(step, user.id, passwordHash);
        await sessions.endAll(user.id, null, step.db);
        step.publish('signed-out', user.id);
        if (isStaff(user.role)) await users.markSmsRestored(step, user.id);
        await users.note(step, user.id, 'user', `restored the password from ${caller.device.ip}`);
        return { ...user, passwordHash };
      });
    },
  };
}

export type SignUpService = ReturnType<typeof createSignUp>;
