import type { StaffList } from '@fpay/contract/admin/live';
import { operationGroup, stationGroup } from '@fpay/contract/realtime';
import type { Outbox } from '../platform/outbox.ts';
import type { Realtime } from './realtime.ts';
import { createStaffEvents } from './staff-events.ts';

/**
 * Notifies pages of changes: a message has only the name of what changed, and the page reads it again. Returns the
 * function to publish more.
 */
export function publishEvents(outbox: Outbox, realtime: Realtime): Realtime['publish'] {
  const speaksHere = () => realtime.reach === 'this-node' || outbox.isLeader();
  const publish: Realtime['publish'] = (group, message) => {
    if (speaksHere()) realtime.publish(group, message);
  };
  // Sign-out, ban, a new role or password. Every node disconnects the user: a repeat is harmless, and a missed one would
  // leave a client connected.
  outbox.subscribe('signed-out', (ref) => realtime.disconnectUser(Number(ref)));
  const staff = createStaffEvents(publish);
  outbox.subscribe('operation', (ref) => {
    publish(operationGroup(Number(ref)), { type: 'operation_update', operation: Number(ref) });
    staff.operationChanged(Number(ref));
  });
  outbox.subscribe('staff-list', (ref) => staff.listChanged(ref as StaffList));
  // A connector was plugged in, taken or released, or the station went online or offline.
  outbox.subscribe('station', (ref) =>
    publish(stationGroup(Number(ref)), { type: 'station_update', station: Number(ref) }),
  );
  outbox.subscribe('site-queue', (ref) =>
    publish(stationGroup(Number(ref)), { type: 'queue_update', station: Number(ref) }),
  );
  // Pages that may have missed an event reconnect and read everything again.
  outbox.onGap(() => {
    if (speaksHere()) realtime.disconnectAll();
  });
  return publish;
}
