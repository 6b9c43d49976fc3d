import { createHash, randomBytes } from 'node:crypto';
import { isStaff, type Role } from '@fpay/contract/roles';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { Viewer } from '../../platform/http/session.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Steps } from '../../platform/step.ts';
import type { Codes } from '../codes/codes.ts';
import type { CallerInfo, PhoneCodes } from '../codes/phone-codes.ts';
import type { UserCredentials, UserStore } from '../store.ts';

export const trustedDeviceDays = 30;
const trustMs = trustedDeviceDays * 24 * 60 * 60_000;

interface Dependencies {
  isOn: boolean;
  db: Database;
  steps: Steps;
  clock: Clock;
  users: UserStore;
  codes: Codes;
  phoneCodes: PhoneCodes;
}

/**
 * Staff see other people's money, so they enter a code in addition to the password, unless this device had one
 * recently.
 */
export function createSecondFactor({ isOn, db, steps, clock, users, codes, phoneCodes }: Dependencies) {
  async function isTrusted(userId: number, deviceToken: string | undefined): Promise<boolean> {
    if (!deviceToken) return false;
    const row = await db
      .selectFrom('trusted_devices')
      .select('user_id')
      .where('token_hash', '=', hashOf(deviceToken))
      .where('user_id', '=', userId)
      .where('expires_at', '>', clock.now())
      .executeTakeFirst();
    return row !== undefined;
  }

  async function awaiting(viewer: Viewer): Promise<UserCredentials> {
    const user = await users.find(viewer.id);
    if (!isOn || !user || !isStaff(user.role) || isStaff(viewer.role)) throw new Refusal('no_code_awaited');
    return user;
  }

  return {
    isAskedOf: (role: Role) => isOn && isStaff(role),

    /** The rights directly after the password. */
    async firstRole({ id, role }: Pick<UserCredentials, 'id' | 'role'>, deviceToken: string | undefined) {
      const isEnough = !isOn || !isStaff(role) || (await isTrusted(id, deviceToken));
      return isEnough ? role : 'User';
    },

    async send(caller: CallerInfo & { viewer: Viewer }): Promise<'telegram' | 'sms'> {
      const user = await awaiting(caller.viewer);
      // A stolen SIM card restores the password, so the same card must not also provide the second factor.
      return phoneCodes.sendToOwner(user, 'second_factor', caller, !user.isSmsRestored);
    },

    /** The staff member with all rights and, if requested, the secret that makes the device trusted. */
    async confirm(code: string, wantsTrust: boolean, caller: CallerInfo & { viewer: Viewer }) {
      const user = await awaiting(caller.viewer);
      const claim = { session: caller.session, phone: user.phone, purpose: 'second_factor' } as const;
      await phoneCodes.enter({ ...claim, code }, caller);
      const deviceToken = wantsTrust ? randomBytes(32).toString('base64url') : null;
      await steps.run(async (step) => {
        if (!(await codes.consume(step, claim))) throw new Refusal('wrong_code');
        await users.clearSmsRestored(step, user.id);
        if (deviceToken) {
          const expires_at = new Date(clock.now().getTime() + trustMs);
          const row = { token_hash: hashOf(deviceToken), user_id: user.id, expires_at };
          await step.db.insertInto('trusted_devices').values(row).execute();
        }
        await users.note(step, user.id, 'user', `gave the second factor from ${caller.device.ip}`);
      });
      return { user, viewer: { id: user.id, role: user.role } satisfies Viewer, deviceToken };
    },

    async removeOld(): Promise<void> {
      await db.deleteFrom('trusted_devices').where('expires_at', '<', clock.now()).execute();
    },
  };
}

export type SecondFactorService = ReturnType<typeof createSecondFactor>;

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
