import * as z from 'zod/mini';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { createSecretBox } from '../../platform/outside/secret-box.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Step } from '../../platform/step.ts';

const StoredSubscription = z.object({
  endpoint: z.string(),
  keys: z.object({ p256dh: z.string(), auth: z.string() }),
});
export type BrowserSubscription = z.infer<typeof StoredSubscription>;

interface Dependencies {
  db: Database;
  clock: Clock;
  secret: string;
  /** Hosts of push services; a name also allows its subdomains. Of an address only what is below its path is allowed. */
  hosts: readonly string[];
}

const isBelow = (url: URL, allowed: URL): boolean =>
  url.origin === allowed.origin && url.pathname.startsWith(allowed.pathname);

/** One user's browsers are this many at most; the one that was not seen for longest is replaced. */
const mostBrowsers = 10;

/** The browsers that get push messages. An address is a secret and is stored encrypted. */
export function createPushSubscriptions({ db, clock, secret, hosts }: Dependencies) {
  const box = createSecretBox(secret, 'push-subscription');

  /** The address comes from the browser, so it may name only push services: we send requests to it. */
  function checkEndpoint(endpoint: string): void {
    const url = URL.canParse(endpoint) ? new URL(endpoint) : null;
    const isKnown =
      url !== null &&
      url.username === '' &&
      hosts.some((host) =>
        host.includes('://')
          ? isBelow(url, new URL(host))
          : url.protocol === 'https:' &&
            url.port === '' &&
            (url.hostname === host || url.hostname.endsWith(`.${host}`)),
      );
    if (!isKnown) throw new Refusal('invalid_input', { fields: { endpoint: ['This push service is not known.'] } });
  }

  return {
    /** @refuses invalid_input */
    async add(owner: { user: number; session: number }, subscription: BrowserSubscription): Promise<void> {
      checkEndpoint(subscription.endpoint);
      const now = clock.now();
      const row = {
        user_id: owner.user,
        session_id: owner.session,
        subscription: box.seal(JSON.stringify(subscription)),
        seen_at: now,
      };
      await db
        .insertInto('push_subscriptions')
        .values({ ...row, endpoint_hash: box.fingerprint(subscription.endpoint), created_at: now })
        // The browser may have another user now; its former user gets nothing here any more.
        .onConflict((conflict) => conflict.column('endpoint_hash').doUpdateSet(row))
        .execute();
      await db
        .deleteFrom('push_subscriptions')
        .where('id', 'in', (query) =>
          query
            .selectFrom('push_subscriptions')
            .select('id')
            .where('user_id', '=', owner.user)
            .orderBy('seen_at', 'desc')
            .orderBy('id', 'desc')
            .offset(mostBrowsers)
            .limit(100),
        )
        .execute();
    },

    async remove(user: number, endpoint: string): Promise<void> {
      await db
        .deleteFrom('push_subscriptions')
        .where('user_id', '=', user)
        .where('endpoint_hash', '=', box.fingerprint(endpoint))
        .execute();
    },

    async idsOf(step: Step, user: number): Promise<number[]> {
      const rows = await step.db.selectFrom('push_subscriptions').select('id').where('user_id', '=', user).execute();
      return rows.map(({ id }) => id);
    },

    /** Null when it is gone: by sign-out, or because the push service does not know it any more. */
    async find(id: number): Promise<BrowserSubscription | null> {
      const row = await db
        .selectFrom('push_subscriptions')
        .select('subscription')
        .where('id', '=', id)
        .executeTakeFirst();
      const json = row ? box.unseal(row.subscription) : null;
      return json === null ? null : StoredSubscription.parse(JSON.parse(json));
    },

    async drop(id: number): Promise<void> {
      await db.deleteFrom('push_subscriptions').where('id', '=', id).execute();
    },
  };
}

export type PushSubscriptions = ReturnType<typeof createPushSubscriptions>;
