import { knownRole, type Role } from '@fpay/contract/roles';
import { createSessions } from '../../account/sign-in/sessions.ts';
import { paymentStaffRoutes } from '../../backoffice/operations/payment-routes.ts';
import { balanceRoutes } from '../../backoffice/users/balance-routes.ts';
import { createReads } from '../../platform/audit-reads.ts';
import { createSessionCookies } from '../../platform/http/cookies.ts';
import { createNonces } from '../../platform/http/nonces.ts';
import { createRoutes } from '../../platform/http/routes.ts';
import { createHttpServer } from '../../platform/http/server.ts';
import { type Client, createTestClient, type SignOptions } from '../../testing/client.ts';
import { freeTestPort } from '../../testing/server.ts';
import { startMoney } from './money.ts';
import type { MoneyOptions } from './wire-money.ts';

/** Money behind the product's own HTTP: sessions, signatures, permissions, and the bank's notifications. */
export async function startMoneyApi(options: MoneyOptions = {}) {
  // The bank must know where to send its notifications before the server listens there.
  const port = await freeTestPort();
  const url = `http://127.0.0.1:${port}`;
  const money = await startMoney({ siteUrl: new URL(url), ...options });
  const { db, clock, log, limits, metrics } = money;
  const app = await createHttpServer({
    log,
    metrics,
    publicUrl: money.publicUrl,
    trustProxy: [],
    imageHosts: [],
    connectHosts: [],
  });
  const sessions = createSessions(db, clock);
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
  money.walletRoutes(routes);
  money.payments.routes(routes);
  balanceRoutes(routes, money);
  paymentStaffRoutes(routes, money.payments.staffActions, createReads(money.db, money.clock));
  money.payments.webhook(app);

  async function signIn(user: { id: number }): Promise<Client> {
    const { role } = await db.selectFrom('users').select('role').where('id', '=', user.id).executeTakeFirstOrThrow();
    const viewer = { id: user.id, role: knownRole(role) };
    const { token, csrfToken } = await sessions.issue(viewer, { ip: '127.0.0.1', userAgent: 'test' }, null);
    const client = createTestClient(url);
    client.jar.set('fpay_session', token);
    client.jar.set('XSRF-TOKEN', csrfToken);
    // Signed with the test's clock, which is the server's too.
    const call = ((endpoint: never, input: never, more?: SignOptions) =>
      client.call(endpoint, input, { unixMs: clock.now().getTime(), ...more })) as typeof client.call;
    return { ...client, call };
  }

  return {
    ...money,
    url,
    app,
    routes,
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
