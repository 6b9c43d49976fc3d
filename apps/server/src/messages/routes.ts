import assert from 'node:assert/strict';
import { getNoticeChannels, pushKey, setNoticeChannels, subscribePush, unsubscribePush } from '@fpay/contract/push';
import type { Routes } from '../platform/http/routes.ts';
import type { Channels } from './channels.ts';
import type { PushKeyPair } from './push/keys.ts';
import type { PushSubscriptions } from './push/subscriptions.ts';

interface Dependencies {
  subscriptions: PushSubscriptions;
  channels: Channels;
  keys: () => Promise<PushKeyPair>;
}

export function messageRoutes(routes: Routes, { subscriptions, channels, keys }: Dependencies): void {
  routes.on(pushKey, async () => ({ key: (await keys()).publicKey }));
  routes.on(subscribePush, async ({ viewer, session, body }) => {
    assert(session?.id, 'a signed-in caller without a session');
    await subscriptions.add({ user: viewer.id, session: session.id }, body);
    return undefined;
  });
  routes.on(unsubscribePush, async ({ viewer, body }) => {
    await subscriptions.remove(viewer.id, body.endpoint);
    return undefined;
  });
  routes.on(getNoticeChannels, ({ viewer }) => channels.of(viewer.id));
  routes.on(setNoticeChannels, ({ viewer, body }) => channels.set(viewer.id, body));
}
