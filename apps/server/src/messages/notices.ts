import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Outbox } from '../platform/outbox.ts';
import type { RowLoops } from '../platform/row-loops.ts';
import type { Step, Steps } from '../platform/step.ts';
import type { Recipients } from './recipients.ts';
import { type Charge, kwhText, type NoticeKind, notices, uahText } from './texts.ts';

/** Changes that gather within this are looked up together: meters speak every second, drivers are told three times. */
const gatherMs = 1_000;
/** A charge lasts a day at most; what ended longer ago is no news. */
const rememberDays = 2;

interface Dependencies {
  db: Database;
  steps: Steps;
  rows: RowLoops;
  clock: Clock;
  recipients: Recipients;
  /** Queues one message with the step. */
  send: (step: Step, chat: number, text: string) => Promise<void>;
}

interface Told {
  id: number;
  user_id: number;
  kind: NoticeKind;
}

const operationOf = ({ id }: Told) => id;

/** What drivers are told about their charges, once each, in the language of their account. */
export function createNotices({ db, steps, rows: loops, clock, recipients, send }: Dependencies) {
  async function chargeOf(step: Step, operation: number): Promise<Charge | null> {
    const row = await step.db
      .selectFrom('operations')
      .innerJoin('stations', 'stations.id', 'operations.station_id')
      .select(['stations.number', 'operations.energy_wh', 'operations.total'])
      .where('operations.id', '=', operation)
      .executeTakeFirst();
    return row ? { operation, station: row.number, kwh: kwhText(row.energy_wh), uah: uahText(row.total) } : null;
  }

  /** In the step that makes it happen. Told twice, it is sent once; whoever has no bot is told nothing. */
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
    when o.status in ('ongoing', 'finishing') then 'started'
    when o.status in ('finished', 'pending_final_payment') then 'ended'
    when o.status in ('failed', 'failed_hold') then 'failed' end`;

  async function tell(found: Told[]): Promise<void> {
    await loops.each('messages.notice', found, operationOf, ({ id, user_id, kind }) =>
      steps.run((step) => notify(step, user_id, kind, { operation: id })),
    );
  }

  async function look(operations: number[]): Promise<void> {
    const { rows } = await sql<Told>`
      select * from (select o.id, o.user_id, ${kindOf} as kind
        from operations o join users u on u.id = o.user_id
        where o.id = any (${operations}::bigint[]) and u.telegram_id is not null and not u.is_bot_blocked) found
      where kind is not null
        and not exists (select 1 from notices n where n.operation_id = found.id and n.kind = found.kind)`.execute(db);
    await tell(rows);
  }

  return {
    notify,

    /** For nodes of which one leads: operations that change are looked at, and what is news is told. */
    watch(outbox: Outbox, onError: (error: unknown) => void): () => void {
      const gathered = new Set<number>();
      let timer: NodeJS.Timeout | undefined;
      const unsubscribe = outbox.subscribe(({ topic, ref }) => {
        if (topic !== 'operation' || !outbox.isLeader()) return;
        gathered.add(Number(ref));
        timer ??= setTimeout(() => {
          timer = undefined;
          const now = [...gathered];
          gathered.clear();
          look(now).catch(onError);
        }, gatherMs);
      });
      return () => {
        unsubscribe();
        clearTimeout(timer);
      };
    },

    /** What nobody was there to tell: charges that run untold, and charges whose beginning was told and whose end was not. */
    async sweep(): Promise<void> {
      const since = new Date(clock.now().getTime() - rememberDays * 86_400_000);
      const { rows } = await sql<Told>`
        select * from (
          select o.id, o.user_id, 'started' as kind from operations o join users u on u.id = o.user_id
          where o.status in ('ongoing', 'finishing') and u.telegram_id is not null and not u.is_bot_blocked
          union
          select o.id, o.user_id, ${kindOf} from notices s join operations o on o.id = s.operation_id
          where s.kind = 'started' and s.created_at > ${since}) found
        where kind is not null
          and not exists (select 1 from notices n where n.operation_id = found.id and n.kind = found.kind)
        limit 500`.execute(db);
      await tell(rows);
    },
  };
}

export type Notices = ReturnType<typeof createNotices>;
