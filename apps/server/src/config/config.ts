import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Settings, savedCardModes, version } from '@fpay/contract/settings';
import * as z from 'zod/mini';
import { type OcpiIdentity, ocpiEnvironment, ocpiIdentityOf } from '../integrations/ocpi/identity.ts';
import { mapSettings } from '../stations/map/providers.ts';
import { commaList, databaseUrl, port, textWith, url, wholeNumber } from './fields.ts';
import { productionProblems, productionWarnings, sandboxTokens } from './production.ts';
import { type PushConfig, pushEnvironment, pushSettingsOf } from './push.ts';
import { type RetentionPeriods, retentionEnvironment, retentionOf } from './retention.ts';
import { type ChargePointTls, chargePointTlsOf, tlsEnvironment, tlsProblems } from './tls.ts';
import { type TraceSettings, traceEnvironment, traceSettingsOf } from './traces.ts';

/** All settings in one place; no other file reads the environment. */
export interface Config {
  /** `demo`: everything is embedded and no account is needed. `production`: refuses demo settings. */
  mode: 'demo' | 'production';
  roles: readonly ProcessRole[];
  host: string;
  port: number;
  metricsHost: string;
  metricsPort: number;
  dataDir: string;
  /** The built web app. */
  webDist: string;
  publicUrl: URL;
  /** Null to start the embedded PostgreSQL. */
  databaseUrl: string | null;
  /** The database itself, when `databaseUrl` is a pool in transaction mode; null when there is no pool. */
  directDatabaseUrl: string | null;
  /** The URL of the schema's owner, when the product runs under its own role. */
  migrationDatabaseUrl: string | null;
  /** True to start although the product's role owns the ledger. No rule of the database protects the ledger then. */
  allowsLedgerOwner: boolean;
  /** Settings that are accepted but logged as a warning. */
  warnings: string[];
  /** Signs real-time tokens and charge-point keys. */
  secret: string;
  trustProxy: string[];
  logLevel: 'debug' | 'info' | 'warn' | 'error';
  azureWebPubSub: string | null;
  bank: { url: string; token: string; isFiscal: boolean };
  sms: { url: string; token: string; sender: string };
  /** Null when there is no bot. */
  telegram: { token: string; apiRoot: string; usesWebhook: boolean } | null;
  push: PushConfig;
  ocpi: OcpiIdentity;
  /** One-time codes: to which countries they may be sent, and how many SMS a day the network sends for each purpose. */
  codes: { allowedPrefixes: string[]; mostADay: number };
  demoNetwork: 'full' | 'small' | 'none';
  hasSecondFactor: boolean;
  /** Which users may read the API document: all, staff, or none. */
  apiDocs: 'open' | 'staff' | 'off';
  /** The seller on receipts and fiscal checks. */
  seller: { name: string; edrpou: string; vat: string | null };
  money: { giftsPerDay: number; cardTapDeposit: number; staffLimit: number };
  watchdog: { awayHours: number; suspiciousWh: number; settledMinutes: number };
  /** How often devices send heartbeats and we send pings. */
  ocpp: { heartbeatIntervalMs: number; pingIntervalMs: number };
  /** Null when a proxy ends TLS for charge points. */
  chargePointTls: ChargePointTls | null;
  retention: RetentionPeriods;
  /** Null when no traces are sent. */
  traces: TraceSettings | null;
  settings: Settings;
}

const processRoles = ['api', 'gateway', 'worker'] as const;
export type ProcessRole = (typeof processRoles)[number];

