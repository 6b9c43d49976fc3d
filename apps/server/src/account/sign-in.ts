import { normalizePhone } from '@fpay/contract/person';
import type { Logger } from 'pino';
import type { Viewer } from '../platform/http/session.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Claim, Codes } from './codes.ts';
import type { Guests } from './guests.ts';
import type { KnownDevices } from './known-devices.ts';
import { isPassword } from './passwords.ts';
import type { Asker, PhoneCodes } from './phone-codes.ts';
import type { SecondFactor } from './second-factor.ts';
import type { Attempt, SignInLimits } from './sign-in-limits.ts';
import type { Credentials, UserStore } from './store.ts';

/** A code was sent less than this ago: it is still on its way, so no other one is sent. */
const onItsWaySeconds = 30;

export interface SignIn {
  phone: string;
  password: string;
  stationNumber: string | undefined;
  /** The answer to `sign_in_code_required`. */
  code: string | undefined;
  /** What the device remembers from earlier sign-ins. */
  trustedDevice: string | undefined;
  knownDevice: string | undefined;
}

interface Dependencies {
  users: UserStore;
  guests: Guests;
  codes: Codes;
  phoneCodes: PhoneCodes;
  secondFactor: SecondFactor;
  signInLimits: SignInLimits;
  knownDevices: KnownDevices;
  log: Logger;
}

/** From phone and password to a viewer. */
export function createSignIn(dependencies: Dependencies) {
  const { users, guests, codes, phoneCodes, secondFactor, signInLimits, knownDevices, log } = dependencies;

  /** Throws `sign_in_code_required` until the code that was sent to the owner is entered. */
  async function needCode(user: Credentials, code: string | undefined, asker: Asker): Promise<Claim> {
    const claim: Claim = { session: asker.session, phone: user.phone, purpose: 'sign_in' };
    if (code === undefined) {
      const sent_by = await phoneCodes.sendToOwner(user, 'sign_in', asker).catch(absentWhenOnItsWay);
      throw new Refusal('sign_in_code_required', { extra: { sent_by } });
    }
    await phoneCodes.enter({ ...claim, code }, asker, 'otp');
    return claim;
  }

  return {
    async signIn(given: SignIn, asker: Asker): Promise<{ viewer: Viewer; knownDevice: string | null }> {
      const { password, stationNumber } = given;
      const { device } = asker;
      const phone = normalizePhone(given.phone);
      const found = await users.credentials(phone);
      const attempt: Attempt = { phone, device, knownDevice: knownDevices.idOf(found, given.knownDevice) };
      await signInLimits.admit(attempt);
      if (!(await isPassword(password, found?.passwordHash ?? null)) || !found) {
        await signInLimits.countFailure(attempt);
        // Not in the user's own log: a write for known numbers only would show by its time which numbers are known.
        log.warn({ ip: device.ip, phone: masked(phone) }, 'a sign-in was refused');
        throw new Refusal('bad_credentials');
      }
      // Only a person who knows the password learns that the account is blocked.
      if (found.role === 'Banned') throw new Refusal('banned');
      // Staff owe a code after the password anyway, or have a trusted device.
      const isGuessed = !secondFactor.isAskedOf(found.role) && (await signInLimits.needsCode(attempt));
      const claim = isGuessed ? await needCode(found, given.code, asker) : null;
      const role = await secondFactor.firstRole(found, given.trustedDevice);
      const at = stationNumber && stationNumber !== '0' ? ` at station ${stationNumber}` : '';
      await users.noteSignIn(found.id, `signed in${at} from ${device.ip}`, async (step) => {
        if (claim && !(await codes.consume(step, claim))) throw new Refusal('wrong_code');
        if (asker.viewer?.role === 'Guest') await guests.join(step, asker.viewer.id, found.id);
      });
      const isComplete = role === found.role;
      return { viewer: { id: found.id, role }, knownDevice: isComplete ? knownDevices.issue(found) : null };
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
