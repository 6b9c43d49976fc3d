import type { AttemptCause } from '@fpay/contract/admin/network/attempts';
import type { ChargerOutcome, UserNow, UserNowCharge } from '@fpay/contract/admin/user-now';
import { isOpen, openStatuses } from '@fpay/contract/charging';
import { kopecks, wattHours, watts } from '@fpay/contract/money';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { Refusal } from '../../platform/refusal.ts';
import { attempts } from '../network/attempts.ts';
import type { Notes } from '../notes.ts';
import { holdOf } from '../operations/list.ts';

/** A page of a caller, and not a list: the rest is in the tabs below. */
const [shownAnswers, shownNotes, shownMessages] = [3, 2, 4];
/** A failure of last year is not why somebody calls. */
const failureDays = 30;

interface Dependencies {
  db: Database;
  clock: Clock;
  notes: Pick<Notes, 'list'>;
}

/** What a caller calls about, in one answer. */
export function createUserNow({ db, clock, notes }: Dependencies) {
  /** The open one, which may be older than one that failed after it; without one the last. */
  async function chargeOf(user: number): Promise<{ charge: UserNowCharge; chargePoint: number } | null> {
    const charges = db
      .selectFrom('operations as o')
      .innerJoin('stations as s', 's.id', 'o.station_id')
      .innerJoin('connectors as c', 'c.id', 'o.connector_id')
      .select(['o.id', 'o.status', 'o.hold_status', 'o.payment_type', 'o.energy_wh', 'o.energy_limit_wh', 'o.price'])
      .select(['o.total', 'o.deposit', 'o.power_w', 'o.soc', 'o.created_at', 'o.closed_at', 'o.metered_at'])
      .select(['o.charge_point_id', 's.number', 's.address', 's.address_uk', 'c.ocpp_connector', 'c.type'])
      .select('c.power_w as rated_w')
      .where('o.user_id', '=', user)
      .orderBy('o.id', 'desc')
      .limit(1);
    const open = await charges.where('o.status', 'in', openStatuses).executeTakeFirst();
    const row = open ?? (await charges.executeTakeFirst());
    if (!row) return null;
    const charge: UserNowCharge = {
      id: row.id,
      status: row.status,
      is_open: isOpen(row.status),
      hold: holdOf(row.hold_status),
      payment_type: row.payment_type,
      station_number: row.number,
      address: row.address,
      address_uk: row.address_uk,
      connector_number: String(row.ocpp_connector),
      connector_type: row.type,
      connector_power: watts(row.rated_w),
      energy: wattHours(row.energy_wh),
      energy_limit: row.energy_limit_wh === null ? null : wattHours(row.energy_limit_wh),
      price: kopecks(row.price),
      total: kopecks(row.total),
      amount: kopecks(row.deposit),
      power: row.power_w ?? -1,
      soc: row.soc,
      created_at: row.created_at.toISOString(),
      closed_at: row.closed_at?.toISOString() ?? null,
      measured_at: row.metered_at?.toISOString() ?? null,
    };
    return { charge, chargePoint: row.charge_point_id };
  }

  /** Commands about this charge. Their charge point is named because the index begins with it. */
  async function answersOf(operation: number, chargePoint: number, isTechnical: boolean) {
    const rows = await db
      .selectFrom('commands')
      .select(['id', 'action', 'status', 'answer', 'created_at', 'sent_at', 'answered_at'])
      .where('charge_point_id', '=', chargePoint)
      .where('operation_id', '=', operation)
      .orderBy('id', 'desc')
      .limit(shownAnswers)
      .execute();
    return rows.map(({ id, action, status, answer, ...times }) => ({
      id,
      at: (times.answered_at ?? times.sent_at ?? times.created_at).toISOString(),
      command: action,
      outcome: chargerOutcomeOf(status, answer),
      raw: isTechnical && answer !== null ? JSON.stringify(answer) : null,
    }));
  }

  async function moneyOf(user: number): Promise<UserNow['money']> {
    const { rows } = await sql<Record<keyof UserNow['money'], number>>`
      select
        (select coalesce(sum(p.amount), 0) from payments p
          where p.user_id = ${user} and p.method = 'bank' and p.status = 'hold')::float8 as held,
        (select count(*) from payments p
          where p.user_id = ${user} and p.method = 'bank' and p.status = 'hold')::int as holds,
        (select coalesce(sum(r.amount), 0) from refunds r join payments p on p.id = r.payment_id
          where p.user_id = ${user} and r.status in ('asked', 'processing'))::float8
          + (select coalesce(sum(p.amount), 0) from payments p
            where p.user_id = ${user} and p.method = 'bank' and p.status = 'hold' and p.wanted = 'release')::float8
          as returning,
        (select a.balance from users u join accounts a on a.id = u.wallet_id where u.id = ${user})::float8 as balance,
        (select coalesce(sum(o.total), 0) from operations o
          where o.user_id = ${user} and o.status = 'pending_final_payment')::float8 as debt`.execute(db);
    const { held = 0, holds = 0, returning = 0, balance = 0, debt = 0 } = rows[0] ?? {};
    return {
      held: kopecks(held),
      holds,
      returning: kopecks(returning),
      balance: kopecks(balance),
      debt: kopecks(debt),
    };
  }

  async function failureOf(user: number, isTechnical: boolean): Promise<UserNow['failure']> {
    const since = new Date(clock.now().getTime() - failureDays * 86_400_000);
    const { rows } = await sql<{
      id: number;
      at: Date;
      number: string;
      cause: AttemptCause;
      energy_wh: number;
      total: number;
      failure_reason: string | null;
    }>`
      select o.id, coalesce(o.closed_at, o.finished_at, o.created_at) as at, s.number, a.cause, o.energy_wh, o.total,
        o.failure_reason
      from ${attempts} a join operations o on o.id = a.id join stations s on s.id = o.station_id
      where o.user_id = ${user} and a.cause is not null and o.created_at > ${since}
      order by o.id desc limit 1`.execute(db);
    const [row] = rows;
    if (!row) return null;
    return {
      id: row.id,
      at: row.at.toISOString(),
      station_number: row.number,
      cause: row.cause,
      energy: wattHours(row.energy_wh),
      total: kopecks(row.total),
      raw: isTechnical ? row.failure_reason : null,
    };
  }

  async function messagesTo(user: number): Promise<UserNow['messages']> {
    const rows = await db
      .selectFrom('sent_messages')
      .selectAll()
      .where('user_id', '=', user)
      .orderBy('id', 'desc')
      .limit(shownMessages)
      .execute();
    return rows.map(({ id, channel, text, state, staff_id, created_at, settled_at }) => ({
      id,
      channel,
      text,
      state,
      is_by_staff: staff_id !== null,
      at: (settled_at ?? created_at).toISOString(),
    }));
  }

  /** `isTechnical`: the reader may see what devices said. */
  return async (user: number, isTechnical: boolean): Promise<UserNow> => {
    const known = await db.selectFrom('users').select('id').where('id', '=', user).executeTakeFirst();
    if (!known) throw new Refusal('user_not_found');
    const found = await chargeOf(user);
    const [answers, money, failure, written, messages] = await Promise.all([
      found ? answersOf(found.charge.id, found.chargePoint, isTechnical) : [],
      moneyOf(user),
      failureOf(user, isTechnical),
      notes.list('user', user),
      messagesTo(user),
    ]);
    return { charge: found?.charge ?? null, answers, money, failure, notes: written.slice(0, shownNotes), messages };
  };
}

export type ReadUserNow = ReturnType<typeof createUserNow>;

/** The answer of a charge point in one word; a device that refuses says so in its answer. */
export function chargerOutcomeOf(status: string, answer: unknown): ChargerOutcome {
  if (status === 'answered') {
    const said = (answer as { status?: unknown } | null)?.status;
    return said === undefined || said === 'Accepted' || said === 'Unlocked' || said === 'Scheduled'
      ? 'accepted'
      : 'refused';
  }
  if (status === 'error') return 'refused';
  if (status === 'offline') return 'offline';
  return status === 'queued' || status === 'sent' ? 'waiting' : 'no_answer';
}
