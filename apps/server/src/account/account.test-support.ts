import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { signIn } from '@fpay/contract/account';
import type { CallInput, Endpoint } from '@fpay/contract/endpoint';
import type { Role } from '@fpay/contract/roles';
import { enterCode, requestCode } from '@fpay/contract/sign-up';
import { type Logger, pino } from 'pino';
import { createSandbox } from '../../../sandbox/src/app.ts';
import { demo } from '../../../sandbox/src/demo.ts';
import { createMessages } from '../messages/feature.ts';
import type { BotWorld } from '../messages/telegram/bot.ts';
import { createTurboSms } from '../messages/turbosms/client.ts';
import { openDatabase } from '../platform/database.ts';
import { createSessionCookies } from '../platform/http/cookies.ts';
import { csrfCookieRoute } from '../platform/http/csrf-cookie.ts';
import { createNonces } from '../platform/http/nonces.ts';
import { createRoutes } from '../platform/http/routes.ts';
import { createHttpServer } from '../platform/http/server.ts';
import { createVisitors } from '../platform/http/visitors.ts';
import { createJobs } from '../platform/jobs.ts';
import { createMetrics } from '../platform/metrics.ts';
import { createOutbox } from '../platform/outbox.ts';
import { createRateLimits } from '../platform/rate-limits.ts';
import { createRowLoops } from '../platform/row-loops.ts';
import { createSteps, type Step } from '../platform/step.ts';
import { statsRoutes } from '../stats/routes.ts';
import { createStats } from '../stats/service.ts';
import { createStatsStore } from '../stats/store.ts';
import { type Client, createClient } from '../testing/client.ts';
import { testDatabase } from '../testing/database.ts';
import { createWalletService } from '../wallet/service.ts';
import { createWalletStore } from '../wallet/store.ts';
import { type AccountSettings, createAccounts } from './feature.ts';
import { hashPassword } from './passwords.ts';
import { createRecipients } from './recipients.ts';
import { createUserStore } from './store.ts';

export interface AccountServerOptions {
  settings?: Partial<AccountSettings>;
  /** Runs the jobs that carry messages. */
  isWorker?: boolean;
  usesWebhook?: boolean;
  log?: Logger;
  openOperations?: BotWorld['openOperations'];
  stop?: BotWorld['stop'];
  /** How long the SMS operator takes for each message. */
  smsDelayMs?: () => number;
}

export const password = 'a-test-password';
export const terms = '2026-11';
let passwordHash: Promise<string> | undefined;

