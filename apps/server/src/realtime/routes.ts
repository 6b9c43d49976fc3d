import { staffGroup, staffGroupAccess } from '@fpay/contract/admin/live';
import { negotiate, operationGroup, userGroup } from '@fpay/contract/realtime';
import { can } from '@fpay/contract/roles';
import type { Routes } from '../platform/http/routes.ts';
import type { Viewer } from '../platform/http/session.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Realtime } from './service.ts';

export function realtimeRoutes(
  routes: Routes,
  realtime: Realtime,
  mayWatch: (viewer: Viewer, operation: number) => Promise<boolean>,
): void {
  routes.on(negotiate, async ({ viewer, query, receivedAt }) => {
    const groups = [userGroup(viewer.id)];
    if (query.operation !== undefined) {
      // The answer is the same for another user's operation and for one that does not exist, so that ids cannot be
      // probed.
      if (!(await mayWatch(viewer, query.operation))) throw new Refusal('not_found');
      groups.push(operationGroup(query.operation));
    }
    if (query.staff) {
      // A new role disconnects the user, so a connection never outlives the permissions that it was granted with.
      if (!staffGroupAccess.every((permission) => can(viewer.role, permission))) throw new Refusal('forbidden');
      groups.push(staffGroup);
    }
    return { connectionString: await realtime.connectionString({ user: viewer.id, groups, asOf: receivedAt }) };
  });
}
