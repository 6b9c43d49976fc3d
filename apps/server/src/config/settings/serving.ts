import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';
import type { SettingTable } from '../setting.ts';
import { commaList, port, textWith, url } from './fields.ts';

/** Where the processes of the product are reached, and what they write. */
export const servingSettings = {
  PUBLIC_URL: {
    schema: z.optional(url('http:', 'https:')),
    shown: 'http://localhost:PORT in the demo',
    meaning: 'the address drivers see; https in production',
    isRequired: true,
    remedy: 'The https address of the proxy, as drivers open it.',
  },
  SECRET: {
    schema: z.optional(z.string().check(z.minLength(32, 'must have at least 32 characters'))),
    shown: 'made once in the demo',
    meaning:
      'at least 32 random characters (`openssl rand -hex 32`); signs tokens and charge-point keys. Keep a copy away from the backups',
    isRequired: true,
    isSecret: true,
    remedy: 'Make it once with: openssl rand -hex 32. Keep a copy away from the backups.',
  },
  HOST: {
    schema: textWith('127.0.0.1'),
    meaning: 'where the app, the API, real-time messages and charge points are served',
  },
  PORT: { schema: port(8080), meaning: 'the port of all of them' },
  METRICS_HOST: {
    schema: textWith('127.0.0.1'),
    meaning: 'where figures for Prometheus are served, for operators only',
  },
  /** 0 for any free port, which is then logged. */
  METRICS_PORT: { schema: port(0), shown: 'any free one', meaning: 'the port of `/metrics`; the log names it' },
  TRUST_PROXY: {
    schema: commaList([]),
    meaning:
      'addresses of proxies in front, comma-separated; without them all drivers share one address and its limits',
  },
  LOG_LEVEL: {
    schema: z._default(z.enum(['debug', 'info', 'warn', 'error'], 'must be debug, info, warn or error'), 'info'),
    meaning: '`debug`, `info`, `warn` or `error`',
  },
  API_DOCS: {
    schema: z.optional(z.enum(['open', 'staff', 'off'], 'must be open, staff or off')),
    shown: 'staff; open in the demo',
    meaning: 'who may read `/api/docs` and `/api/openapi.json`: `open`, `staff` (who may see the back office), `off`',
  },
  AZURE_WEB_PUBSUB: {
    schema: z.optional(
      z.string().check(z.regex(/^Endpoint=https?:\/\/.+;AccessKey=.+;/i, 'must be a Web PubSub connection string')),
    ),
    shown: 'the hub of the product',
    meaning: 'connection string of a hosted Web PubSub',
    isSecret: true,
  },
  DATA_DIR: { schema: textWith('.data'), meaning: 'the embedded database and the files of the demo' },
  WEB_DIST: {
    schema: textWith(fileURLToPath(new URL('../../../../web/dist', import.meta.url))),
    shown: '`apps/web/dist`',
    meaning: 'the built web app, when it is served from elsewhere',
  },
  DEMO_NETWORK: {
    schema: z._default(z.enum(['full', 'small', 'none'], 'must be full, small or none'), 'full'),
    meaning:
      'of the demo. `small`: 86 charge points instead of 412, as the browser tests use; `none`: a demo without stations, to build a network in it',
  },
  SANDBOX_PORT: { schema: port(8090), meaning: 'of the demo: where its bank, SMS service and bot are' },
} as const satisfies SettingTable;
