import { operationGroup } from '@fpay/contract/realtime';
import type { Outbox } from '../platform/outbox.ts';
import type { Realtime } from './service.ts';

/** What pages are told when something changed: its name and nothing more, they read it anew. Gives the way to tell more. */
export function publishEvents(outbox: Outbox, realtime: Realtime): Realtime['publish'] {
  const speaksHere = () => realtime.reach === 'this-node' || outbox.isLeader();
  const publish: Realtime['publish'] = (group, message) => {
    if (speaksHere()) realtime.publish(group, message);
  };
  outbox.subscribe(({ topic, ref }) => {
    // Sign-out, ban, a new role or password. Every node says so: a repeat does no harm, one too few leaves somebody in.
    if (topic === 'signed-out') realtime.disconnectUser(Number(ref));
    if (topic === 'operation')
      publish(operationGroup(Number(ref)), { type: 'operation_update', operation: Number(ref) });
  });
  // Pages that may have missed something reconnect and read anew.
  outbox.onGap(() => {
    if (speaksHere()) realtime.disconnectAll();
  });
  return publish;
}
