import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { signIn } from '@fpay/contract/account';
import type { CallInput, Endpoint } from '@fpay/contract/endpoint';
import type { Role } from '@fpay/contract/roles';
import { enterCode, requestCode } from '@fpay/contract/sign-up';
import { type Logger, pino } from 'pino';
import { createSandbox } from '../../../../sandbox/src/app.ts';
import { demo } from '../../../../sandbox/src/demo.ts';
import { userLogRoute } from '../../backoffice/users/user-log-route.ts';
import { createOperationStore } from '../../charging/store.ts';
import { chargingUserTables, openChargeOf } from '../../charging/user-tables.ts';
import { feedbackUserTables } from '../../feedback/user-tables.ts';
import { createMessages } from '../../messages/feature.ts';
import type { BotServices } from '../../messages/telegram/bot.ts';
import { createTurboSms } from '../../messages/turbosms/client.ts';
import { ledPartyOf, partyUserTables } from '../../party/user-tables.ts';
import { usualProvider } from '../../payments/bank-terms.ts';
import { createPaymentStore } from '../../payments/store.ts';
import { createPaymentUserTables } from '../../payments/user-tables.ts';
import { auditUserTables, createAudit } from '../../platform/audit.ts';
import { createReads } from '../../platform/audit-reads.ts';
import { createSessionCookies } from '../../platform/http/cookies.ts';
import { csrfCookieRoute } from '../../platform/http/csrf-cookie.ts';
import { createNonces } from '../../platform/http/nonces.ts';
import { createRoutes } from '../../platform/http/routes.ts';
import { createHttpServer } from '../../platform/http/server.ts';
import { createVisitors } from '../../platform/http/visitors.ts';
import { openPlatform } from '../../platform/platform.ts';
import { rfidUserTables } from '../../rfid/user-tables.ts';
import { createStatsFeature } from '../../stats/feature.ts';
import { type Client, createTestClient } from '../../testing/client.ts';
import { testDatabase } from '../../testing/database.ts';
import { smsAt, switchSms } from '../../testing/phone.ts';
import { freeTestPort } from '../../testing/server.ts';
import { createWalletService } from '../../wallet/service.ts';
import { createWalletStore } from '../../wallet/store.ts';
import { moneyOf, ownWalletOf, walletUserTables } from '../../wallet/user-tables.ts';
import { type AccountSettings, createAccounts } from '../feature.ts';
import { createRecipients } from '../recipients.ts';
import { createUserStore } from '../store.ts';
import { cheapPasswordHash } from './password-hash.ts';

export interface AccountServerOptions {
  settings?: Partial<AccountSettings>;
  /** Runs the jobs that send messages. */
  isWorker?: boolean;
  usesWebhook?: boolean;
  log?: Logger;
  openOperations?: BotServices['openOperations'];
  stop?: BotServices['stop'];
  /** How long the SMS operator takes for each message. */
  smsDelayMs?: () => number;
}

export const password = 'a-test-password';
export const terms = '2026-11';

