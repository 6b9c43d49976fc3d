import type { Database } from '../platform/database.ts';
import type { Platform } from '../platform/platform.ts';
import type { Step } from '../platform/step.ts';
import { keepFormer } from './profile/former-contacts.ts';
import { createUserStore } from './store.ts';

/**
 * The users who read our messages, for the feature that sends them. It is built before accounts, which use it to send.
 */
export function createRecipients({ db, steps, clock }: Pick<Platform, 'db' | 'steps' | 'clock'>) {
  const users = createUserStore(db, steps, clock);
  const readers = (from: Database | Step['db']) =>
    from
      .selectFrom('users')
      .select(['id', 'name', 'phone_number', 'language', 'telegram_id', 'is_bot_blocked'])
      .where('deleted_at', 'is', null);
  type Row = Awaited<ReturnType<ReturnType<typeof readers>['executeTakeFirstOrThrow']>>;
  const readerOf = (row: Row | undefined) =>
    row
      ? {
          id: row.id,
          name: row.name,
          phone: row.phone_number,
          language: row.language,
          telegramId: row.telegram_id,
          hasBlockedBot: row.is_bot_blocked,
        }
      : null;

  return {
    async find(userId: number, step?: Step) {
      return readerOf(
        await readers(step?.db ?? db)
          .where('id', '=', userId)
          .executeTakeFirst(),
      );
    },

    async byTelegram(telegramId: number) {
      return readerOf(await readers(db).where('telegram_id', '=', telegramId).executeTakeFirst());
    },

    /** False when the account has a Telegram, or the Telegram an account, or the account is deleted. */
    async link(step: Step, userId: number, telegramId: number): Promise<boolean> {
      const taken = await readers(step.db).where('telegram_id', '=', telegramId).executeTakeFirst();
      if (taken) return false;
      const linked = await step.db
        .updateTable('users')
        .set({ telegram_id: telegramId, is_bot_blocked: false })
        .where('id', '=', userId)
        .where('telegram_id', 'is', null)
        .where('is_temporary', '=', false)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      if (linked.numUpdatedRows === 0n) return false;
      await users.note(step, userId, 'user', `linked Telegram ${telegramId}`);
      return true;
    },

    async unlink(userId: number): Promise<void> {
      await steps.run(async (step) => {
        const row = await step.db
          .selectFrom('users')
          .select('telegram_id')
          .where('id', '=', userId)
          .forNoKeyUpdate()
          .executeTakeFirst();
        if (row?.telegram_id) await keepFormer(step, userId, 'telegram', String(row.telegram_id));
        await step.db.updateTable('users').set({ telegram_id: null }).where('id', '=', userId).execute();
        await users.note(step, userId, 'user', 'unlinked Telegram');
      });
    },

    async setBlocked(telegramId: number, hasBlocked: boolean): Promise<void> {
      await db
        .updateTable('users')
        .set({ is_bot_blocked: hasBlocked })
        .where('telegram_id', '=', telegramId)
        .where('is_bot_blocked', '!=', hasBlocked)
        .execute();
    },
  };
}
