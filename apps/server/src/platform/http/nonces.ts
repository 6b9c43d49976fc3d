import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import type { Database } from '../database.ts';
import { Refusal } from '../refusal.ts';

/** Longer than any regular call takes; after that the process of the first call counts as dead. */
const claimMs = 30_000;
const lookAgainMs = 100;
/** A phone may sleep for a night and a day before it repeats a request whose answer it never received. */
export const nonceKeptMs = 48 * 60 * 60_000;

export interface NonceUse {
  /** The user, or the session of a visitor who is not signed in. */
  owner: string;
  nonce: string;
  requestHash: string;
  movesMoney: boolean;
}

export interface StoredAnswer {
  status: number;
  /** JSON text. */
  answer: string;
}

/**
 * Makes each signed request count once. A repeat of a money-moving one gets the first answer; while the first still runs, it waits.
 * If the first one's process died, the repeat runs the handler again under the same key, and the handler finds what is already done.
 */
export interface Nonces {
  /** The stored answer of an earlier use; null when there was none. Refuses what may not be repeated. */
  earlier(use: NonceUse): Promise<StoredAnswer | null>;
  /** Null when the caller must run the handler; otherwise the stored answer of the first call. */
  claim(use: NonceUse): Promise<StoredAnswer | null>;
  store(use: NonceUse, answer: StoredAnswer): Promise<void>;
  /** Frees the nonce after an unexpected failure, so that the same request may be tried again. */
  release(use: NonceUse): Promise<void>;
}

export function createNonces(db: Database, clock: Clock): Nonces {
  const find = (use: NonceUse) =>
    db
      .selectFrom('request_nonces')
      .select(['request_hash', 'status', 'answer', 'claimed_until'])
      .where('owner', '=', use.owner)
      .where('nonce', '=', use.nonce)
      .executeTakeFirst();

  const claimEnd = () => new Date(clock.now().getTime() + claimMs);

  async function earlier(use: NonceUse): Promise<StoredAnswer | null> {
    const waitUntil = Date.now() + claimMs;
    for (;;) {
      const row = await find(use);
      if (!row) return null;
      if (row.request_hash !== use.requestHash) throw new Refusal('nonce_reused');
      if (!use.movesMoney) throw new Refusal('repeated_request');
      if (row.status !== null && row.answer !== null) return { status: row.status, answer: row.answer };
      if (row.claimed_until <= clock.now()) {
        const taken = await db
          .updateTable('request_nonces')
          .set({ claimed_until: claimEnd() })
          .where('owner', '=', use.owner)
          .where('nonce', '=', use.nonce)
          .where('status', 'is', null)
          .where('claimed_until', '=', row.claimed_until)
          .executeTakeFirst();
        if (taken.numUpdatedRows > 0n) return null;
      }
      if (Date.now() > waitUntil) throw new Refusal('repeated_request');
      await pause(lookAgainMs);
    }
  }

  return {
    earlier,
    async claim(use) {
      for (;;) {
        const inserted = await db
          .insertInto('request_nonces')
          .values({
            owner: use.owner,
            nonce: use.nonce,
            request_hash: use.requestHash,
            claimed_until: claimEnd(),
            created_at: clock.now(),
          })
          .onConflict((conflict) => conflict.columns(['owner', 'nonce']).doNothing())
          .executeTakeFirst();
        if (inserted.numInsertedOrUpdatedRows) return null;
        const answer = await earlier(use);
        if (answer) return answer;
        // The nonce was either taken over from a dead process (this call runs it) or released in between (it is claimed
        // again).
        if (await find(use)) return null;
      }
    },
    async store(use, { status, answer }) {
      await db
        .updateTable('request_nonces')
        .set({ status, answer })
        .where('owner', '=', use.owner)
        .where('nonce', '=', use.nonce)
        .execute();
    },
    async release(use) {
      await db
        .deleteFrom('request_nonces')
        .where('owner', '=', use.owner)
        .where('nonce', '=', use.nonce)
        .where('status', 'is', null)
        .execute();
    },
  };
}
