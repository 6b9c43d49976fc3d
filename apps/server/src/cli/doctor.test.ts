import { execFile } from 'node:child_process';
import { createServer, request as httpRequest, type RequestListener } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { demo } from '@fpay/sandbox/src/demo.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import webPush from 'web-push';
import { type Config, readConfig } from '../config/config.ts';
import { createPushKeys } from '../messages/push/keys.ts';
import type { BankAccount } from '../payments/bank.ts';
import { bundledProgram } from '../testing/bundled-program.ts';
import { freeTestPort } from '../testing/server.ts';
import { type Stack, startStack } from '../testing/stack.ts';
import type { Check } from './doctor/check.ts';
import { clockCheck, examineDatabase } from './doctor/database.ts';
import { checkChargePointAddress, checkPublicAddress } from './doctor/public.ts';
import { checkBanks, checkBot, checkSms } from './doctor/services.ts';
import { checkSettings } from './doctor/settings.ts';

/** What the operator's services would accept; production refuses the sandbox's own tokens. */
const live = { bank: 'live-bank-token', sms: 'live-sms-token', bot: '123456:live-bot-token-0123456789abcdefghijk' };
const secret = '9a41c7d2e6f80b35a1d49c7e2f6b8035';

let stack: Stack;
let outside: string;
let env: Record<string, string>;
let config: Config;

