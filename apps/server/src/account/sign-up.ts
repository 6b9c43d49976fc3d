import type { NewCar } from '@fpay/contract/cars';
import type { Language } from '@fpay/contract/person';
import { isStaff } from '@fpay/contract/roles';
import { isUniqueViolation } from '../platform/database.ts';
import type { Viewer } from '../platform/http/session.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Steps } from '../platform/step.ts';
import type { Claim, Codes } from './codes.ts';
import { refuseCommonPassword } from './common-passwords.ts';
import type { Outgoing } from './outgoing.ts';
import { hashPassword } from './passwords.ts';
import type { Asker, PhoneCodes } from './phone-codes.ts';
import type { UserSessions } from './sessions.ts';
import type { Credentials, UserStore } from './store.ts';

interface Dependencies {
  steps: Steps;
  users: UserStore;
  sessions: UserSessions;
  codes: Codes;
  phoneCodes: PhoneCodes;
  outgoing: Outgoing;
  /** The version of the terms now in force. */
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

/** Becoming a user, and becoming one again after the password was lost. Both need the phone proven. */
export function createSignUp({ steps, users, sessions, codes, phoneCodes, outgoing, termsVersion }: Dependencies) {
  /** Before the password is hashed, which is slow on purpose and nothing for strangers to ask for. */
  async function needProof(claim: Claim, code: string | undefined, asker: Asker, field: string): Promise<void> {
    if (await codes.isProven(claim)) return;
    if (!code) throw new Refusal('phone_not_proven');
    await phoneCodes.enter({ ...claim, code }, asker, field);
  }

  return {
    /** The new viewer when a guest signed up, who is signed in already; null for a visitor, who signs in next. */
    async signUp(given: SignUp, asker: Asker): Promise<Viewer | null> {
      const { phone, name, language, car, telegramId } = given;
      if (given.termsVersion !== termsVersion) {
        const fields = { terms_version: ['The terms have changed, please read them again.'] };
        throw new Refusal('invalid_input', { fields });
      }
      refuseCommonPassword(given.password, 'password');
      const claim: Claim = { session: asker.session, phone, purpose: 'sign_up' };
      await needProof(claim, given.code, asker, 'otp');
      if (await users.credentials(phone)) throw new Refusal('user_exists');
      const passwordHash = await hashPassword(given.password);
      const guest = asker.viewer?.role === 'Guest' ? asker.viewer.id : null;

      try {
        return await steps.run(async (step) => {
          if (!(await codes.consume(step, claim))) throw new Refusal('phone_not_proven');
          const user = { name, phone, passwordHash, termsVersion, ...(language && { language }) };
          const isGuest = guest !== null && (await users.register(step, guest, user));
          const id = isGuest ? guest : await users.add(step, user);
          await users.setActiveCar(step, id, await users.addCar(step, id, car));
          await users.note(step, id, 'user', `signed up from ${asker.device.ip}, accepted terms ${termsVersion}`);
          if (telegramId !== null) await outgoing.askToLink(step, telegramId, id);
          if (!isGuest) return null;
          // The guest may be open in a bank's browser too; that one knew no password.
          await sessions.endAll(id, null, step.db);
          step.tell('signed-out', id);
          return { id, role: 'User' } satisfies Viewer;
        });
      } catch (error) {
        // Two sign-ups with one phone at once: the database lets one through.
        if (isUniqueViolation(error, 'users_phone_number_key')) throw new Refusal('user_exists');
        throw error;
      }
    },

    /** The user with the new password, who has proven the phone in this browser. */
    async restore({ phone, password, code }: Restoration, asker: Asker): Promise<Credentials> {
      refuseCommonPassword(password, 'new_password');
      const claim: Claim = { session: asker.session, phone, purpose: 'restoration' };
      await needProof(claim, code, asker, 'otp');
      const found = await users.credentials(phone);
      const passwordHash = await hashPassword(password);
      return steps.run(async (step) => {
        if (!(await codes.consume(step, claim))) throw new Refusal('phone_not_proven');
        const user = found && (await users.lock(step, found.id));
        // The number may have changed hands since the code was sent.
        if (user?.phone !== phone) throw new Refusal('phone_not_proven');
        await users.setPassword(step, user.id, passwordHash);
        await sessions.endAll(user.id, null, step.db);
        step.tell('signed-out', user.id);
        if (isStaff(user.role)) await users.markSmsRestored(step, user.id);
        await users.note(step, user.id, 'user', `restored the password from ${asker.device.ip}`);
        return { ...user, passwordHash };
      });
    },
  };
}

export type SignUpService = ReturnType<typeof createSignUp>;
