import { knownRole, type Role } from '@fpay/contract/roles';
import { createSessions } from '../account/sessions.ts';
import { createSessionCookies } from '../platform/http/cookies.ts';
import { createNonces } from '../platform/http/nonces.ts';
import { createRoutes } from '../platform/http/routes.ts';
import { createHttpServer } from '../platform/http/server.ts';
import { createMetrics } from '../platform/metrics.ts';
import { createRateLimits } from '../platform/rate-limits.ts';
import { type Client, createClient, type SignOptions } from '../testing/client.ts';
import { freePort } from '../testing/server.ts';
import { createGiftProbes } from '../wallet/gift-probes.ts';
import { walletRoutes } from '../wallet/routes.ts';
import { startMoney } from './money.test-support.ts';
import { paymentRoutes } from './routes.ts';
import { webhookPath, webhookRoute } from './webhook.ts';
import type { MoneyOptions } from './wire-money.test-support.ts';

/** Money behind the product's own HTTP: sessions, signatures, permissions, and the bank's notifications coming in. */
export async function startMoneyApi(options: MoneyOptions = {}) {
  // The bank must know where to send its notifications before anything listens there.
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const money = await startMoney({ webhookUrl: url + webhookPath, ...options });
  const { db, clock, log } = money;
  const metrics = createMetrics();
  const app = await createHttpServer({
    log,
    metrics,
    publicUrl: money.publicUrl,
    trustProxy: [],
    imageHosts: [],
    connectHosts: [],
  });
  const sessions = createSessions(db, clock);
  const limits = createRateLimits(db, clock);
  const routes = createRoutes({
    app,
    sessions,
    cookies: createSessionCookies(false),
    nonces: createNonces(db, clock),
    limits,
    clock,
    isDown: () => false,
    checkReplies: true,
  });
  walletRoutes(routes, { ...money, giftProbes: createGiftProbes(limits) });
  paymentRoutes(routes, { topUps: money.payments.topUps, desk: money.payments.desk });
  webhookRoute(app, {
    bank: money.bank,
    payments: money.payments.store,
    service: money.payments.service,
    registry: metrics.registry,
    log,
  });

  async function signIn(user: { id: number }): Promise<Client> {
    const { role } = await db.selectFrom('users').select('role').where('id', '=', user.id).executeTakeFirstOrThrow();
    const viewer = { id: user.id, role: knownRole(role) };
    const { token, csrfToken } = await sessions.issue(viewer, { ip: '127.0.0.1', userAgent: 'test' }, null);
    const client = createClient(url);
    client.jar.set('fpay_session', token);
    client.jar.set('XSRF-TOKEN', csrfToken);
    // Signed by the test's clock, which is the server's too.
    const call = ((endpoint: never, input: never, more?: SignOptions) =>
      client.call(endpoint, input, { unixMs: clock.now().getTime(), ...more })) as typeof client.call;
    return { ...client, call };
  }

  return {
    ...money,
    url,
    app,
    routes,
    metrics,
    listen: () => app.listen({ host: '127.0.0.1', port }),
    signIn,
    async signedIn(role: Role = 'User') {
      const user = await money.addUser(role);
      return { ...user, client: await signIn(user) };
    },
    async close(): Promise<void> {
      await app.close();
      await money.close();
    },
  };
}

export type MoneyApi = Awaited<ReturnType<typeof startMoneyApi>>;
