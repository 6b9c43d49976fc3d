import { normalizePhone } from '@fpay/contract/person';
import type { Logger } from 'pino';
import type { Viewer } from '../../platform/http/session.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Claim, Codes } from '../codes/codes.ts';
import type { CallerInfo, PhoneCodes } from '../codes/phone-codes.ts';
import type { Guests } from '../guests/guests.ts';
import { isPassword } from '../passwords/passwords.ts';
import type { UserCredentials, UserStore } from '../store.ts';
import type { KnownDevices } from './known-devices.ts';
import type { SecondFactorService } from './second-factor.ts';
import type { Attempt, SignInLimits } from './sign-in-limits.ts';

/** A code that was sent less than this ago may still arrive, so no other one is sent. */
const onItsWaySeconds = 30;

export interface SignIn {
  phone: string;
  password: string;
  stationNumber: string | undefined;
  /** The answer to `sign_in_code_required`. */
  code: string | undefined;
  /** Cookies of the device from earlier sign-ins. */
  trustedDevice: string | undefined;
  knownDevice: string | undefined;
}

interface Dependencies {
  users: UserStore;
  guests: Guests;
  codes: Codes;
  phoneCodes: PhoneCodes;
  secondFactor: SecondFactorService;
  signInLimits: SignInLimits;
  knownDevices: KnownDevices;
  log: Logger;
}

/** From phone and password to a viewer. */
export function createSignIn(dependencies: Dependencies) {
  const { users, guests, codes, phoneCodes, secondFactor, signInLimits, knownDevices, log } = dependencies;

  /** Throws `sign_in_code_required` until the code that was sent to the owner is entered. */
  async function needCode(user: UserCredentials, code: string | undefined, caller: CallerInfo): Promise<Claim> {
    const claim: Claim = { session: caller.session, phone: user.phone, purpose: 'sign_in' };
    if (code === undefined) {
      const sent_by = await phoneCodes.sendToOwner(user, 'sign_in', caller).catch(absentWhenOnItsWay);
      throw new Refusal('sign_in_code_required', { extra: { sent_by } });
    }
    await phoneCodes.enter({ ...claim, code }, caller, 'otp');
    return claim;
  }

  return {
    async signIn(given: SignIn, caller: CallerInfo): Promise<{ viewer: Viewer; knownDevice: string | null }> {
      const { password, stationNumber } = given;
      const { device } = caller;
      const phone = normalizePhone(given.phone);
      const found = await users.credentials(phone);
      const attempt: Attempt = { phone, device, knownDevice: knownDevices.idOf(found, given.knownDevice) };
      await signInLimits.admit(attempt);
      if (!(await isPassword(password, found?.passwordHash ?? null)) || !found) {
        await signInLimits.countFailure(attempt);
        // Not written to the user's own log, because a write only for known numbers would disclose them by its time.
        log.warn({ ip: device.ip, phone: masked(phone) }, 'sign-in refused');
        throw new Refusal('bad_credentials');
      }
      // Only a person who knows the password learns that the account is blocked.
      if (found.role === 'Banned') throw new Refusal('banned');
      // Staff need a code after the password anyway, or have a trusted device.
      const isGuessed = !secondFactor.isAskedOf(found.role) && (await signInLimits.needsCode(attempt));
      const claim = isGuessed ? await needCode(found, given.code, caller) : null;
      const role = await secondFactor.firstRole(found, given.trustedDevice);
      const at = stationNumber && stationNumber !== '0' ? ` at station ${stationNumber}` : '';
      await users.noteSignIn(found.id, `signed in${at} from ${device.ip}`, async (step) => {
        if (claim && !(await codes.consume(step, claim))) throw new Refusal('wrong_code');
        if (caller.viewer?.role === 'Guest') await guests.join(step, caller.viewer.id, found.id);
      });
      const isComplete = role === found.role;
      const since = found.passwordResetAt;
      const viewer = { id: found.id, role, ...(since && { unconfirmedSince: since }) };
      return { viewer, knownDevice: isComplete ? knownDevices.issue(found) : null };
    },
  };
}

export type SignInService = ReturnType<typeof createSignIn>;

function absentWhenOnItsWay(error: unknown): null {
  const isOnItsWay = error instanceof Refusal && (error.retryAfter ?? Number.POSITIVE_INFINITY) <= onItsWaySeconds;
  if (isOnItsWay) return null;
  throw error;
}

function masked(phone: string): string {
  return phone.length > 7 ? `${phone.slice(0, 4)}…${phone.slice(-2)}` : '…';
}