/** Accounts and messages on a real HTTP server, with their own database and the sandbox's SMS and Telegram. */
export async function startAccountServer(options: AccountServerOptions = {}) {
  let now = new Date('2026-11-15T10:00:00Z');
  const clock = { now: () => now };
  const dataDir = mkdtempSync(join(tmpdir(), 'fpay-accounts-'));
  const sandbox = await createSandbox({ dataDir });
  const sandboxUrl = await sandbox.listen({ host: '127.0.0.1', port: 0 });
  const database = await testDatabase();
  const log = options.log ?? pino({ level: process.env.TEST_LOG ?? 'silent' });
  const { platform, close: closePlatform } = openPlatform({
    databaseUrl: database.appUrl,
    log,
    clock,
    isWorker: options.isWorker ?? false,
    poolSize: 10,
  });
  const { db, steps, outbox, jobs, limits, metrics } = platform;
  const ledger = createWalletStore(db, clock);
  const wallet = createWalletService({ ledger });
  const app = await createHttpServer({
    log,
    metrics,
    publicUrl: new URL('http://127.0.0.1'),
    // Tests come from many addresses.
    trustProxy: ['127.0.0.1'],
    imageHosts: [],
    connectHosts: [],
  });
  const secret = randomBytes(32).toString('hex');
  const botUrl = `${sandboxUrl}/telegram/${demo.botUsername}`;
  // The webhook's address must be known before the server listens.
  const port = await freeTestPort();

  const operations = createOperationStore({ db, clock, events: { operationsChanged: async () => {} } });
  const events = { paymentChanged: async () => {} };
  const payments = createPaymentStore({ db, provider: usualProvider, clock, operations, events });
  const recipients = createRecipients(platform);
  const audit = createAudit(clock);
  const messages = createMessages({
    ...platform,
    audit,
    users: createUserStore(db, steps, clock),
    secret,
    brand: 'FPay',
    publicUrl: `http://127.0.0.1:${port}`,
    botUrl,
    sms: createTurboSms({ url: `${sandboxUrl}/sms`, token: demo.smsToken, sender: 'FPay' }, log),
    telegram: { token: demo.botToken, apiRoot: `${sandboxUrl}/telegram`, usesWebhook: options.usesWebhook ?? false },
    push: { keys: null, contact: 'mailto:push@fpay.test', hosts: [`${sandboxUrl}/push/send/`, 'push.example'] },
    recipients,
    services: {
      openOperations: options.openOperations ?? (async () => []),
      stop: options.stop ?? (async () => false),
      balanceOf: wallet.balanceOf,
    },
    reported: async () => {},
  });
  const accounts = createAccounts({
    ...platform,
    secret,
    settings: {
      codes: { allowedPrefixes: ['+380', '+48'], mostADay: 1000 },
      hasSecondFactor: false,
      termsVersion: terms,
      publicUrl: new URL('http://127.0.0.1'),
      botUrl,
      ...options.settings,
    },
    outgoing: {
      ...messages.outgoing,
      async code(...message) {
        await pause(options.smsDelayMs?.() ?? 0);
        return messages.outgoing.code(...message);
      },
    },
    telegramLink: messages.telegramLink,
    audit,
    revokeKeys: async () => [],
    userTables: [
      chargingUserTables({ withdrawUnpaid: async () => {} }),
      createPaymentUserTables({ removeAll: async () => {} }),
      feedbackUserTables,
      auditUserTables,
      rfidUserTables,
      messages.userTables,
      partyUserTables,
      walletUserTables(wallet),
    ],
    obstacles: [openChargeOf(operations, payments), moneyOf, ledPartyOf],
    openOperationsOf: (user) => operations.openOf(user),
    ownWalletOf,
    wallet,
  });
  const { sessions } = accounts;
  const cookies = createSessionCookies(false);
  const nonces = createNonces(db, clock);
  const visitors = createVisitors({ secret, clock });
  const routes = createRoutes({
    app,
    sessions,
    visitors,
    cookies,
    nonces,
    limits,
    clock,
    isDown: () => false,
    checkReplies: true,
  });
  csrfCookieRoute(app, { sessions, visitors, cookies, limits });
  accounts.routes(routes);
  userLogRoute(routes, accounts.logText, createReads(db, clock));
  messages.routes(routes);
  createStatsFeature(platform).routes(routes);
  messages.webhook(app);
  await outbox.start();
  await jobs.start();
  if (options.isWorker) await messages.work();
  await app.listen({ host: '127.0.0.1', port });
  const url = `http://127.0.0.1:${port}`;
  let people = 0;

  /** Calls as the page does; the signature's age is measured with the server's clock, which tests move. */
  function caller(client: Client, ip: string) {
    return {
      client,
      ip,
      call: <E extends Endpoint>(endpoint: E, input?: CallInput<E>) =>
        (client.call as (...given: unknown[]) => ReturnType<Client['call']>)(endpoint, input ?? {}, {
          unixMs: now.getTime(),
          headers: { 'x-forwarded-for': ip },
        }) as Promise<{
          status: number;
          headers: Headers;
          // biome-ignore lint/suspicious/noExplicitAny: tests compare whole values
          body: any;
        }>,
    };
  }

  const sms = (phone: string) => smsAt(sandboxUrl, phone);

  return {
    db,
    steps,
    clock,
    url,
    sandboxUrl,
    ledger,
    wallet,
    accounts,
    visitors,
    messages,
    outbox,
    jobs,
    recipients,
    sms,
    later: (ms: number) => {
      now = new Date(now.getTime() + ms);
    },
    /** A new browser at a new address. */
    visitor() {
      people += 1;
      return caller(createTestClient(url), `10.0.${Math.floor(people / 250)}.${(people % 250) + 1}`);
    },
    /** A new browser at this address. */
    from: (ip: string) => caller(createTestClient(url), ip),
    phone: () => {
      people += 1;
      return `+38067${String(people).padStart(7, '0')}`;
    },
    async addUser(role: Role = 'User'): Promise<{ id: number; phone: string }> {
      people += 1;
      const phone = `+38050${String(people).padStart(7, '0')}`;
      const passwordHash = await cheapPasswordHash(password);
      const id = await steps.run((step) =>
        accounts.users.add(step, { name: `${role} ${people}`, phone, passwordHash, role }),
      );
      return { id, phone };
    },
    async signedIn(role: Role = 'User') {
      const user = await this.addUser(role);
      const visitor = this.visitor();
      const answer = await visitor.call(signIn, { body: { phone_number: user.phone, password } });
      if (answer.status !== 200) throw new Error(`sign-in of a test user answered ${answer.status}`);
      return { ...visitor, ...user, user: answer.body };
    },
    /** The code of the newest SMS to a phone. */
    async code(phone: string): Promise<string> {
      const [text = ''] = await sms(phone);
      return /\d{6}/.exec(text)?.[0] ?? '';
    },
    /** Requests a code and enters it, as the page does. */
    async prove(visitor: ReturnType<typeof caller>, phone: string, purpose?: 'sign_up' | 'restoration' | 'new_phone') {
      const asked = await visitor.call(requestCode, { body: { phone_number: phone, ...(purpose && { purpose }) } });
      if (asked.status !== 200) throw new Error(`the code was not sent: ${asked.status} ${asked.body.message}`);
      const code = await this.code(phone);
      const entered = await visitor.call(enterCode, { body: { phone_number: phone, code } });
      if (entered.status !== 200) throw new Error(`the code was not taken: ${entered.status}`);
      return code;
    },
    switchSms: (change: object) => switchSms(sandboxUrl, change),
    logOf: async (userId: number) => {
      const rows = await db.selectFrom('user_log').select('text').where('user_id', '=', userId).orderBy('id').execute();
      return rows.map((row) => row.text);
    },
    async close(): Promise<void> {
      await app.close();
      await jobs.stop();
      await outbox.stop();
      await closePlatform();
      await sandbox.close();
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export type AccountServer = Awaited<ReturnType<typeof startAccountServer>>;
export type Visitor = ReturnType<AccountServer['visitor']>;

export const car = { name: 'Leaf', battery: 40 };

/** A valid body of a sign-up. */
export const filled = (phone: string) => ({
  name: 'Олена Коваль',
  password: 'correct-horse',
  phone_number: phone,
  telegram_id: null,
  cars: [car],
  terms_version: terms,
});