/** Accounts and messages on a real HTTP server, a database of their own and the sandbox's SMS and Telegram. */
export async function startAccountServer(options: AccountServerOptions = {}) {
  let now = new Date('2026-11-15T10:00:00Z');
  const clock = { now: () => now };
  const dataDir = mkdtempSync(join(tmpdir(), 'fpay-accounts-'));
  const sandbox = await createSandbox({ dataDir });
  const sandboxUrl = await sandbox.listen({ host: '127.0.0.1', port: 0 });
  const database = await testDatabase();
  const log = options.log ?? pino({ level: process.env.TEST_LOG ?? 'silent' });
  const { db, close: closeDatabase } = openDatabase({ url: database.appUrl, poolSize: 10 });
  const outbox = createOutbox({ db, url: database.appUrl, log });
  const steps = createSteps(db, outbox.wake);
  const limits = createRateLimits(db, clock);
  const ledger = createWalletStore(db, clock);
  const wallet = createWalletService({ ledger });
  const metrics = createMetrics();
  const rows = createRowLoops({ log, metrics });
  const jobs = createJobs({ db, log, isWorker: options.isWorker ?? false, clock, metrics });
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
  const port = await freePort();

  async function moveAll(step: Step, from: number, to: number): Promise<void> {
    const [guest, user] = [await ledger.holder(from, step.db), await ledger.holder(to, step.db)];
    if (!guest || !user) return;
    const amount = (await ledger.lock(step, [guest.wallet])).get(guest.wallet);
    if (!amount) return;
    const key = `guest:${from}:joined:${randomUUID()}`;
    await wallet.transfer(step, [
      { key, kind: 'gift', from: guest.wallet, to: user.wallet, amount, sender: from, recipient: to },
    ]);
  }

  const recipients = createRecipients(db, steps, createUserStore(db, steps, clock));
  const messages = createMessages({
    db,
    steps,
    rows,
    clock,
    jobs,
    log,
    secret,
    brand: 'FPay',
    publicUrl: `http://127.0.0.1:${port}`,
    botUrl,
    sms: createTurboSms({ url: `${sandboxUrl}/sms`, token: demo.smsToken, sender: 'FPay' }, log),
    telegram: { token: demo.botToken, apiRoot: `${sandboxUrl}/telegram`, usesWebhook: options.usesWebhook ?? false },
    recipients,
    world: {
      openOperations: options.openOperations ?? (async () => []),
      stop: options.stop ?? (async () => false),
      balanceOf: wallet.balanceOf,
    },
  });
  const accounts = createAccounts({
    db,
    steps,
    rows,
    clock,
    limits,
    log,
    secret,
    settings: {
      codes: { allowedPrefixes: ['+380', '+48'], mostADay: 1000 },
      hasSecondFactor: false,
      termsVersion: terms,
      isHttps: false,
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
    withdrawUnpaid: async () => {},
    wallet: { balanceOf: wallet.balanceOf, moveAll, transactions: wallet.transactions },
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
  statsRoutes(routes, createStats({ stats: createStatsStore(db), clock }));
  messages.routes(app);
  await outbox.start();
  await jobs.start();
  if (options.isWorker) await messages.work();
  await app.listen({ host: '127.0.0.1', port });
  const url = `http://127.0.0.1:${port}`;
  let people = 0;

  /** As the page calls; the signature's age is told by the server's clock, which tests move. */
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

  async function sms(phone: string): Promise<string[]> {
    const response = await fetch(`${sandboxUrl}/sms/messages?phone=${encodeURIComponent(phone)}`);
    const { messages: list } = (await response.json()) as { messages: { text: string }[] };
    return list.map(({ text }) => text);
  }

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
    /** A browser of its own at an address of its own. */
    visitor() {
      people += 1;
      return caller(createClient(url), `10.0.${Math.floor(people / 250)}.${(people % 250) + 1}`);
    },
    /** A browser of its own at this address. */
    from: (ip: string) => caller(createClient(url), ip),
    phone: () => {
      people += 1;
      return `+38067${String(people).padStart(7, '0')}`;
    },
    async addUser(role: Role = 'User'): Promise<{ id: number; phone: string }> {
      people += 1;
      const phone = `+38050${String(people).padStart(7, '0')}`;
      passwordHash ??= hashPassword(password);
      const hash = await passwordHash;
      const id = await steps.run((step) =>
        accounts.users.add(step, { name: `${role} ${people}`, phone, passwordHash: hash, role }),
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
    /** Asks for a code and enters it, as the page does. */
    async prove(visitor: ReturnType<typeof caller>, phone: string, purpose?: 'sign_up' | 'restoration' | 'new_phone') {
      const asked = await visitor.call(requestCode, { body: { phone_number: phone, ...(purpose && { purpose }) } });
      if (asked.status !== 200) throw new Error(`the code was not sent: ${asked.status} ${asked.body.message}`);
      const code = await this.code(phone);
      const entered = await visitor.call(enterCode, { body: { phone_number: phone, code } });
      if (entered.status !== 200) throw new Error(`the code was not taken: ${entered.status}`);
      return code;
    },
    async switchSms(change: object): Promise<void> {
      const headers = { 'content-type': 'application/json' };
      const set = await fetch(`${sandboxUrl}/sms/switches`, { method: 'POST', headers, body: JSON.stringify(change) });
      if (!set.ok) throw new Error(`the sandbox does not know the switch: ${await set.text()}`);
    },
    logOf: async (userId: number) => {
      const rows = await db.selectFrom('user_log').select('text').where('user_id', '=', userId).orderBy('id').execute();
      return rows.map((row) => row.text);
    },
    async close(): Promise<void> {
      await app.close();
      await jobs.stop();
      await outbox.stop();
      await closeDatabase();
      await sandbox.close();
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

export type AccountServer = Awaited<ReturnType<typeof startAccountServer>>;
export type Visitor = ReturnType<AccountServer['visitor']>;

export const car = { name: 'Leaf', battery: 40 };

/** A body of a sign-up that would go through. */
export const filled = (phone: string) => ({
  name: 'Олена Коваль',
  password: 'correct-horse',
  phone_number: phone,
  telegram_id: null,
  cars: [car],
  terms_version: terms,
});
