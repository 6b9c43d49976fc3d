import { can, isStaff, type Role } from '@fpay/contract/roles';
import { type Audit, recordedOutcome } from '../platform/audit.ts';
import type { Clock } from '../platform/clock.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step, Steps } from '../platform/step.ts';
import type { UserSessions } from './sign-in/sessions.ts';
import type { UserCredentials, UserStore } from './store.ts';

/** What staff may do to users, on record and once per request key. Each returns the role that the user has then. */
export interface UserStaffActions {
  /** @refuses user_not_found, role_not_allowed, action_not_applicable */
  setRole(command: UserCommand, role: Role): Promise<Role>;
  /** @refuses user_not_found, role_not_allowed, action_not_applicable */
  ban(command: UserCommand): Promise<Role>;
  /**
   * Back to a driver, whatever the role was before: rights of staff are given again on purpose.
   * @refuses user_not_found, role_not_allowed, action_not_applicable
   */
  unban(command: UserCommand): Promise<Role>;
}

/** Revokes what a user with this role may not have any more, and returns its ids. */
export type RevokeKeys = (step: Step, user: number, role: Role, now: Date) => Promise<number[]>;

interface Dependencies {
  users: Pick<UserStore, 'lock' | 'note'>;
  sessions: Pick<UserSessions, 'endAll'>;
  steps: Steps;
  audit: Audit;
  clock: Clock;
  /** Keys of the API that the new role may not have are revoked. */
  revokeKeys: RevokeKeys;
}

export interface UserCommand {
  staff: { id: number; role: Role };
  user: number;
  requestKey: string;
  /** Of a ban and of its end; a change of the role asks for none. */
  reason?: string | null;
}

/** From the least to the most trusted. Staff change only users below themselves, and give only roles below their own. */
const order: readonly Role[] = ['Banned', 'Guest', 'User', 'Analytic', 'Support', 'Operator', 'Admin', 'SuperAdmin'];
const rank = (role: Role) => order.indexOf(role);

type Person = { id: number; role: Role };

const isBelow = (staff: Person, user: Person) => staff.id !== user.id && rank(user.role) < rank(staff.role);

/** The roles that this staff member may give to this user. A ban is an action of its own. */
export function givableRoles(staff: Person, user: Person & { isTemporary: boolean }, may = can): Role[] {
  const mayTouch = may(staff.role, 'manage-roles') && isBelow(staff, user) && !user.isTemporary;
  if (!mayTouch || user.role === 'Banned') return [];
  const needsAdmins = (role: Role) => isStaff(role) && !may(staff.role, 'manage-admins');
  if (needsAdmins(user.role)) return [];
  return order.filter(
    (role) =>
      role !== 'Banned' &&
      role !== 'Guest' &&
      role !== user.role &&
      rank(role) < rank(staff.role) &&
      !needsAdmins(role),
  );
}

/** Whether this staff member may ban this user. Another staff member is banned only with manage-admins. */
export function mayBan(staff: Person, user: Person): boolean {
  if (!can(staff.role, 'manage-users') || !isBelow(staff, user)) return false;
  return !isStaff(user.role) || can(staff.role, 'manage-admins');
}

/** What staff can do to accounts. The user's sessions and sockets end with every change of their rights. */
export function createUserStaffActions({
  users,
  sessions,
  steps,
  audit,
  clock,
  revokeKeys,
}: Dependencies): UserStaffActions {
  async function change(
    { staff, user: id, requestKey, reason }: UserCommand,
    action: string,
    decide: (step: Step, user: UserCredentials) => Promise<Role>,
  ): Promise<Role> {
    return steps.run(async (step) => {
      const done = await recordedOutcome(step, requestKey);
      if (done) return done.role as Role;
      const user = await users.lock(step, id);
      if (!user) throw new Refusal('user_not_found');
      const role = await decide(step, user);
      await step.db.updateTable('users').set({ role }).where('id', '=', id).execute();
      await sessions.endAll(id, null, step.db);
      await step.db.deleteFrom('trusted_devices').where('user_id', '=', id).execute();
      await users.note(step, id, `staff ${staff.id}`, `role ${user.role} → ${role}`);
      step.publish('signed-out', id);
      const revoked = await revokeKeys(step, id, role, clock.now());
      const before = { role: user.role };
      const after = { role, ...(revoked.length > 0 && { revoked_keys: revoked }) };
      const said = reason !== undefined && { reason };
      await audit(step, { staff: staff.id, action, subject: { kind: 'user', id }, before, after, ...said, requestKey });
      return role;
    });
  }

  /** Staff see other people's money, so they are in no party. */
  async function refusePartyMember(step: Step, user: number): Promise<void> {
    const member = await step.db
      .selectFrom('party_members')
      .select('user_id')
      .where('user_id', '=', user)
      .executeTakeFirst();
    if (member) throw new Refusal('action_not_applicable');
  }

  return {
    setRole: (command: UserCommand, role: Role) =>
      change(command, 'user.set-role', async (step, user) => {
        if (!givableRoles(command.staff, user).includes(role)) throw new Refusal('role_not_allowed');
        if (isStaff(role)) await refusePartyMember(step, user.id);
        return role;
      }),

    ban: (command: UserCommand) =>
      change(command, 'user.ban', async (_, user) => {
        if (!mayBan(command.staff, user)) throw new Refusal('role_not_allowed');
        if (user.role === 'Banned') throw new Refusal('action_not_applicable');
        return 'Banned';
      }),

    unban: (command: UserCommand) =>
      change(command, 'user.unban', async (_, user) => {
        if (!mayBan(command.staff, user)) throw new Refusal('role_not_allowed');
        if (user.role !== 'Banned') throw new Refusal('action_not_applicable');
        return user.isTemporary ? 'Guest' : 'User';
      }),
  };
}
