import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Settings, version } from '@fpay/contract/settings';
import type { OcpiIdentity } from '../integrations/ocpi/identity.ts';
import { mapSettings } from '../stations/map/providers.ts';
import { type CommandLine, ConfigError, type Mode, type ProcessRole } from './command-line.ts';
import { productionProblems, productionWarnings } from './production.ts';
import { type BankConfig, bankOf, bankProblems } from './settings/bank.ts';
import { ocpiIdentityOf } from './settings/ocpi.ts';
import { type PushConfig, pushSettingsOf } from './settings/push.ts';
import { type RetentionPeriods, retentionOf } from './settings/retention.ts';
import { type ChargePointTls, chargePointTlsOf, tlsProblems } from './settings/tls.ts';
import { type TraceSettings, traceSettingsOf } from './settings/traces.ts';
import { type Env, Environment, settings } from './settings.ts';

/** All settings as the product uses them; no other file reads the environment. */
export interface Config {
  mode: Mode;
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
  bank: BankConfig;
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

const demoBot = 'fpay_demo_bot';

export function readConfig(environment: NodeJS.ProcessEnv, { mode, roles }: CommandLine): Config {
  const env = checkedEnvironment(environment, mode);
  const isDemo = mode === 'demo';
  const dataDir = resolve(env.DATA_DIR);
  const publicUrl = new URL(env.PUBLIC_URL ?? `http://localhost:${env.PORT}`);
  const sandbox = `http://127.0.0.1:${env.SANDBOX_PORT}`;
  return {
    mode,
    roles,
    ...servingOf(env, isDemo),
    dataDir,
    publicUrl,
    ...databasesOf(env),
    warnings: isDemo ? [] : productionWarnings(env),
    secret: env.SECRET ?? demoSecret(dataDir),
    ...servicesOf(env, isDemo, sandbox),
    ocpi: ocpiIdentityOf(env),
    push: pushSettingsOf(env, publicUrl, isDemo ? `${sandbox}/push/send/` : null),
    ...rulesOf(env, isDemo),
    ocpp: {
      heartbeatIntervalMs: env.OCPP_HEARTBEAT_SECONDS * 1000,
      pingIntervalMs: env.OCPP_PING_SECONDS * 1000,
    },
    chargePointTls: chargePointTlsOf(env),
    retention: retentionOf(env),
    traces: traceSettingsOf(env),
    settings: settingsOf(env, isDemo, publicUrl, isDemo ? `${sandbox}/telegram/${demoBot}` : 'https://t.me/'),
  };
}

/** @throws ConfigError with all problems that can be seen at once */
function checkedEnvironment(environment: NodeJS.ProcessEnv, mode: Mode): Env {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = Environment.safeParse(given);
  if (!parsed.success)
    throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
  const env = parsed.data;
  const problems = [
    ...(mode === 'production' ? productionProblems(env) : []),
    ...bankProblems(env),
    ...tlsProblems(env),
  ];
  if (problems.length > 0) throw new ConfigError(problems);
  return env;
}

function servingOf(env: Env, isDemo: boolean) {
  return {
    host: env.HOST,
    port: env.PORT,
    metricsHost: env.METRICS_HOST,
    metricsPort: env.METRICS_PORT,
    webDist: resolve(env.WEB_DIST),
    trustProxy: env.TRUST_PROXY,
    logLevel: env.LOG_LEVEL,
    azureWebPubSub: env.AZURE_WEB_PUBSUB ?? null,
    demoNetwork: env.DEMO_NETWORK,
    apiDocs: env.API_DOCS ?? (isDemo ? 'open' : 'staff'),
  } satisfies Partial<Config>;
}

function databasesOf(env: Env) {
  return {
    databaseUrl: env.DATABASE_URL ?? null,
    directDatabaseUrl: env.DIRECT_DATABASE_URL ?? null,
    migrationDatabaseUrl: env.MIGRATION_DATABASE_URL ?? null,
    allowsLedgerOwner: env.ALLOW_LEDGER_OWNER === 'yes',
  } satisfies Partial<Config>;
}

function servicesOf(env: Env, isDemo: boolean, sandbox: string) {
  return {
    bank: bankOf(env, sandbox),
    sms: {
      url: env.SMS_URL ?? `${sandbox}/sms`,
      token: env.SMS_TOKEN ?? settings.SMS_TOKEN.sandbox,
      sender: env.SMS_SENDER,
    },
    telegram: telegramOf(env, isDemo, sandbox),
    codes: { allowedPrefixes: env.CODE_PREFIXES, mostADay: env.CODES_PER_DAY },
  } satisfies Partial<Config>;
}

/** In production a network may have no bot; the demo uses the sandbox's. */
function telegramOf(env: Env, isDemo: boolean, sandbox: string): Config['telegram'] {
  const token = env.TELEGRAM_TOKEN ?? (isDemo ? settings.TELEGRAM_TOKEN.sandbox : null);
  if (token === null) return null;
  const apiRoot = env.TELEGRAM_API_URL ?? (isDemo ? `${sandbox}/telegram` : 'https://api.telegram.org');
  return { token, apiRoot, usesWebhook: env.TELEGRAM_UPDATES === 'webhook' };
}

function rulesOf(env: Env, isDemo: boolean) {
  return {
    hasSecondFactor: (env.STAFF_SECOND_FACTOR ?? (isDemo ? 'off' : 'on')) === 'on',
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
  } satisfies Partial<Config>;
}

function settingsOf(env: Env, isDemo: boolean, publicUrl: URL, botUrl: string): Settings {
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
    saved_cards: env.SAVED_CARDS ?? (isDemo ? 'charge' : 'off'),
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
