import * as z from 'zod/mini';
import type { SettingTable } from '../setting.ts';
import { textWith } from './fields.ts';

export interface PushConfig {
  keys: { publicKey: string; privateKey: string } | null;
  contact: string;
  hosts: string[];
}

const keyOf = (characters: number) =>
  z.optional(
    z.string().check(z.regex(new RegExp(`^[\\w-]{${characters}}$`), `must be ${characters} characters of base64url`)),
  );

/** Settings of web push. Without keys the server generates a pair once and keeps it in the database. */
export const pushSettings = {
  VAPID_PUBLIC_KEY: {
    schema: keyOf(87),
    shown: 'made once, kept in the database',
    meaning: 'the key pair of web push; subscriptions are bound to it',
  },
  VAPID_PRIVATE_KEY: {
    schema: keyOf(43),
    shown: 'made once, kept in the database',
    meaning: 'the other half of the pair',
    isSecret: true,
  },
  PUSH_CONTACT: {
    schema: z.optional(z.string().check(z.regex(/^(mailto:|https:\/\/)./, 'must begin with mailto: or https://'))),
    shown: '`PUBLIC_URL`',
    meaning: 'whom a push service contacts',
  },
  PUSH_HOSTS: {
    schema: textWith('fcm.googleapis.com,push.services.mozilla.com,push.apple.com,notify.windows.com'),
    shown: 'the services of Google, Mozilla, Apple and Microsoft',
    meaning: 'which services a browser may use, comma-separated',
  },
} as const satisfies SettingTable;

interface PushEnvironment {
  VAPID_PUBLIC_KEY?: string | undefined;
  VAPID_PRIVATE_KEY?: string | undefined;
  PUSH_CONTACT?: string | undefined;
  PUSH_HOSTS: string;
}

/** `sandbox` plays a push service in the demo; null in production. */
export function pushSettingsOf(env: PushEnvironment, publicUrl: URL, sandbox: string | null): PushConfig {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey } = env;
  const hosts = env.PUSH_HOSTS.split(',').map((host) => host.trim());
  return {
    keys: publicKey && privateKey ? { publicKey, privateKey } : null,
    contact: env.PUSH_CONTACT ?? (publicUrl.protocol === 'https:' ? publicUrl.origin : 'mailto:push@fpay.example'),
    hosts: [...hosts.filter((host) => host !== ''), ...(sandbox === null ? [] : [sandbox])],
  };
}
