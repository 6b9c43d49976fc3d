import type { Role } from '@fpay/contract/roles';
import type { Audit } from '../platform/audit.ts';
import type { Clock } from '../platform/clock.ts';
import type { Step } from '../platform/step.ts';
import type { RevokeKeys } from './staff.ts';
import type { UserStore } from './store.ts';

interface Dependencies {
  users: Pick<UserStore, 'lock' | 'note'>;
  audit: Audit;
  clock: Clock;
  revokeKeys: RevokeKeys;
}

/**
 * Gives a role from the command line of the operator, who has the database anyway: the first super administrator has no
 * colleague to get it from. The user's sessions end, as with every change of rights. False when they already have it.
 */
export async function appointStaff(
  step: Step,
  { users, audit, clock, revokeKeys }: Dependencies,
  id: number,
  role: Role,
): Promise<boolean> {
  const user = await users.lock(step, id);
  if (!user || user.role === role) return false;
  await step.db.updateTable('users').set({ role }).where('id', '=', id).execute();
  await step.db.deleteFrom('sessions').where('user_id', '=', id).execute();
  await step.db.deleteFrom('trusted_devices').where('user_id', '=', id).execute();
  await users.note(step, id, 'command line', `role ${user.role} → ${role}`);
  const revoked = await revokeKeys(step, id, role, clock.now());
  await audit(step, {
    staff: null,
    by: 'command line',
    action: 'user.set-role',
    subject: { kind: 'user', id },
    before: { role: user.role },
    after: { role, ...(revoked.length > 0 && { revoked_keys: revoked }) },
  });
  step.publish('signed-out', id);
  return true;
}
