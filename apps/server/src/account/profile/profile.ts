import type { EditedCar, NewCar } from '@fpay/contract/cars';
import type { Language } from '@fpay/contract/person';
import { isStaff } from '@fpay/contract/roles';
import type { Updateable } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import { isUniqueViolation } from '../../platform/database.ts';
import type { Users as Row } from '../../platform/generated/database.ts';
import type { Session, Viewer } from '../../platform/http/session.ts';
import type { RateLimits } from '../../platform/rate-limits.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Step, Steps } from '../../platform/step.ts';
import type { Claim, Codes } from '../codes/codes.ts';
import type { CallerInfo, PhoneCodes } from '../codes/phone-codes.ts';
import type { AccountNotifications } from '../notifications.ts';
import { refuseCommonPassword } from '../passwords/common-passwords.ts';
import { hashPassword, isPassword } from '../passwords/passwords.ts';
import type { UserSessions } from '../sign-in/sessions.ts';
import type { UserCredentials, UserStore } from '../store.ts';
import { nextCarList } from './cars.ts';
import { keepFormer } from './former-contacts.ts';

const passwordTries = { most: 5, windowMs: 60_000 };

export interface Edit {
  name: string;
  phone: string;
  password: string;
  icon: number;
  language: Language | undefined;
  activeCar: number;
  addedCars: readonly NewCar[];
  editedCars: readonly EditedCar[];
  deletedCars: readonly number[];
  currentPassword: string;
  code: string;
}

interface Dependencies {
  steps: Steps;
  clock: Clock;
  users: UserStore;
  sessions: UserSessions;
  codes: Codes;
  phoneCodes: PhoneCodes;
  limits: RateLimits;
  outgoing: AccountNotifications;
}