const closing: (() => void)[] = [];
beforeAll(async () => {
  stack = await startStack({ env: { SECRET: secret } });
  const sandbox = new URL(stack.bankUrl).origin;
  outside = await serve((request, response) => {
    // The same services under the tokens of a real account.
    const headers = { ...request.headers };
    if (headers['x-token'] === live.bank) headers['x-token'] = demo.bankToken;
    if (headers.authorization === `Bearer ${live.sms}`) headers.authorization = `Bearer ${demo.smsToken}`;
    const path = (request.url ?? '').replace(live.bot, demo.botToken);
    const call = httpRequest(`${sandbox}${path}`, { method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    request.pipe(call);
  });
  env = {
    PATH: process.env.PATH ?? '',
    DATABASE_URL: stack.database.appUrl,
    MIGRATION_DATABASE_URL: stack.database.ownerUrl,
    PUBLIC_URL: stack.url,
    SECRET: secret,
    BANK_URL: `${outside}/bank`,
    BANK_TOKEN: live.bank,
    SMS_URL: `${outside}/sms`,
    SMS_TOKEN: live.sms,
    TELEGRAM_API_URL: `${outside}/telegram`,
    TELEGRAM_TOKEN: live.bot,
    BOT_URL: `https://t.me/${demo.botUsername}`,
    SELLER_NAME: 'A seller',
    SELLER_EDRPOU: demo.merchant.edrpou,
  };
  config = readConfig(env, { mode: 'production', roles: ['api'] });
  // The key pair of web push is sealed with SECRET when a browser first asks for it.
  await createPushKeys({ ...stack, secret, configured: null })();
}, 60_000);
afterAll(async () => {
  for (const close of closing) close();
  await stack?.close();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function doctor(given: Record<string, string>): Promise<{ code: number; out: string }> {
  const program = await bundledProgram(new URL('./doctor.ts', import.meta.url));
  return new Promise((resolve) => {
    execFile(process.execPath, [program.file], { env: { ...program.env, ...given } }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out: out + err }),
    );
  });
}

test('a setting that works passes with 0; one with faults names each with its remedy and ends with 1', async () => {
  const [well, ill] = await Promise.all([
    doctor(env),
    doctor({
      ...env,
      SECRET: '0'.repeat(32),
      BANK_TOKEN: demo.bankToken,
      SMS_TOKEN: '',
      PUBLIC_URL: 'http://127.0.0.1:9',
    }),
  ]);
  expect(well.out).toContain('Everything that is needed works');
  for (const part of ['settings', 'database', 'clock', 'secret', 'bank', 'SMS', 'bot', 'public address', 'web push'])
    expect(well.out).toMatch(new RegExp(`^ok +${part} `, 'm'));
  expect(well.out).toMatch(/^ok +charge points +ws:.+ takes charge points with ocpp1\.6$/m);
  expect(well.code).toBe(0);

  expect(ill.code).toBe(1);
  expect(ill.out).toMatch(/FAILED +settings +SECRET: is easy to guess/);
  expect(ill.out).toMatch(/FAILED +settings +SMS_TOKEN: is required/);
  expect(ill.out).toMatch(/FAILED +settings +BANK_TOKEN: is the token of the sandbox/);
  expect(ill.out).toMatch(/not tried +SMS +SMS_TOKEN is missing/);
  expect(ill.out).toMatch(/FAILED +secret +SECRET is not the one/);
  expect(ill.out).toMatch(/FAILED +public address .+ECONNREFUSED/);
  expect(ill.out).not.toMatch(/live-|at async/);
}, 60_000);

/** The faults among the checks, as text; each must have a remedy. */
function faultsOf(checks: Check[]): string {
  const faults = checks.filter(({ state }) => state !== 'ok');
  expect(faults.filter(({ advice }) => !advice)).toEqual([]);
  return faults.map(({ state, found, advice }) => `${state}: ${found} -> ${advice}`).join('\n');
}

const at = (change: (url: URL) => void, url: string) => {
  const address = new URL(url);
  change(address);
  return address.href;
};

test('each fault of the database has its own remedy', async () => {
  const faults = async (change: Partial<Config>) => faultsOf(await examineDatabase({ ...config, ...change }));
  const { appUrl, ownerUrl } = stack.database;
  const wrongPassword = at((url) => {
    url.password = 'wrong';
  }, appUrl);
  const closed = at((url) => {
    url.port = '9';
  }, appUrl);
  const unknown = at((url) => {
    url.pathname = '/nothing';
  }, appUrl);
  const { host } = new URL(appUrl);
  expect(await faults({})).toMatch(/^(warning: WAL is not archived.*)?$/);
  expect(await faults({ databaseUrl: wrongPassword })).toMatch(/28P01.+password is wrong/);
  expect(await faults({ databaseUrl: closed })).toMatch(/ECONNREFUSED.+Start PostgreSQL/);
  expect(await faults({ databaseUrl: unknown })).toMatch(/3D000.+Create the database/);
  expect(await faults({ databaseUrl: ownerUrl })).toMatch(/owns accounts, audit, transfers/);
  expect(await faults({ databaseUrl: appUrl.replace(host, `127.0.0.1:9,${host}`) })).toMatch(
    /warning: 127\.0\.0\.1:9 does not answer.+no failover/,
  );
  expect(await faults({ migrationDatabaseUrl: null })).toContain('MIGRATION_DATABASE_URL is not set');
  expect(await faults({ migrationDatabaseUrl: appUrl })).toContain('may not change the schema');
  expect(await faults({ directDatabaseUrl: closed })).toMatch(/DIRECT_DATABASE_URL: no connection/);
  expect(await faults({ directDatabaseUrl: appUrl })).toMatch(/no time limit.+alter role/);
  expect(await faults({ secret: `${secret}x` })).toContain('Restore the old SECRET');
  expect(faultsOf([clockCheck('the database', -3_400)])).toMatch(/by 3\.4 s -> Run a time service/);
  expect(faultsOf([clockCheck('the database', 900)])).toBe('');
});

test('each fault of the bank, the SMS service and the bot has its own remedy', async () => {
  const silent = `http://127.0.0.1:${await freeTestPort()}`;
  const { account } = config.bank;
  const bank = (change: Partial<BankAccount>) =>
    checkBanks({ ...config, bank: { ...config.bank, account: { ...account, ...change } } });
  expect(faultsOf(await bank({}))).toBe('');
  expect(faultsOf(await bank({ token: 'other' }))).toContain('refuses BANK_TOKEN');
  expect(faultsOf(await bank({ baseUrl: silent }))).toMatch(/failed: no answer: ECONNREFUSED/);
  const former = { ...account, token: 'other' };
  expect(faultsOf(await checkBanks({ ...config, bank: { ...config.bank, former } }))).toContain(
    'refuses FORMER_BANK_TOKEN',
  );
  expect(faultsOf(await bank({ baseUrl: outside }))).toContain('answers 404');
  expect(faultsOf(await checkBanks({ ...config, seller: { ...config.seller, edrpou: '11111111' } }))).toContain(
    'Correct SELLER_EDRPOU',
  );

  const sms = (change: Partial<Config['sms']>) => checkSms({ sms: { ...config.sms, ...change } });
  const setBalance = (balanceKopecks: number) =>
    fetch(`${outside}/sms/switches`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ balanceKopecks }),
    });
  expect(faultsOf(await sms({}))).toBe('');
  expect(faultsOf(await sms({ token: 'other' }))).toContain('refuses SMS_TOKEN');
  expect(faultsOf(await sms({ url: silent }))).toContain('ECONNREFUSED');
  expect(faultsOf(await sms({ url: `${outside}/telegram` }))).toContain('nothing readable');
  await setBalance(5_00);
  expect(faultsOf(await sms({}))).toMatch(/^warning: 5\.00 UAH/);
  await setBalance(0);
  expect(faultsOf(await sms({}))).toMatch(/^failed: 0\.00 UAH/);
  await setBalance(1000_00);

  const telegram = config.telegram as NonNullable<Config['telegram']>;
  const bot = (change: Partial<typeof telegram>) => checkBot({ ...config, telegram: { ...telegram, ...change } });
  expect(faultsOf(await bot({}))).toBe('');
  expect(faultsOf(await bot({ token: '1:other' }))).toContain('@BotFather');
  expect(faultsOf(await bot({ apiRoot: silent }))).toContain('ECONNREFUSED');
  expect(faultsOf(await checkBot({ ...config, telegram: null }))).toContain('there is no bot');
  const settings = { ...config.settings, bot_url: 'https://t.me/other' };
  expect(faultsOf(await checkBot({ telegram, settings }))).toContain(`BOT_URL=https://t.me/${demo.botUsername}`);
});

