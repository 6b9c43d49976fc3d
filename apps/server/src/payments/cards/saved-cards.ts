import { createHmac } from 'node:crypto';
import type { SavedCard } from '@fpay/contract/cards';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { DueWork } from '../../platform/jobs/due-work.ts';
import { createSecretBox } from '../../platform/outside/secret-box.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Step, Steps } from '../../platform/step.ts';
import type { BankAnswer, BankCard, InvoiceStatus } from '../bank.ts';
import type { Provider } from '../bank-terms.ts';
import type { Banks } from '../banks.ts';
import type { Payment } from '../payment-row.ts';

/** Cards that drivers let the bank save. Tokens are encrypted, and only the call to the bank decrypts them. */
export interface SavedCards {
  /** Those of the bank of new payments, because no other can charge them. The card that paid last is first. */
  of(user: number): Promise<SavedCard[]>;
  /**
   * Locks a card that may pay, until the step ends.
   * @refuses card_not_found, card_expired
   */
  choose(step: Step, user: number, card: number): Promise<void>;
  /** Applies what a bank status says about a card: that the bank saved it, or that it has expired. It may be repeated. */
  learn(step: Step, payment: CardUse, bankStatus: Pick<InvoiceStatus, 'savedCard' | 'isCardExpired'>): Promise<void>;
  /** The token for a call to the bank; null when the card was removed or its key is lost. */
  tokenOf(card: number): Promise<string | null>;
  /** The bank does not know the token any more. */
  forget(step: Step, card: number): Promise<void>;
  /**
   * Hides the card at once and has the bank delete the token.
   * @refuses not_found
   */
  remove(user: number, card: number): Promise<void>;
  /** The same for every card of an account that is deleted. */
  removeAll(step: Step, user: number): Promise<void>;
  /** The name of a user's wallet at the bank, from which the user cannot be derived. */
  walletIdOf(user: number): string;
  /** Due work: the bank deletes a removed card. */
  run(id: number, claim: number): Promise<void>;
}

interface Dependencies {
  db: Database;
  steps: Steps;
  banks: Banks;
  dueWork: Pick<DueWork, 'wake'>;
  clock: Clock;
  log: Logger;
  secret: string;
}

type CardUse = Pick<Payment, 'provider' | 'user' | 'savesCard' | 'card'>;

const retryMs = 10 * 60_000;