/** A driver's changes to their own account: all of them, or none. */
export function createProfiles(dependencies: Dependencies) {
  const { steps, clock, users, sessions, codes, phoneCodes, limits, outgoing } = dependencies;

  async function own(viewer: Viewer, id: number, what: string): Promise<UserCredentials> {
    if (viewer.id !== id) {
      await users.noteRefused(viewer.id, `tried to ${what} account ${id}`);
      throw new Refusal('not_your_account');
    }
    const user = await users.find(id);
    if (!user) throw new Refusal('unauthenticated');
    return user;
  }

  /** A stolen session alone is not enough to take over an account. */
  async function checkPassword(user: UserCredentials, given: string): Promise<void> {
    const limit = { key: `password:${user.id}`, ...passwordTries };
    await limits.check(limit);
    if (await isPassword(given, user.passwordHash)) return;
    await limits.take(limit);
    await users.noteRefused(user.id, 'gave a wrong current password');
    throw new Refusal('wrong_password', { fields: { current_password: ['The password is wrong'] } });
  }

  async function proveChanges(user: UserCredentials, edit: Edit, caller: CallerInfo): Promise<Claim | null> {
    const isNewPhone = edit.phone !== '' && edit.phone !== user.phone;
    if (!isNewPhone && edit.password === '') return null;
    // Only the password was entered so far; the code must not be sent to a number that a person with only the password
    // has set.
    if (isStaff(user.role) && caller.viewer && !isStaff(caller.viewer.role))
      throw new Refusal('second_factor_required');
    const claim: Claim = { session: caller.session, phone: edit.phone, purpose: 'new_phone' };
    const isProven = !isNewPhone || edit.code !== '' || (await codes.isProven(claim));
    const needs = [...(edit.currentPassword === '' ? ['current_password'] : []), ...(isProven ? [] : ['otp'])];
    if (needs.length > 0) throw new Refusal('proof_required', { extra: { needs } });
    await checkPassword(user, edit.currentPassword);
    if (!isNewPhone) return null;
    if (await users.credentials(edit.phone)) throw new Refusal('user_exists');
    if (!(await codes.isProven(claim))) await phoneCodes.enter({ ...claim, code: edit.code }, caller, 'otp');
    return claim;
  }

  async function changeCars(step: Step, id: number, edit: Edit): Promise<number | null> {
    const [user, cars] = await Promise.all([
      step.db.selectFrom('users').select('active_car_id').where('id', '=', id).executeTakeFirstOrThrow(),
      step.db
        .selectFrom('cars')
        .select('id')
        .where('user_id', '=', id)
        .where('deleted_at', 'is', null)
        .orderBy('id')
        .execute(),
    ]);
    const next = nextCarList(
      { cars: cars.map((car) => car.id), active: user.active_car_id },
      { added: edit.addedCars, edited: edit.editedCars, deleted: edit.deletedCars, active: edit.activeCar },
    );
    if (next.isRefused) throw new Refusal(next.isRefused);
    if (edit.deletedCars.length > 0) {
      const gone = step.db.updateTable('cars').set({ deleted_at: clock.now() }).where('user_id', '=', id);
      await gone.where('id', 'in', edit.deletedCars).execute();
    }
    for (const { id: car, battery, ...fields } of edit.editedCars) {
      const set = { ...fields, ...(battery !== undefined && { battery: battery === null ? null : String(battery) }) };
      const given = Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined));
      if (Object.keys(given).length === 0) continue;
      await step.db.updateTable('cars').set(given).where('id', '=', car).where('user_id', '=', id).execute();
    }
    const added: number[] = [];
    for (const car of edit.addedCars) added.push(await users.addCar(step, id, car));
    return next.active === 'first-added' ? (added[0] ?? null) : next.active;
  }

  async function apply(step: Step, user: UserCredentials, edit: Edit, phone: string, passwordHash: string | null) {
    const changes: Updateable<Row> = { active_car_id: await changeCars(step, user.id, edit) };
    if (edit.name !== '') changes.name = edit.name;
    if (edit.icon !== 0) changes.icon = edit.icon;
    if (edit.language) changes.language = edit.language;
    if (phone !== '') changes.phone_number = phone;
    await step.db.updateTable('users').set(changes).where('id', '=', user.id).execute();
    if (phone !== '' && phone !== user.phone) await keepFormer(step, user.id, 'phone', user.phone);
    if (passwordHash !== null) await users.setPassword(step, user.id, passwordHash);
    const what = [
      ...(edit.name ? ['name'] : []),
      ...(phone ? [`phone from ${user.phone} to ${phone}`] : []),
      ...(passwordHash ? ['password'] : []),
      ...(edit.icon ? ['icon'] : []),
      ...(edit.addedCars.length + edit.editedCars.length + edit.deletedCars.length + edit.activeCar ? ['cars'] : []),
    ];
    if (what.length > 0) await users.note(step, user.id, 'user', `changed ${what.join(', ')}`);
  }

  return {
    own,
    checkPassword,

    async edit(id: number, edit: Edit, caller: CallerInfo & { viewer: Viewer }, session: Session): Promise<void> {
      const user = await own(caller.viewer, id, 'change');
      refuseCommonPassword(edit.password, 'password');
      const claim = await proveChanges(user, edit, caller);
      const passwordHash = edit.password === '' ? null : await hashPassword(edit.password);
      try {
        await steps.run(async (step) => {
          const locked = await users.lock(step, id);
          if (!locked) throw new Refusal('unauthenticated');
          // It was changed since the password was checked, so the earlier proof no longer counts.
          if ((claim || passwordHash) && locked.passwordHash !== user.passwordHash) throw new Refusal('proof_required');
          if (claim && !(await codes.consume(step, claim))) throw new Refusal('proof_required');
          await apply(step, locked, edit, claim?.phone ?? '', passwordHash);
          const to = user.language;
          if (claim) await outgoing.notice(step, locked.phone, to, { kind: 'phone_changed', newPhone: claim.phone });
          if (passwordHash === null) return;
          await outgoing.notice(step, locked.phone, to, { kind: 'password_changed' });
          await sessions.endAll(id, session, step.db);
          step.publish('signed-out', id);
        });
      } catch (error) {
        if (isUniqueViolation(error, 'users_phone_number_key')) throw new Refusal('user_exists');
        if (error instanceof Refusal && error.code === 'car_not_found') {
          await users.noteRefused(id, 'named a car that is not theirs');
        }
        throw error;
      }
    },
  };
}

export type Profiles = ReturnType<typeof createProfiles>;
