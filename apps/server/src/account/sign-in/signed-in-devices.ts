import { isStaff } from '@fpay/contract/roles';
import type { SignedInDevice } from '@fpay/contract/sessions';
import type { Session, Viewer } from '../../platform/http/session.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Steps } from '../../platform/step.ts';
import type { UserStore } from '../store.ts';
import type { UserSessions } from './sessions.ts';
import { deviceNameOf, networkOf } from './user-agent.ts';

interface Dependencies {
  steps: Steps;
  users: UserStore;
  sessions: UserSessions;
}

/** Where a user is signed in, and how they sign out there. */
export function createSignedInDevices({ steps, users, sessions }: Dependencies) {
  /** A thief with only the password could otherwise sign the real staff member out. */
  async function refuseWithoutCode(viewer: Viewer): Promise<void> {
    const user = await users.find(viewer.id);
    if (!user) throw new Refusal('unauthenticated');
    if (isStaff(user.role) && !isStaff(viewer.role)) throw new Refusal('second_factor_required');
  }

  return {
    async list(viewer: Viewer, current: Session | null): Promise<SignedInDevice[]> {
      await refuseWithoutCode(viewer);
      const rows = await sessions.listOf(viewer.id);
      const devices = rows.map((row) => ({
        id: row.id,
        ...deviceNameOf(row.user_agent),
        network: networkOf(row.ip),
        signed_in_at: row.created_at.toISOString(),
        last_seen_at: row.last_seen_at.toISOString(),
        is_current: row.id === current?.id,
      }));
      return devices.toSorted((a, b) => Number(b.is_current) - Number(a.is_current));
    },

    async end(viewer: Viewer, id: number): Promise<void> {
      await refuseWithoutCode(viewer);
      await steps.run(async (step) => {
        // Another user's session and one that does not exist get the same answer, so that ids cannot be probed.
        if (!(await sessions.endOne(step, viewer.id, id))) throw new Refusal('not_found');
        await users.note(step, viewer.id, 'user', `ended session ${id}`);
        step.publish('signed-out', viewer.id);
      });
    },

    async endOthers(viewer: Viewer, current: Session): Promise<void> {
      await refuseWithoutCode(viewer);
      await steps.run(async (step) => {
        await sessions.endAll(viewer.id, current, step.db);
        await step.db.deleteFrom('trusted_devices').where('user_id', '=', viewer.id).execute();
        await users.note(step, viewer.id, 'user', 'ended all other sessions');
        step.publish('signed-out', viewer.id);
      });
    },
  };
}

export type SignedInDeviceService = ReturnType<typeof createSignedInDevices>;