export function createSavedCards({ db, steps, banks, dueWork, clock, log, secret }: Dependencies): SavedCards {
  const box = createSecretBox(secret, 'saved-card');

  function removed() {
    const now = clock.now();
    return { removed_at: now, next_action_at: now, due_claim: sql<number>`due_claim + 1` };
  }
  const wake = (step: Step) => step.afterCommit(() => dueWork.wake('saved-card'));

  /** The token, and the bank that knows it. */
  async function secretOf(card: number): Promise<{ token: string; provider: Provider } | null> {
    const row = await db
      .selectFrom('saved_cards')
      .select(['token', 'provider'])
      .where('id', '=', card)
      .executeTakeFirst();
    if (!row?.token) return null;
    const token = box.unseal(row.token);
    if (token === null) log.error({ card }, 'saved card unreadable');
    return token === null ? null : { token, provider: row.provider as Provider };
  }

  /** Stores a card that the bank has saved. The same token again changes nothing. */
  async function keep(step: Step, { user, provider }: CardUse, { token, maskedPan, system }: BankCard): Promise<void> {
    const tokenHash = box.fingerprint(token);
    const known = await step.db
      .selectFrom('saved_cards')
      .select('id')
      .where('token_hash', '=', tokenHash)
      .executeTakeFirst();
    if (known) return;
    // The bank issues another token for a card that it saved before; the older token is not needed any more.
    const older = await step.db
      .updateTable('saved_cards')
      .set(removed())
      .where('user_id', '=', user)
      .where('masked_pan', '=', maskedPan)
      .where('removed_at', 'is', null)
      .executeTakeFirst();
    if (older.numUpdatedRows > 0n) wake(step);
    await step.db
      .insertInto('saved_cards')
      .values({
        user_id: user,
        provider,
        token: box.seal(token),
        token_hash: tokenHash,
        masked_pan: maskedPan,
        system,
        created_at: clock.now(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  async function markExpired(step: Step, card: number): Promise<void> {
    const at = sql<Date>`coalesce(expired_at, ${clock.now()})`;
    await step.db.updateTable('saved_cards').set({ expired_at: at }).where('id', '=', card).execute();
  }

  return {
    async of(user) {
      const rows = await db
        .selectFrom('saved_cards')
        .select(['id', 'system', 'masked_pan', 'expired_at', 'created_at'])
        .where('user_id', '=', user)
        .where('provider', '=', banks.current.provider)
        .where('removed_at', 'is', null)
        .orderBy(sql`expired_at is not null`)
        .orderBy(sql`coalesce(used_at, created_at)`, 'desc')
        .orderBy('id', 'desc')
        .execute();
      return rows.map((row) => ({
        id: row.id,
        system: row.system,
        last4: row.masked_pan.slice(-4),
        is_expired: row.expired_at !== null,
        added_at: row.created_at.toISOString(),
      }));
    },

    async choose(step, user, card) {
      const row = await step.db
        .updateTable('saved_cards')
        .set({ used_at: clock.now() })
        .where('id', '=', card)
        .where('user_id', '=', user)
        .where('provider', '=', banks.current.provider)
        .where('removed_at', 'is', null)
        .returning('expired_at')
        .executeTakeFirst();
      if (!row) throw new Refusal('card_not_found');
      if (row.expired_at !== null) throw new Refusal('card_expired');
    },

    async learn(step, payment, { savedCard, isCardExpired }) {
      const { savesCard, card } = payment;
      if (savesCard && savedCard !== null) await keep(step, payment, savedCard);
      if (card !== null && isCardExpired) await markExpired(step, card);
    },

    tokenOf: async (card) => (await secretOf(card))?.token ?? null,

    async forget(step, card) {
      const gone = { removed_at: sql<Date>`coalesce(removed_at, ${clock.now()})`, token: null, next_action_at: null };
      await step.db.updateTable('saved_cards').set(gone).where('id', '=', card).execute();
    },

    async remove(user, card) {
      await steps.run(async (step) => {
        const row = await step.db
          .updateTable('saved_cards')
          .set(removed())
          .where('id', '=', card)
          .where('user_id', '=', user)
          .where('removed_at', 'is', null)
          .returning('id')
          .executeTakeFirst();
        if (!row) throw new Refusal('not_found');
        wake(step);
      });
    },

    async removeAll(step, user) {
      await step.db
        .updateTable('saved_cards')
        .set(removed())
        .where('user_id', '=', user)
        .where('removed_at', 'is', null)
        .execute();
      wake(step);
    },

    walletIdOf: (user) => createHmac('sha256', secret).update(`bank-wallet\n${user}`).digest('hex').slice(0, 32),

    async run(id, claim) {
      const known = await secretOf(id);
      const answer = known === null ? null : await banks.of(known).removeCard(known.token);
      const isGone = answer === null || answer.kind === 'done' || isUnknownToken(answer);
      if (!isGone) log.warn({ card: id, reason: answer.reason }, 'saved card not deleted at the bank');
      const changes = isGone
        ? { token: null, next_action_at: null }
        : { next_action_at: new Date(clock.now().getTime() + retryMs) };
      await db
        .updateTable('saved_cards')
        .set(changes)
        .where('id', '=', id)
        .where('due_claim', '=', claim)
        .where('removed_at', 'is not', null)
        .execute();
    },
  };
}

export function isUnknownToken(answer: BankAnswer<unknown>): boolean {
  return answer.kind === 'refused' && answer.meaning === 'unknown_card';
}