const Environment = z.object({
  HOST: textWith('127.0.0.1'),
  PORT: port(8080),
  SANDBOX_PORT: port(8090),
  METRICS_HOST: textWith('127.0.0.1'),
  /** 0 for any free port, which is then logged. */
  METRICS_PORT: port(0),
  DATA_DIR: textWith('.data'),
  WEB_DIST: textWith(fileURLToPath(new URL('../../../web/dist', import.meta.url))),
  DATABASE_URL: databaseUrl,
  DIRECT_DATABASE_URL: databaseUrl,
  MIGRATION_DATABASE_URL: databaseUrl,
  ALLOW_LEDGER_OWNER: z._default(z.enum(['yes', 'no'], 'must be yes or no'), 'no'),
  PUBLIC_URL: z.optional(url('http:', 'https:')),
  SECRET: z.optional(z.string().check(z.minLength(32, 'must have at least 32 characters'))),
  TRUST_PROXY: commaList,
  LOG_LEVEL: z._default(z.enum(['debug', 'info', 'warn', 'error'], 'must be debug, info, warn or error'), 'info'),
  AZURE_WEB_PUBSUB: z.optional(
    z.string().check(z.regex(/^Endpoint=https?:\/\/.+;AccessKey=.+;/i, 'must be a Web PubSub connection string')),
  ),
  BANK_URL: z.optional(url('https:', 'http:')),
  BANK_TOKEN: z.optional(z.string().check(z.minLength(1))),
  SMS_URL: z.optional(url('https:', 'http:')),
  SMS_TOKEN: z.optional(z.string().check(z.minLength(1))),
  SMS_SENDER: textWith('FPay'),
  TELEGRAM_API_URL: z.optional(url('https:', 'http:')),
  TELEGRAM_TOKEN: z.optional(z.string().check(z.minLength(1))),
  TELEGRAM_UPDATES: z._default(z.enum(['polling', 'webhook'], 'must be polling or webhook'), 'polling'),
  ...pushEnvironment,
  ...ocpiEnvironment,
  ...retentionEnvironment,
  ...tlsEnvironment,
  ...traceEnvironment,
  CODE_PREFIXES: z._default(commaList, ['+380', '+48']),
  CODES_PER_DAY: wholeNumber(2_000, 1, 10_000_000),
  STAFF_SECOND_FACTOR: z.optional(z.enum(['on', 'off'], 'must be on or off')),
  DEMO_NETWORK: z._default(z.enum(['full', 'small', 'none'], 'must be full, small or none'), 'full'),
  API_DOCS: z.optional(z.enum(['open', 'staff', 'off'], 'must be open, staff or off')),
  TERMS_VERSION: textWith('2026-11'),
  SELLER_NAME: z.optional(z.string().check(z.minLength(1))),
  SELLER_EDRPOU: z.optional(z.string().check(z.regex(/^\d{8,10}$/, 'must be 8 to 10 digits'))),
  SELLER_VAT: z.optional(z.string()),
  SAVED_CARDS: z.optional(z.enum(savedCardModes, 'must be off, charge or hold')),
  FISCAL: z._default(z.enum(['on', 'off'], 'must be on or off'), 'off'),
  GIFTS_PER_DAY: wholeNumber(10_000_00, 1, 1_000_000_00),
  RFID_DEPOSIT: wholeNumber(1_000_00, 1_00, 100_000_00),
  STAFF_MONEY_LIMIT: wholeNumber(5_000_00, 1, 1_000_000_00),
  AWAY_HOURS: wholeNumber(24, 1, 24 * 7 - 1),
  SUSPICIOUS_KWH: wholeNumber(150, 1, 10_000),
  SETTLED_MINUTES: wholeNumber(10, 0, 1_440),
  OCPP_HEARTBEAT_SECONDS: wholeNumber(120, 10, 86_400),
  OCPP_PING_SECONDS: wholeNumber(30, 5, 600),
  BRAND: textWith('FPay'),
  DOMAIN: z.optional(z.string()),
  SUPPORT_PHONE: textWith('+380800000000'),
  BOT_URL: z.optional(url('https:', 'http:')),
  INSTRUCTION_URL: z.optional(url('https:', 'http:')),
  LANDING_URL: z._default(url('https:', 'http:'), 'https://fpay.example/'),
  TERMS_URL: z._default(url('https:', 'http:'), 'https://fpay.example/terms'),
  TELEGRAM_URL: z._default(url('https:', 'http:'), 'https://t.me/fpay'),
  INSTAGRAM_URL: z._default(url('https:', 'http:'), 'https://instagram.com/fpay'),
  MAP_TILES_URL: z.optional(z.string()),
  MAP_TILES_KIND: z.optional(z.enum(['mvt', 'xyz', 'pmtiles', 'offline'])),
  MAP_TILES_ATTRIBUTION: textWith(''),
  SATELLITE_TILES_URL: z.optional(z.string()),
  SATELLITE_TILES_ATTRIBUTION: textWith(''),
});
const demoBot = 'fpay_demo_bot';

