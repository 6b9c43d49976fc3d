import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { createSecretBox } from '../../platform/outside/secret-box.ts';

export interface PushKeyPair {
  publicKey: string;
  privateKey: string;
}

interface Dependencies {
  db: Database;
  clock: Clock;
  secret: string;
  /** From the settings; null to generate a pair once and keep it in the database. */
  configured: PushKeyPair | null;
}

/** The network's key pair. Subscriptions are bound to it, so all nodes use the same one and it is never replaced. */
export function createPushKeys({ db, clock, secret, configured }: Dependencies): () => Promise<PushKeyPair> {
  const box = createSecretBox(secret, 'push-key');
  let known: PushKeyPair | null = configured;

  async function stored(): Promise<PushKeyPair | null> {
    const row = await db.selectFrom('push_keys').select(['public_key', 'private_key']).executeTakeFirst();
    if (!row) return null;
    const privateKey = box.unseal(row.private_key);
    if (privateKey === null) throw new Error('the push key was made with another SECRET; set VAPID_PRIVATE_KEY');
    return { publicKey: row.public_key, privateKey };
  }

  return async () => {
    known ??= await stored();
    if (known) return known;
    const { default: webPush } = await import('web-push');
    const { publicKey, privateKey } = webPush.generateVAPIDKeys();
    // Another node may have generated one at this moment; the first row stays.
    await db
      .insertInto('push_keys')
      .values({ public_key: publicKey, private_key: box.seal(privateKey), created_at: clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    known = await stored();
    if (!known) throw new Error('the push key was not stored');
    return known;
  };
}
