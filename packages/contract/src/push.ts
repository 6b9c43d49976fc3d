import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

/** A key of a browser: base64url without padding, of this many bytes. */
const browserKey = (bytes: number) =>
  z.string().check(z.regex(new RegExp(`^[\\w-]{${Math.ceil((bytes * 4) / 3)}}$`), 'The key is invalid.'));

const Endpoint = z.string().check(z.minLength(1), z.maxLength(2048));

export const pushKey = endpoint({
  method: 'GET',
  path: '/api/push/key',
  summary: "The server's public key, to which a browser binds its subscription",
  access: ['use-app'],
  reply: z.object({ key: z.string() }),
});

export const subscribePush = endpoint({
  method: 'POST',
  path: '/api/push/subscriptions',
  summary: 'Send notifications to this browser until the session ends; the same browser again is stored once',
  access: ['use-app'],
  body: z.object({
    endpoint: Endpoint,
    keys: z.object({
      /** A point of the curve P-256, uncompressed. */
      p256dh: browserKey(65),
      auth: browserKey(16),
    }),
  }),
});

export const unsubscribePush = endpoint({
  method: 'DELETE',
  path: '/api/push/subscriptions',
  summary: 'Send no more notifications to this browser',
  access: ['use-app'],
  body: z.object({ endpoint: Endpoint }),
});

/** How a user wants to be notified. An SMS is sent only when neither of the others can reach the user. */
export const NoticeChannels = z.object({ push: z.boolean(), telegram: z.boolean(), sms: z.boolean() });
export type NoticeChannels = z.infer<typeof NoticeChannels>;

export const getNoticeChannels = endpoint({
  method: 'GET',
  path: '/api/user/notices',
  summary: 'How the caller wants to be notified',
  access: ['use-app'],
  reply: NoticeChannels,
});

export const setNoticeChannels = endpoint({
  method: 'PATCH',
  path: '/api/user/notices',
  summary: 'Choose how to be notified; a channel that is left out stays as it is',
  access: ['use-app'],
  body: z.object({
    push: z.optional(z.boolean()),
    telegram: z.optional(z.boolean()),
    sms: z.optional(z.boolean()),
  }),
  reply: NoticeChannels,
});

/** What a push message carries. A browser without a service worker for it shows `notification` by itself. */
export const PushMessage = z.object({
  web_push: z.literal(8030),
  notification: z.object({
    title: z.string(),
    body: z.string(),
    lang: z.string(),
    /** A later notification with the same tag replaces the earlier one. */
    tag: z.string(),
    /** The page of ours that a tap opens, as a full address. */
    navigate: z.string(),
  }),
});
export type PushMessage = z.infer<typeof PushMessage>;
