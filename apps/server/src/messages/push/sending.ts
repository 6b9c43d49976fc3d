import type { PushMessage } from '@fpay/contract/push';
import type { Logger } from 'pino';
import type { MessageReference } from '../tracked.ts';
import type { PushKeyPair } from './keys.ts';
import type { PushSubscriptions } from './subscriptions.ts';

/** A push message that waits in its queue. */
export interface PushJob {
  subscription: number;
  message: PushMessage;
  /** How long the push service keeps it for a device that is off, in seconds. */
  ttlSeconds: number;
  /** What shows the outcome; most have none. */
  reference?: MessageReference;
  /** Its row among the messages that are kept. */
  record?: number;
}

interface Dependencies {
  subscriptions: PushSubscriptions;
  keys: () => Promise<PushKeyPair>;
  /** `mailto:` or `https:`, so that a push service can contact the sender. */
  contact: string;
  log: Logger;
}

const timeoutMs = 10_000;

/** Sends one message to one browser; false when it can never arrive. Throws when it should be tried again. */
export function createPushSender({ subscriptions, keys, contact, log }: Dependencies) {
  return async ({ subscription: id, message, ttlSeconds }: PushJob): Promise<boolean> => {
    const subscription = await subscriptions.find(id);
    if (!subscription) return false;
    // With the first message, because it takes 13 MB of memory.
    const { default: webPush } = await import('web-push');
    const { endpoint, method, headers, body } = webPush.generateRequestDetails(subscription, JSON.stringify(message), {
      vapidDetails: { subject: contact, ...(await keys()) },
      TTL: ttlSeconds,
      urgency: 'high',
    });
    const response = await fetch(endpoint, {
      method,
      headers: headers as Record<string, string>,
      body: body as unknown as Uint8Array<ArrayBuffer>,
      // A redirect would lead to a host that was not checked.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.body?.cancel();
    const { status } = response;
    if (status >= 200 && status < 300) return true;
    // The browser withdrew its permission, or the app was removed.
    if (status === 404 || status === 410) {
      await subscriptions.drop(id);
      return false;
    }
    if (status === 429 || status >= 500) throw new Error(`push service answered ${status}`);
    log.warn({ subscription: id, status }, 'push message refused');
    return false;
  };
}
