import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { Step } from '../../platform/step.ts';

const lifeMs = 30 * 60_000;

/**
 * Bank apps often return to another browser. The return address has a token that restores a guest's session there,
 * once. Registered users get none: they can sign in, and an address in a bank's log must not give access to an account.
 */
export function createReturnTokens(db: Database, clock: Clock) {
  return {
    /** Called in the step that opens the payment. Null for a user who is no guest. */
    async issue(step: Step, userId: number): Promise<string | null> {
      const guest = await step.db
        .selectFrom('users')
        .select('id')
        .where('id', '=', userId)
        .where('is_temporary', '=', true)
        .executeTakeFirst();
      if (!guest) return null;
      const token = randomBytes(32).toString('base64url');
      await step.db
        .insertInto('return_tokens')
        .values({ token_hash: hashOf(token), user_id: userId, expires_at: new Date(clock.now().getTime() + lifeMs) })
        .execute();
      return token;
    },

    /** The guest it was made for; it is used up in any case. */
    async redeem(token: string): Promise<number | null> {
      const used = await db
        .deleteFrom('return_tokens')
        .where('token_hash', '=', hashOf(token))
        .returning(['user_id', 'expires_at'])
        .executeTakeFirst();
      if (!used || used.expires_at <= clock.now()) return null;
      const guest = await db
        .selectFrom('users')
        .select('id')
        .where('id', '=', used.user_id)
        .where('is_temporary', '=', true)
        .where('role', '=', 'Guest')
        .where('joined_id', 'is', null)
        .executeTakeFirst();
      return guest?.id ?? null;
    },

    async removeOld(): Promise<void> {
      await db.deleteFrom('return_tokens').where('expires_at', '<', clock.now()).execute();
    },
  };
}

export type ReturnTokens = ReturnType<typeof createReturnTokens>;

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
