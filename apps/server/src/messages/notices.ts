import { billedStatuses, chargingStatuses, failedStatuses } from '@fpay/contract/charging';
import type { Language } from '@fpay/contract/person';
import { inLanguage } from '@fpay/contract/translated';
import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import { type Database, literals } from '../platform/database.ts';
import type { Outbox } from '../platform/outbox.ts';
import type { RowLoops } from '../platform/rows/row-loops.ts';
import type { Step, Steps } from '../platform/step.ts';
import { mayBeReached } from './channels.ts';
import type { Delivery } from './delivery.ts';
import { kindsForSms, notifications } from './notification-texts.ts';
import type { Recipients } from './recipients.ts';
import {
  type ChargeSummary,
  kwhText,
  leftText,
  type NoticeKind,
  nearlyFullPercent,
  notices,
  type ReturnedMoney,
  returnedText,
  uahText,
} from './texts.ts';

/**
 * Changes within this interval are looked up together, because meters report every second and drivers are notified
 * three times.
 */
const batchMs = 1_000;
/** A charge lasts a day at most; a notification about an older end would be useless. */
const rememberDays = 2;
/** A notice about a charge is of no use an hour later. */
const ttlSeconds = 3600;
/** A charge that ends within this time at its present power is nearly done. */
const nearlyDoneSeconds = 300;
/** A charge that is this short needs no second message so soon after the first. */
const nearlyDoneAfterMinutes = 5;

interface Dependencies {
  db: Database;
  steps: Steps;
  rows: RowLoops;
  clock: Clock;
  recipients: Recipients;
  delivery: Delivery;
}

interface NoticeFacts {
  id: number;
  user_id: number;
  kind: NoticeKind;
}

interface NoticeSubject {
  operation: number;
  /** For `refunded`. */
  returned?: ReturnedMoney & { ref: number };
}

const operationOf = ({ id }: NoticeFacts) => id;

/** Notices to drivers about their charges, once each, in the language and by the channels of their account. */
export function createNotices({ db, steps, rows: loops, clock, recipients, delivery }: Dependencies) {
  async function chargeOf(
    step: Step,
    { operation, returned }: NoticeSubject,
    language: Language,
  ): Promise<ChargeSummary | null> {
    const row = await step.db
      .selectFrom('operations')
      .innerJoin('stations', 'stations.id', 'operations.station_id')
      .select(['stations.number', 'operations.energy_wh', 'operations.total'])
      .select(['operations.idle_fee', 'operations.idle_grace_minutes as graceMinutes'])
      .select(['operations.energy_limit_wh as limitWh', 'operations.power_w as powerW', 'operations.soc'])
      .where('operations.id', '=', operation)
      .executeTakeFirst();
    if (!row) return null;
    const { number: station, energy_wh, total, idle_fee, graceMinutes, limitWh, powerW, soc } = row;
    const [uah, feeUah] = [uahText(total, language), uahText(idle_fee, language)];
    const left = leftText({ energyWh: energy_wh, limitWh, powerW, soc }, language);
    const back = returned ? returnedText(returned, language) : '';
    return { operation, station, kwh: kwhText(energy_wh, language), uah, feeUah, graceMinutes, left, back };
  }

  /**
   * Called in the step that causes the change. A repeat sends nothing. A user whom no channel reaches gets nothing, and
   * the notice is not marked as sent.
   */
  async function notify(step: Step, userId: number, kind: NoticeKind, subject: NoticeSubject) {
    const { operation, returned } = subject;
    const once = returned ? `${kind}:${returned.ref}` : kind;
    const reader = await recipients.find(userId, step);
    const charge = reader && (await chargeOf(step, subject, reader.language));
    if (!reader || !charge) return;
    const first = await step.db
      .insertInto('notices')
      .values({ operation_id: operation, kind: once, created_at: clock.now() })
      .onConflict((conflict) => conflict.columns(['operation_id', 'kind']).doNothing())
      .executeTakeFirst();
    if (!first.numInsertedOrUpdatedRows) return;
    const isSent = await delivery.deliver(step, reader, {
      ...inLanguage(notifications[kind], reader.language)(charge),
      chat: inLanguage(notices[kind], reader.language)(charge),
      path: `/status/${operation}`,
      tag: `operation-${operation}`,
      isForSms: kindsForSms.includes(kind),
      needsTelling: kind === 'refunded',
      ttlSeconds,
    });
    if (isSent) return;
    await step.db.deleteFrom('notices').where('operation_id', '=', operation).where('kind', '=', once).execute();
  }

  const kindOf = sql<NoticeKind>`case
    when o.status in (${literals(chargingStatuses)}) then 'started'
    when o.status in (${literals(billedStatuses)}) then 'ended'
    when o.status in (${literals(failedStatuses)}) then 'failed' end`;

  const isNearlyDone = () => sql<boolean>`o.status = 'ongoing' and o.energy_wh > 0 and o.power_w > 0
    and o.started_at <= ${clock.now()}::timestamptz - make_interval(mins => ${nearlyDoneAfterMinutes}) and (
    o.soc >= ${nearlyFullPercent}
    or (o.energy_limit_wh - o.energy_wh) * 3600 <= o.power_w::bigint * ${nearlyDoneSeconds})`;

  async function sendNotices(found: NoticeFacts[]): Promise<void> {
    await loops.each('messages.notice', found, operationOf, ({ id, user_id, kind }) =>
      steps.run((step) => notify(step, user_id, kind, { operation: id })),
    );
  }

  async function look(operations: number[]): Promise<void> {
    const { rows } = await sql<NoticeFacts>`
      select * from (select o.id, o.user_id, ${kindOf} as kind
        from operations o join users u on u.id = o.user_id
        where o.id = any (${operations}::bigint[]) and ${mayBeReached}
        union all
        select o.id, o.user_id, 'nearly_done' from operations o join users u on u.id = o.user_id
        where o.id = any (${operations}::bigint[]) and ${isNearlyDone()} and ${mayBeReached}) found
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
        }, batchMs);
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
          where o.status in (${literals(chargingStatuses)}) and ${mayBeReached}
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
