import { staffGroup, staffGroupAccess } from '@fpay/contract/admin/live';
import { negotiate, operationGroup, stationGroup, userGroup } from '@fpay/contract/realtime';
import { can } from '@fpay/contract/roles';
import type { Routes } from '../platform/http/routes.ts';
import type { Viewer } from '../platform/http/session.ts';
import { Refusal } from '../platform/refusal.ts';
import { mostGroups } from './group.ts';
import type { Realtime } from './realtime.ts';

/** What a page may listen to, beside the changes of its own user. */
export interface WatchRights {
  mayWatch(viewer: Viewer, operation: number): Promise<boolean>;
  /**
   * The ids of the stations whose connectors the page of this station lists.
   * @refuses not_found, closed_station
   */
  stationsOf(viewer: Viewer, number: string): Promise<number[]>;
}

export function realtimeRoutes(routes: Routes, realtime: Realtime, { mayWatch, stationsOf }: WatchRights): void {
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
    if (query.station !== undefined) {
      const stations = await stationsOf(viewer, query.station);
      // The page of a very large virtual station polls those that are left out.
      groups.push(...stations.slice(0, mostGroups - groups.length).map(stationGroup));
    }
    return { connectionString: await realtime.connectionString({ user: viewer.id, groups, asOf: receivedAt }) };
  });
}
