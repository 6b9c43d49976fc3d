import type { NoticeChannels } from '@fpay/contract/push';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../platform/database.ts';
import type { Step } from '../platform/step.ts';
import type { Recipient } from './recipients.ts';

const usual: NoticeChannels = { push: true, telegram: true, sms: false };

/** The ways to reach one user now, after the user's own choice. */
export interface Reach {
  /** Push subscriptions. */
  browsers: number[];
  chat: number | null;
  /** Set only when neither of the others reaches the user. */
  phone: string | null;
}

interface Dependencies {
  db: Database;
  browsersOf: (step: Step, user: number) => Promise<number[]>;
  hasBot: boolean;
}

/** The channels that users chose for their notices. */
export function createChannels({ db, browsersOf, hasBot }: Dependencies) {
  async function of(user: number, from: Database | Step['db'] = db): Promise<NoticeChannels> {
    const row = await from.selectFrom('notice_channels').selectAll().where('user_id', '=', user).executeTakeFirst();
    return row ? { push: row.by_push, telegram: row.by_telegram, sms: row.by_sms } : usual;
  }

  return {
    of,

    async set(
      user: number,
      changes: { [Name in keyof NoticeChannels]?: boolean | undefined },
    ): Promise<NoticeChannels> {
      const now = await of(user);
      const row = {
        by_push: changes.push ?? now.push,
        by_telegram: changes.telegram ?? now.telegram,
        by_sms: changes.sms ?? now.sms,
      };
      await db
        .insertInto('notice_channels')
        .values({ user_id: user, ...row })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
        .execute();
      return of(user);
    },

    /** With `needsTelling` the phone is a way too where the user has chosen no SMS. */
    async reachOf(
      step: Step,
      { id, telegramId, hasBlockedBot, phone }: Recipient,
      { needsTelling = false } = {},
    ): Promise<Reach> {
      const chosen = await of(id, step.db);
      const browsers = chosen.push ? await browsersOf(step, id) : [];
      const chat = hasBot && chosen.telegram && !hasBlockedBot ? telegramId : null;
      const isReached = browsers.length > 0 || chat !== null;
      const mayCall = (chosen.sms || needsTelling) && !isReached && phone.startsWith('+');
      return { browsers, chat, phone: mayCall ? phone : null };
    },
  };
}

export type Channels = ReturnType<typeof createChannels>;

/** The user's choice for one channel; most users have none and use every channel but SMS. */
const chooses = (channel: 'by_push' | 'by_telegram') =>
  sql<boolean>`coalesce((select ${sql.ref(channel)} from notice_channels c where c.user_id = u.id), true)`;

/** Whether a channel reaches a user of the table `users u`, as `reachOf` decides it for one user. */
export const mayBeReached: RawBuilder<boolean> = sql<boolean>`(
  (u.telegram_id is not null and not u.is_bot_blocked and ${chooses('by_telegram')})
  or (exists (select 1 from push_subscriptions p where p.user_id = u.id) and ${chooses('by_push')})
  or exists (select 1 from notice_channels c where c.user_id = u.id and c.by_sms))`;
