import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Step } from '../platform/step.ts';

/** Long enough for a driver who calls about last month. */
const keptDays = 90;

export type SentChannel = 'sms' | 'telegram' | 'push';

/**
 * What a channel says of a message. An SMS is accepted by its provider; push and Telegram are sent. None of them reports here whether
 * it was read.
 */
export type SentState = 'queued' | 'accepted' | 'sent' | 'failed' | 'unknown';

/** A message that is kept with its state. One-time codes are not. */
export interface SentMessage {
  user: number;
  channel: SentChannel;
  text: string;
  staff: number | null;
}

interface Dependencies {
  db: Database;
  clock: Clock;
}

/** Messages to drivers with what their channel said. */
export function createSentMessages({ db, clock }: Dependencies) {
  return {
    /** In the step that queues it; its id goes with the job. */
    async add(step: Step, { user, channel, text, staff }: SentMessage): Promise<number> {
      const { id } = await step.db
        .insertInto('sent_messages')
        .values({ user_id: user, channel, text, staff_id: staff, created_at: clock.now() })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },

    /** Jobs of an older release have no id. */
    async settle(id: number | undefined, state: SentState): Promise<void> {
      if (id === undefined) return;
      const values = { state, settled_at: clock.now() };
      const row = db.updateTable('sent_messages').set(values).where('id', '=', id);
      // A notice goes to every browser of a driver, and one of them is enough.
      await (state === 'failed' ? row.where('state', 'not in', ['accepted', 'sent']) : row).execute();
    },

    async removeOld(): Promise<void> {
      const before = sql<Date>`${clock.now()}::timestamptz - make_interval(days => ${keptDays})`;
      await db.deleteFrom('sent_messages').where('created_at', '<', before).execute();
    },
  };
}

export type SentMessages = ReturnType<typeof createSentMessages>;
