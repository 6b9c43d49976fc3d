import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { Step } from '../../platform/step.ts';

/** The page requests the user again whenever it shows the link. */
const shownLinkLifeMs = 30 * 60_000;
/** A question in a chat may wait for a day until the user reads it. */
const askedLinkLifeMs = 24 * 60 * 60_000;
const macBytes = 16;

interface Dependencies {
  db: Database;
  clock: Clock;
  secret: string;
  /** `https://t.me/<bot>` */
  botUrl: string;
}

/**
 * One-time tokens that link a Telegram account to a user. They are signed and not stored, because every view of the
 * account shows one and most are never used. Used tokens are stored until they would have expired. A token has 42 of
 * the 64 characters that Telegram allows.
 */
export function createTelegramLinks({ db, clock, secret, botUrl }: Dependencies) {
  const macOf = (head: Buffer) =>
    createHmac('sha256', secret).update('telegram-link\n').update(head).digest().subarray(0, macBytes);

  function make(userId: number, lifeMs: number): string {
    const head = Buffer.alloc(15);
    head.writeUIntBE(userId, 0, 6);
    head.writeUIntBE(Math.floor((clock.now().getTime() + lifeMs) / 1000), 6, 5);
    randomBytes(4).copy(head, 11);
    return Buffer.concat([head, macOf(head)]).toString('base64url');
  }

  function read(token: string): { userId: number; expiresAt: Date } | null {
    const bytes = /^[A-Za-z0-9_-]{42}$/.test(token) ? Buffer.from(token, 'base64url') : Buffer.alloc(0);
    if (bytes.length !== 15 + macBytes) return null;
    const head = bytes.subarray(0, 15);
    if (!timingSafeEqual(bytes.subarray(15), macOf(head))) return null;
    const expiresAt = new Date(head.readUIntBE(6, 5) * 1000);
    return expiresAt > clock.now() ? { userId: head.readUIntBE(0, 6), expiresAt } : null;
  }

  const hashOf = (token: string) => createHash('sha256').update(token).digest();

  return {
    url: (userId: number) => `${botUrl}?start=${make(userId, shownLinkLifeMs)}`,
    askedToken: (userId: number) => make(userId, askedLinkLifeMs),

    /** The user it was made for; null when it is forged, expired or used. */
    async userOf(token: string): Promise<number | null> {
      const link = read(token);
      if (!link) return null;
      const used = await db
        .selectFrom('telegram_links_used')
        .select('token_hash')
        .where('token_hash', '=', hashOf(token))
        .executeTakeFirst();
      return used ? null : link.userId;
    },

    /** Marks it as used in the step that links. */
    async consume(step: Step, token: string): Promise<number | null> {
      const link = read(token);
      if (!link) return null;
      const inserted = await step.db
        .insertInto('telegram_links_used')
        .values({ token_hash: hashOf(token), expires_at: link.expiresAt })
        .onConflict((conflict) => conflict.column('token_hash').doNothing())
        .executeTakeFirst();
      return inserted.numInsertedOrUpdatedRows ? link.userId : null;
    },

    async removeOld(): Promise<void> {
      await db.deleteFrom('telegram_links_used').where('expires_at', '<', clock.now()).execute();
    },
  };
}

export type TelegramLinks = ReturnType<typeof createTelegramLinks>;
