import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashPassword } from '../account/passwords/passwords.ts';
import { checkDatabase } from '../app/start-checks.ts';
import { demoPassword } from '../demo/accounts.ts';
import { type DatabaseHandle, openDatabase } from '../platform/database.ts';
import { type TestDatabase, testDatabase } from '../testing/database.ts';

let database: TestDatabase;
let app: DatabaseHandle;
let owner: DatabaseHandle;
beforeAll(async () => {
  database = await testDatabase();
  app = openDatabase({ url: database.appUrl, poolSize: 2 });
  owner = openDatabase({ url: database.ownerUrl, poolSize: 2 });
});
afterAll(async () => {
  await app.close();
  await owner.close();
  await database.drop();
});

const production = { mode: 'production', allowsLedgerOwner: false, warnings: [] } as const;
const nothing = { problems: [], warnings: [] };
const ofOwner = expect.stringMatching(
  /^DATABASE_URL: its role owns accounts, audit, transfers.+ALLOW_LEDGER_OWNER=yes/,
);

test('a role that owns the ledger is refused in production, or only warned about where the operator says so', async () => {
  const settings = { ...production, warnings: [...production.warnings] };
  expect(await checkDatabase(settings, app.db)).toEqual(nothing);
  expect(await checkDatabase(settings, owner.db)).toEqual({ problems: [ofOwner], warnings: [] });
  expect(await checkDatabase({ ...settings, allowsLedgerOwner: true }, owner.db)).toEqual({
    problems: [],
    warnings: [ofOwner],
  });
  expect(await checkDatabase({ ...settings, mode: 'demo' }, owner.db)).toEqual({ problems: [], warnings: [ofOwner] });
});

test('demo accounts are refused in production; a real driver with such a number is not', async () => {
  const settings = { ...production, warnings: ['BANK_URL: is plain http'] };
  const add = async (phone: string, password: string) =>
    app.db
      .insertInto('users')
      .values({ name: 'A', phone_number: phone, password_hash: await hashPassword(password), created_at: new Date() })
      .execute();
  await add('+380500000002', 'a password of their own');
  expect(await checkDatabase(settings, app.db)).toEqual({ problems: [], warnings: settings.warnings });
  await add('+380500000014', demoPassword);
  expect((await checkDatabase(settings, app.db)).problems).toEqual([
    expect.stringMatching(/^DATABASE_URL: the database has demo accounts .+\(\+380500000014\)/),
  ]);
  expect(await checkDatabase({ ...settings, mode: 'demo' }, app.db)).toMatchObject({ problems: [] });
});

test('the server itself does not start in production under the role that owns the ledger, and says which variable to change', async () => {
  const program = fileURLToPath(new URL('../main.ts', import.meta.url));
  const env = {
    PATH: process.env.PATH,
    PORT: '0',
    DATA_DIR: mkdtempSync(join(tmpdir(), 'fpay-start-')),
    DATABASE_URL: database.ownerUrl,
    PUBLIC_URL: 'https://fpay.example',
    SECRET: '4f1c9e0b7a6d2835c1e0f9b8a7d64352',
    BANK_URL: 'http://127.0.0.1:9/bank',
    BANK_TOKEN: 'token',
    SMS_URL: 'https://api.sms.example',
    SMS_TOKEN: 'token',
    SELLER_NAME: 'ТОВ «Заряд»',
    SELLER_EDRPOU: '12345678',
  };
  const child = spawn(process.execPath, [program], { env });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, 'exit');
  expect(code).toBe(1);
  expect(output).toContain('BANK_URL: is plain http');
  expect(output).toContain('DATABASE_URL: its role owns accounts, audit, transfers');
  expect(output).not.toContain('listening');
});
