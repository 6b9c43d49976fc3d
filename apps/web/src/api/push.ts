import { pushKey, subscribePush, unsubscribePush } from '@fpay/contract/push';
import { call } from './call.ts';

/** `install`: an iPhone notifies only an app that was added to its home screen. */
export type PushState = 'unsupported' | 'install' | 'default' | 'granted' | 'denied';

/** A browser that cannot reach its push service may never answer. */
const subscribeTimeoutMs = 15_000;

/** Whether this browser could show our notifications, before anything is asked. */
export function pushState(): PushState {
  if ('serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis) {
    return Notification.permission;
  }
  return /iPhone|iPad/.test(navigator.userAgent) ? 'install' : 'unsupported';
}

/** Asks for permission and subscribes this browser. Called by a press only, because browsers require one. */
export async function turnPushOn(): Promise<PushState> {
  if (pushState() === 'default') await Notification.requestPermission();
  const state = pushState();
  if (state === 'granted') await subscribe();
  return state;
}

/** Renews what the server knows of a browser that has permission: its session may be another one by now. */
export async function refreshPush(): Promise<void> {
  if (pushState() !== 'granted') return;
  const subscription = await (await navigator.serviceWorker.ready).pushManager.getSubscription();
  if (subscription) await send(subscription);
}

/** Ends notifications of this browser, here and on the server. */
export async function turnPushOff(): Promise<void> {
  if (pushState() !== 'granted') return;
  const subscription = await (await navigator.serviceWorker.ready).pushManager.getSubscription();
  if (!subscription) return;
  await call(unsubscribePush, { body: { endpoint: subscription.endpoint } }).catch(() => undefined);
  await subscription.unsubscribe();
}

/** Whether this browser gets notifications now. */
export async function isPushOn(): Promise<boolean> {
  if (pushState() !== 'granted') return false;
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) !== null && registration !== undefined;
}

async function subscribe(): Promise<void> {
  const [{ key }, { pushManager }] = await Promise.all([call(pushKey), navigator.serviceWorker.ready]);
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const late = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error('the push service did not answer')), subscribeTimeoutMs);
  });
  const subscribed = pushManager.subscribe(options).catch(async () => {
    // An older subscription is bound to another key.
    await (await pushManager.getSubscription())?.unsubscribe();
    return pushManager.subscribe(options);
  });
  await send(await Promise.race([subscribed, late]));
}

async function send(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON();
  if (!endpoint || !keys?.p256dh || !keys.auth) throw new Error('the subscription has no keys');
  await call(subscribePush, { body: { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } } });
}
