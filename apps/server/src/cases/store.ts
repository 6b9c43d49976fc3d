import type { CaseEntry, CaseSource, MessageState } from '@fpay/contract/admin/cases';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { CaseEntries, Cases } from '../platform/generated/database.ts';
import type { Step } from '../platform/step.ts';

export type CaseRow = Selectable<Cases>;
type CaseChanges = Omit<Updateable<Cases>, 'changed_at'>;
export type NewEntry = Omit<Insertable<CaseEntries>, 'case_id' | 'created_at'>;

export interface NewCase {
  source: CaseSource;
  user: number;
  operation: number | null;
  station: number | null;
  subject: string | null;
  rating?: number;
  anomaly?: string;
  isWaiting: boolean;
}

/** The channels of a message, each with its column. */
const channelColumns = { push: 'push_state', telegram: 'telegram_state', sms: 'sms_state' } as const;
export type CaseChannel = keyof typeof channelColumns;

export interface ChannelReport {
  channel: CaseChannel;
  state: MessageState;
  /** Of an accepted SMS. */
  smsId: string | null;
}

const shownKinds: readonly CaseEntry['kind'][] = ['from_driver', 'to_driver'];

/** Cases and what was written in them. Refuses nothing. */
export function createCaseStore(db: Database, clock: Clock) {
  return {
    async find(id: number): Promise<CaseRow | null> {
      return (await db.selectFrom('cases').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
    },

    /** No other step changes it until this one ends. */
    async lock(step: Step, id: number): Promise<CaseRow | null> {
      const row = await step.db.selectFrom('cases').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
      return row ?? null;
    },

    async lockOpen(step: Step, operation: number, source: CaseSource): Promise<CaseRow | null> {
      const row = await step.db
        .selectFrom('cases')
        .selectAll()
        .where('operation_id', '=', operation)
        .where('source', '=', source)
        .where('state', '!=', 'closed')
        .forUpdate()
        .executeTakeFirst();
      return row ?? null;
    },

    /** Null: another step has opened one of the same charge and source at this moment. */
    async add(step: Step, given: NewCase): Promise<CaseRow | null> {
      const now = clock.now();
      const row = await step.db
        .insertInto('cases')
        .values({
          source: given.source,
          user_id: given.user,
          operation_id: given.operation,
          station_id: given.station,
          subject: given.subject,
          rating: given.rating ?? null,
          anomaly: given.anomaly ?? null,
          opened_at: now,
          changed_at: now,
          waiting_since: given.isWaiting ? now : null,
        })
        .onConflict((conflict) =>
          conflict
            .columns(['operation_id', 'source'])
            .where('state', '!=', 'closed')
            .where('operation_id', 'is not', null)
            .doNothing(),
        )
        .returningAll()
        .executeTakeFirst();
      return row ?? null;
    },

    async change(step: Step, id: number, changes: CaseChanges): Promise<void> {
      await step.db
        .updateTable('cases')
        .set({ ...changes, changed_at: clock.now() })
        .where('id', '=', id)
        .execute();
    },

    async addEntry(step: Step, id: number, entry: NewEntry): Promise<number> {
      const row = await step.db
        .insertInto('case_entries')
        .values({ ...entry, case_id: id, created_at: clock.now() })
        .returning('id')
        .executeTakeFirstOrThrow();
      return row.id;
    },

    async setChannels(step: Step, entry: number, queued: readonly CaseChannel[]): Promise<void> {
      if (queued.length === 0) return;
      const states = Object.fromEntries(queued.map((channel) => [channelColumns[channel], 'queued' as const]));
      await step.db.updateTable('case_entries').set(states).where('id', '=', entry).execute();
    },

    /** A later device that fails does not hide that an earlier one got the message. The case, if it is still there. */
    async reported(step: Step, entry: number, { channel, state, smsId }: ChannelReport): Promise<number | null> {
      const column = channelColumns[channel];
      const row = await step.db
        .updateTable('case_entries')
        .set({ [column]: state, ...(smsId !== null && { sms_id: smsId }) })
        .where('id', '=', entry)
        .where((where) => where.or([where(column, 'is', null), where(column, 'not in', ['sent', 'accepted'])]))
        .returning('case_id')
        .executeTakeFirst();
      return row?.case_id ?? null;
    },

    /** SMS of this time whose delivery is not known yet. */
    async acceptedSms(since: Date, limit: number): Promise<{ id: number; sms_id: string | null }[]> {
      return db
        .selectFrom('case_entries')
        .select(['id', 'sms_id'])
        .where('sms_state', '=', 'accepted')
        .where('sms_id', 'is not', null)
        .where('created_at', '>', since)
        .orderBy('created_at')
        .limit(limit)
        .execute();
    },

    async setDelivery(step: Step, entry: number, state: 'delivered' | 'failed'): Promise<void> {
      await step.db
        .updateTable('case_entries')
        .set({ sms_state: state })
        .where('id', '=', entry)
        .where('sms_state', '=', 'accepted')
        .execute();
    },

    /** The messages of staff that the driver sees for the first time. Returns how many. */
    async markRead(step: Step, id: number): Promise<number> {
      const { numUpdatedRows } = await step.db
        .updateTable('case_entries')
        .set({ read_at: clock.now() })
        .where('case_id', '=', id)
        .where('kind', '=', 'to_driver')
        .where('read_at', 'is', null)
        .executeTakeFirst();
      return Number(numUpdatedRows);
    },

    /** The cases that a driver sees, the latest message first. */
    async shownTo(user: number, limit: number) {
      return db
        .selectFrom('cases as c')
        .select(['c.id', 'c.operation_id', 'c.station_id', 'c.state', 'c.opened_at', 'c.shown_at', 'c.subject'])
        .select((of) =>
          of
            .selectFrom('case_entries as e')
            .select(sql<number>`count(*)::int`.as('count'))
            .whereRef('e.case_id', '=', 'c.id')
            .where('e.kind', '=', 'to_driver')
            .where('e.read_at', 'is', null)
            .as('unread'),
        )
        .select((of) =>
          of
            .selectFrom('case_entries as l')
            .select('l.text')
            .whereRef('l.case_id', '=', 'c.id')
            .where('l.kind', 'in', shownKinds)
            .orderBy('l.id', 'desc')
            .limit(1)
            .as('last_text'),
        )
        .where('c.user_id', '=', user)
        .where('c.shown_at', 'is not', null)
        .orderBy('c.shown_at', 'desc')
        .limit(limit)
        .execute();
    },

    async messagesOf(id: number) {
      return db
        .selectFrom('case_entries')
        .select(['id', 'kind', 'text', 'created_at'])
        .where('case_id', '=', id)
        .where('kind', 'in', shownKinds)
        .orderBy('id')
        .execute();
    },
  };
}

export type CaseStore = ReturnType<typeof createCaseStore>;
