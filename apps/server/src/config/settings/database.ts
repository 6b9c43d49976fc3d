import * as z from 'zod/mini';
import type { SettingTable } from '../setting.ts';
import { databaseUrl } from './fields.ts';

/** PostgreSQL. Each setting of an address holds a password. */
export const databaseSettings = {
  DATABASE_URL: {
    schema: databaseUrl,
    shown: 'embedded in the demo',
    meaning:
      "PostgreSQL 15 or newer, the product's own role. Several hosts (`postgres://fpay_app:…@a:5432,b:5432/fpay`): the one that takes writes is found, also after a failover",
    isRequired: true,
    isSecret: true,
    remedy: 'The role fpay_app of PostgreSQL; deploy/postgres-roles.sh creates it.',
  },
  MIGRATION_DATABASE_URL: {
    schema: databaseUrl,
    shown: '`DATABASE_URL`',
    meaning: "the schema's owner; production needs it, because the product's role must own nothing",
    isSecret: true,
  },
  DIRECT_DATABASE_URL: {
    schema: databaseUrl,
    shown: 'none',
    meaning:
      'the database itself, when `DATABASE_URL` is a pool in transaction mode (PgBouncer): for events between nodes, which need a session of their own',
    isSecret: true,
  },
  ALLOW_LEDGER_OWNER: {
    schema: z._default(z.enum(['yes', 'no'], 'must be yes or no'), 'no'),
    meaning: "`yes`: start although the product's role owns the ledger, with a warning at every start",
  },
} as const satisfies SettingTable;
