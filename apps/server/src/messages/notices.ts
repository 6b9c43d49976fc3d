import { billedStatuses, chargingStatuses, failedStatuses } from '@fpay/contract/charging';
import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import { type Database, literals } from '../platform/database.ts';
import type { Outbox } from '../platform/outbox.ts';
import type { RowLoops } from '../platform/row-loops.ts';
import type { Step, Steps } from '../platform/step.ts';
import type { Recipients } from './recipients.ts';
import { type ChargeSummary, kwhText, type NoticeKind, notices, uahText } from './texts.ts';

/**
 * Changes within this interval are looked up together, because meters report every second and drivers are notified
 * three times.
 */
const gatherMs = 1_000;
/** A charge lasts a day at most; a notification about an older end would be useless. */
const rememberDays = 2;

interface Dependencies {
  db: Database;
  steps: Steps;
  rows: RowLoops;
  clock: Clock;
  recipients: Recipients;
  /** Queues one message in the step. */
  send: (step: Step, chat: number, text: string) => Promise<void>;
}

interface NoticeFacts {
  id: number;
  user_id: number;
  kind: NoticeKind;
}

const operationOf = ({ id }: NoticeFacts) => id;

/** Notifications to drivers about their charges, once each, in the language of their account. */
export function createNotices({ db, steps, rows: loops, clock, recipients, send }: Dependencies) {
  async function chargeOf(step: Step, operation: number): Promise<ChargeSummary | null> {
    const row = await step.db
      .selectFrom('operations')
      .innerJoin('stations', 'stations.id', 'operations.station_id')
      .select(['stations.number', 'operations.energy_wh', 'operations.total'])
      .where('operations.id', '=', operation)
      .executeTakeFirst();
    return row ? { operation, station: row.number, kwh: kwhText(row.energy_wh), uah: uahText(row.total) } : null;
  }

  /** Called in the step that causes the change. A repeat sends nothing, and a user without the bot gets nothing. */
  async function notify(step: Step, userId: number, kind: NoticeKind, { operation }: { operation: number }) {
    const reader = await recipients.find(userId, step);
    if (!reader || reader.telegramId === null || reader.hasBlockedBot) return;
    const first = await step.db
      .insertInto('notices')
      .values({ operation_id: operation, kind, created_at: clock.now() })
      .onConflict((conflict) => conflict.columns(['operation_id', 'kind']).doNothing())
      .executeTakeFirst();
    if (!first.numInsertedOrUpdatedRows) return;
    const charge = await chargeOf(step, operation);
    if (charge) await send(step, reader.telegramId, notices[kind][reader.language](charge));
  }

  const kindOf = sql<NoticeKind>`case
    when o.status in (${literals(chargingStatuses)}) then 'started'
    when o.status in (${literals(billedStatuses)}) then 'ended'
    when o.status in (${literals(failedStatuses)}) then 'failed' end`;

  async function sendNotices(found: NoticeFacts[]): Promise<void> {
    await loops.each('messages.notice', found, operationOf, ({ id, user_id, kind }) =>
      steps.run((step) => notify(step, user_id, kind, { operation: id })),
    );
  }

  async function look(operations: number[]): Promise<void> {
    const { rows } = await sql<NoticeFacts>`
      select * from (select o.id, o.user_id, ${kindOf} as kind
        from operations o join users u on u.id = o.user_id
        where o.id = any (${operations}::bigint[]) and u.telegram_id is not null and not u.is_bot_blocked) found
      where kind is not null
        and not exists (select 1 from notices n where n.operation_id = found.id and n.kind = found.kind)`.execute(db);
    await sendNotices(rows);
  }

  return {
    notify,

    /** For the leader of several nodes: looks up operations that changed and sends due notifications. */
    watch(outbox: Outbox, onError: (error: unknown) => void): () => void {
      const changedIds = new Set<number>();
      let timer: NodeJS.Timeout | undefined;
      const unsubscribe = outbox.subscribe('operation', (ref) => {
        if (!outbox.isLeader()) return;
        changedIds.add(Number(ref));
        timer ??= setTimeout(() => {
          timer = undefined;
          const now = [...changedIds];
          changedIds.clear();
          look(now).catch(onError);
        }, gatherMs);
      });
      return () => {
        unsubscribe();
        clearTimeout(timer);
      };
    },

    /**
     * Sends missed notifications: for charges that run without one, and for charges that ended after a start was
     * reported.
     */
    async sweep(): Promise<void> {
      const since = new Date(clock.now().getTime() - rememberDays * 86_400_000);
      const { rows } = await sql<NoticeFacts>`
        select * from (
          select o.id, o.user_id, 'started' as kind from operations o join users u on u.id = o.user_id
          where o.status in (${literals(chargingStatuses)}) and u.telegram_id is not null and not u.is_bot_blocked
          union
          select o.id, o.user_id, ${kindOf} from notices s join operations o on o.id = s.operation_id
          where s.kind = 'started' and s.created_at > ${since}) found
        where kind is not null
          and not exists (select 1 from notices n where n.operation_id = found.id and n.kind = found.kind)
        limit 500`.execute(db);
      await sendNotices(rows);
    },
  };
}

export type Notices = ReturnType<typeof createNotices>;