/** Says for each variable what is wrong, so that an operator need not read code. */
export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: string[]) {
    super(`The configuration is not right:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

export interface CommandLine {
  mode: Config['mode'];
  roles: readonly ProcessRole[];
}

export function readCommandLine(argv: readonly string[]): CommandLine {
  const problems: string[] = [];
  let roles: readonly ProcessRole[] = processRoles;
  let mode: Config['mode'] = 'production';
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index];
    if (word === '--demo') mode = 'demo';
    else if (word === '--roles') {
      const given = (argv[++index] ?? '').split(',');
      const unknown = given.filter((role) => !(processRoles as readonly string[]).includes(role));
      if (unknown.length > 0)
        problems.push(`--roles: ${unknown.join(', ') || 'nothing'} is not one of ${processRoles.join(', ')}`);
      roles = given as ProcessRole[];
    } else problems.push(`${word}: unknown option`);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return { mode, roles };
}

export function readConfig(environment: NodeJS.ProcessEnv, { mode, roles }: CommandLine): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = Environment.safeParse(given);
  const problems = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  if (!parsed.success) throw new ConfigError(problems);
  const env = parsed.data;
  if (mode === 'production') problems.push(...productionProblems(env));
  problems.push(...tlsProblems(env));
  if (problems.length > 0) throw new ConfigError(problems);

  const dataDir = resolve(env.DATA_DIR);
  const publicUrl = new URL(env.PUBLIC_URL ?? `http://localhost:${env.PORT}`);
  const sandbox = `http://127.0.0.1:${env.SANDBOX_PORT}`;
  return {
    mode,
    roles,
    host: env.HOST,
    port: env.PORT,
    metricsHost: env.METRICS_HOST,
    metricsPort: env.METRICS_PORT,
    dataDir,
    webDist: resolve(env.WEB_DIST),
    publicUrl,
    databaseUrl: env.DATABASE_URL ?? null,
    directDatabaseUrl: env.DIRECT_DATABASE_URL ?? null,
    migrationDatabaseUrl: env.MIGRATION_DATABASE_URL ?? null,
    allowsLedgerOwner: env.ALLOW_LEDGER_OWNER === 'yes',
    warnings: mode === 'production' ? productionWarnings(env) : [],
    secret: env.SECRET ?? demoSecret(dataDir),
    trustProxy: env.TRUST_PROXY,
    logLevel: env.LOG_LEVEL,
    azureWebPubSub: env.AZURE_WEB_PUBSUB ?? null,
    bank: {
      url: env.BANK_URL ?? `${sandbox}/bank`,
      token: env.BANK_TOKEN ?? sandboxTokens.BANK_TOKEN,
      isFiscal: env.FISCAL === 'on',
    },
    sms: {
      url: env.SMS_URL ?? `${sandbox}/sms`,
      token: env.SMS_TOKEN ?? sandboxTokens.SMS_TOKEN,
      sender: env.SMS_SENDER,
    },
    telegram: telegramOf(env, mode, sandbox),
    ocpi: ocpiIdentityOf(env),
    push: pushSettingsOf(env, publicUrl, mode === 'demo' ? `${sandbox}/push/send/` : null),
    codes: { allowedPrefixes: env.CODE_PREFIXES, mostADay: env.CODES_PER_DAY },
    hasSecondFactor: (env.STAFF_SECOND_FACTOR ?? (mode === 'production' ? 'on' : 'off')) === 'on',
    demoNetwork: env.DEMO_NETWORK,
    apiDocs: env.API_DOCS ?? (mode === 'production' ? 'staff' : 'open'),
    seller: {
      name: env.SELLER_NAME ?? 'ТОВ «ФПЕЙ ДЕМО»',
      edrpou: env.SELLER_EDRPOU ?? '43210987',
      vat: env.SELLER_VAT ?? null,
    },
    money: {
      giftsPerDay: env.GIFTS_PER_DAY,
      cardTapDeposit: env.RFID_DEPOSIT,
      staffLimit: env.STAFF_MONEY_LIMIT,
    },
    watchdog: {
      awayHours: env.AWAY_HOURS,
      suspiciousWh: env.SUSPICIOUS_KWH * 1000,
      settledMinutes: env.SETTLED_MINUTES,
    },
    ocpp: {
      heartbeatIntervalMs: env.OCPP_HEARTBEAT_SECONDS * 1000,
      pingIntervalMs: env.OCPP_PING_SECONDS * 1000,
    },
    chargePointTls: chargePointTlsOf(env),
    retention: retentionOf(env),
    traces: traceSettingsOf(env),
    settings: settingsOf(env, mode, publicUrl, mode === 'demo' ? `${sandbox}/telegram/${demoBot}` : 'https://t.me/'),
  };
}

type Env = z.infer<typeof Environment>;

/** In production a network may have no bot; the demo uses the sandbox's. */
function telegramOf(env: Env, mode: Config['mode'], sandbox: string): Config['telegram'] {
  const isDemo = mode === 'demo';
  const token = env.TELEGRAM_TOKEN ?? (isDemo ? sandboxTokens.TELEGRAM_TOKEN : null);
  if (token === null) return null;
  const apiRoot = env.TELEGRAM_API_URL ?? (isDemo ? `${sandbox}/telegram` : 'https://api.telegram.org');
  return { token, apiRoot, usesWebhook: env.TELEGRAM_UPDATES === 'webhook' };
}

function settingsOf(env: Env, mode: Config['mode'], publicUrl: URL, botUrl: string): Settings {
  return {
    brand: env.BRAND,
    domain: env.DOMAIN ?? publicUrl.host,
    support_phone: env.SUPPORT_PHONE,
    bot_url: env.BOT_URL ?? botUrl,
    instruction_url: env.INSTRUCTION_URL ?? new URL('/instruction', publicUrl).href,
    landing_url: env.LANDING_URL,
    terms_url: env.TERMS_URL,
    terms_version: env.TERMS_VERSION,
    social: [
      { kind: 'telegram', url: env.TELEGRAM_URL },
      { kind: 'instagram', url: env.INSTAGRAM_URL },
      { kind: 'website', url: env.LANDING_URL },
    ],
    map: mapSettings(env),
    // The bank's support has to enable tokens for a merchant first.
    saved_cards: env.SAVED_CARDS ?? (mode === 'demo' ? 'charge' : 'off'),
    version,
  };
}

/** The demo generates its secret once and stores it, so that a restart signs no user out. */
function demoSecret(dataDir: string): string {
  const file = join(dataDir, 'secret');
  mkdirSync(dataDir, { recursive: true });
  try {
    writeFileSync(file, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8').trim();
}