/** A proxy that changes what a client sends, like one that is not set up for WebSockets. */
async function proxy(change: (sent: string) => string): Promise<URL> {
  const server = createTcpServer((client) => {
    const upstream = connect(stack.port, '127.0.0.1');
    client.on('data', (chunk) => upstream.write(change(chunk.toString('latin1')), 'latin1'));
    upstream.pipe(client);
    client.on('close', () => upstream.destroy());
    client.on('error', () => {});
    upstream.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

test('each fault of the proxy and the public address has its own remedy', async () => {
  const page = async (publicUrl: URL, more: Partial<Config> = {}) =>
    faultsOf(await checkPublicAddress({ ...config, ...more, publicUrl }));
  expect(await page(config.publicUrl)).toBe('');
  expect(await page(new URL('http://127.0.0.1:9'))).toMatch(/ECONNREFUSED.+Start the proxy/);
  expect(await page(new URL('http://no-such-host.invalid'))).toMatch(/does not resolve|Check PUBLIC_URL/);
  expect(await page(new URL(await serve((_, answer) => void answer.end('hello'))))).toContain('not as this product');
  expect(await page(new URL(await serve((_, answer) => void answer.writeHead(502).end())))).toContain(
    'proxy answers 502',
  );
  const settings = { ...config.settings, version: '0.0.1' };
  expect(await page(config.publicUrl, { settings })).toContain('the same version');

  const points = async (publicUrl: URL) => faultsOf(await checkChargePointAddress({ publicUrl }));
  expect(await points(config.publicUrl)).toBe('');
  expect(await points(await proxy((sent) => sent.replace(/^(upgrade|connection): .*\r\n/gim, '')))).toContain(
    'must pass the Upgrade header',
  );
  expect(await points(await proxy((sent) => sent.replace(/^sec-websocket-protocol: .*\r\n/im, '')))).toContain(
    'must pass the header Sec-WebSocket-Protocol',
  );
  expect(await points(new URL('http://127.0.0.1:9'))).toContain('ECONNREFUSED');
});

test('keys of web push that do not belong together are found', () => {
  const pushOf = (more: Record<string, string>) =>
    faultsOf(checkSettings({ ...env, ...more }).checks.filter(({ part }) => part === 'web push'));
  const [one, other] = [webPush.generateVAPIDKeys(), webPush.generateVAPIDKeys()];
  expect(pushOf({ VAPID_PUBLIC_KEY: one.publicKey, VAPID_PRIVATE_KEY: one.privateKey })).toBe('');
  expect(pushOf({ VAPID_PUBLIC_KEY: one.publicKey, VAPID_PRIVATE_KEY: other.privateKey })).toContain('does not belong');
  expect(pushOf({ VAPID_PUBLIC_KEY: one.publicKey })).toContain('VAPID_PRIVATE_KEY is missing');
});
