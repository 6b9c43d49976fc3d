import { randomUUID } from 'node:crypto';
import { kopecks } from '@fpay/contract/money';
import { createRandom } from '@fpay/simulator/src/random.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type StaffSubject, staffActions } from '../../charging/testing/staff-actions.ts';
import { openStaffActions } from '../../charging/testing/staff-subjects.ts';
import { createFeedbackService } from '../../feedback/service.ts';
import { Refusal } from '../../platform/refusal.ts';
import { overallStats } from './figures.ts';
import { recountStats } from './recount.ts';
import { stationFiguresIn } from './station-days.ts';

/**
 * Figures per UTC hour against a count of all operations, while everything that may change a figure after the end happens in a
 * random order: late corrections, forced energy and statuses, refunds, feedback, guests who register or join an account, accounts
 * that are deleted.
 */
let world: Awaited<ReturnType<typeof openStaffActions>>;
beforeAll(async () => {
  world = await openStaffActions();
});
afterAll(() => world.close());

const rounds = 120;
const seed = process.env.SEED ?? 'hours';
const first = Date.UTC(2025, 5, 1, 20);
const hourMs = 3_600_000;
/** Two whole UTC days lie between the ends, so that figures per day are read too. */
const hours = 60;

/** Sums of every figure, from the operations alone. */
const counted = (from: Date, to: Date, people: boolean) =>
  sql<{ sums: Record<string, unknown> }>`
    select to_jsonb(s) as sums from (
      select coalesce(sum(operations), 0)::float8 as operations, coalesce(sum(energy_wh), 0)::float8 as energy,
        coalesce(sum(total), 0)::float8 as total, coalesce(sum(lost), 0)::float8 as lost,
        coalesce(sum(overcharge), 0)::float8 as overcharge, coalesce(sum(successful), 0)::float8 as successful,
        coalesce(sum(canceled), 0)::float8 as canceled, coalesce(sum(failed), 0)::float8 as failed,
        coalesce(sum(ratings), 0)::float8 as ratings
      from (select * from count_operations(${from}, ${to}, false) union all select * from count_operations(${from}, ${to}, true)) c
      where ${people} or not is_temporary) s`.execute(world.db);

/**
 * Net revenue from the entries of the ledger alone: what came in for each finished charge and is still there. Where the money is
 * still to be captured, the total is expected.
 */
async function fromLedger(from: Date, to: Date, people: boolean) {
  const { rows } = await sql<{ net: number; rewards: number }>`
    with entries as (
      select a.operation_id, sum(e.amount) as kept, -coalesce(sum(e.amount) filter (where e.kind in ('promo', 'reward back')), 0) as rewards
      from accounts a join (
        select to_account as account, case when exists (
          select from transfers r where r.id = t.reverses_id and r.kind = 'promo') then 'reward back' else kind end as kind, amount
        from transfers t where to_account >= 100
        union all select from_account, kind, -amount from transfers where from_account >= 100) e on e.account = a.id
      where a.kind = 'earned' group by 1)
    select coalesce(sum(case when p.captured > 0 then coalesce(e.kept, 0) else o.total - o.lost end), 0)::float8 as net,
      coalesce(sum(e.rewards), 0)::float8 as rewards
    from operations o join users u on u.id = o.user_id left join payments p on p.operation_id = o.id
      left join entries e on e.operation_id = o.id
    where o.created_at >= ${from} and o.created_at < ${to} and (${people} or not u.is_temporary)
      and o.status in ('finished', 'pending_final_payment')`.execute(world.db);
  return rows[0];
}

async function shown(from: Date, to: Date, withTemporary: boolean) {
  const { kwh, uah, count, feedback } = await overallStats(world.db, { from, to, station: null, withTemporary });
  return {
    operations: count.total,
    energy: Math.round(kwh * 1000),
    total: uah.total,
    lost: uah.lost,
    overcharge: uah.overcharge,
    successful: count.successful,
    canceled: count.canceled,
    failed: count.failed,
    ratings: feedback.count,
    net: uah.net,
    rewards: uah.rewards,
  };
}

/** The sum over stations, which is read from days where that is possible. */
async function stationSum(from: Date, to: Date, withTemporary: boolean) {
  const { rows } = await sql<{ energy: number; total: number; operations: number }>`
    select coalesce(sum(energy_wh), 0)::float8 as energy, coalesce(sum(total), 0)::float8 as total,
      coalesce(sum(operations), 0)::float8 as operations
    from ${stationFiguresIn({ from, to, station: null, withTemporary })} f`.execute(world.db);
  return rows[0];
}

test(`figures per UTC hour equal a full count, and net revenue equals the ledger, after every change [ADM-STAT-12] (seed ${seed})`, async () => {
  const { next: random } = createRandom(seed);
  const { db, steps, features, clock } = world;
  const feedback = createFeedbackService({
    db,
    steps,
    clock,
    operationOf: features.charging.operations.find,
    stored: async () => {},
  });
  const subjects: StaffSubject[] = [];
  const below = (most: number) => Math.floor(random() * most);
  const one = <T>(all: readonly T[]): T => all[below(all.length)] as T;
  const some = () => one(subjects);
  const done: string[] = [];

  const changes: Record<string, () => Promise<unknown>> = {
    charge: async () => {
      const statuses = ['finished', 'finished', 'finished', 'ongoing', 'pending_final_payment', 'canceled'] as const;
      const status = one(statuses);
      const subject = await world.subjectIn(
        status,
        status === 'pending_final_payment' ? 'card' : one(['card', 'balance']),
      );
      const at = new Date(first + below(hours * 60) * 60_000);
      await sql`update operations set created_at = ${at} where id = ${subject.operation}`.execute(db);
      if (random() < 0.3) await sql`update users set is_temporary = true where id = ${subject.user}`.execute(db);
      subjects.push(subject);
    },
    action: async () => {
      const action = one([
        'force energy of 60 Wh',
        'force energy of 60 Wh with update_total',
        'force energy of 200 Wh with update_total',
        'cancel payment',
        'cancel payment in part',
        'finalize below the total',
        'cancel hold',
        'cancel transaction with return',
        'finish',
        'force status canceled',
        'force status failed',
        'force status finished',
      ]);
      const subject = { ...some(), requestKey: randomUUID() };
      await staffActions[action]?.(world, subject);
      await world.settleAtBank(subject.user);
      return action;
    },
    'late stop': async () => {
      const { operation } = some();
      await sql`update operations set energy_wh = ${below(400)}, real_total = real_total + 1 where id = ${operation}
        and status = 'finished'`.execute(db);
    },
    feedback: () => {
      const { user, operation } = some();
      return feedback.give({ id: user, role: 'User' } as never, { operation, rating: 1 + below(5), comment: null });
    },
    registers: async () => {
      await sql`update users set is_temporary = false where id = ${some().user}`.execute(db);
    },
    joins: async () => {
      const [guest, user] = [some().user, some().user];
      if (guest === user) return;
      await steps.run((step) => features.accounts.guests.join(step, guest, user));
    },
    leaves: async () => {
      const { user } = some();
      const balance = await features.wallet.service.balanceOf(user);
      const money = { staff: world.staff, user, amount: kopecks(balance), requestKey: randomUUID() };
      if (balance > 0) await features.wallet.staffMoney.decrease(money);
      await features.accounts.leaving.leave(user);
    },
    recount: () => recountStats(db),
    'recount of one hour': () => sql`select recount_stats(1)`.execute(db),
  };
  const names = Object.keys(changes);

  for (let round = 0; round < rounds; round += 1) {
    const name = round < 12 ? 'charge' : one(['action', 'action', 'action', 'feedback', ...names]);
    try {
      done.push(String((await changes[name]?.()) ?? name));
    } catch (error) {
      // Not every action fits every state; a refused one must not change a figure either.
      if (!(error instanceof Refusal)) throw error;
      done.push(`${name}: ${error.code}`);
    }
    const cuts = [first + below(hours * 60) * 60_000, first + below(hours * 60) * 60_000].toSorted((a, b) => a - b);
    const ranges = [[new Date(first), new Date(first + hours * hourMs)], cuts.map((at) => new Date(at))] as [
      Date,
      Date,
    ][];
    for (const [from, to] of ranges) {
      for (const withTemporary of [true, false]) {
        const { sums } = (await counted(from, to, withTemporary)).rows[0] ?? {};
        const after = `round ${round}, ${done.slice(-3).join(', ')}`;
        const { net, rewards, ...seen } = await shown(from, to, withTemporary);
        expect({ after, ...seen }).toEqual({ after, ...sums });
        expect({ after, net, rewards }).toEqual({ after, ...(await fromLedger(from, to, withTemporary)) });
        expect({ after, ...(await stationSum(from, to, withTemporary)) }).toEqual({
          after,
          energy: sums?.energy,
          total: sums?.total,
          operations: sums?.operations,
        });
      }
    }
  }
  // The run did what it promises: every kind of change, some of them refused.
  for (const kind of ['feedback', 'registers', 'leaves', 'late stop'])
    expect(done.some((entry) => entry.startsWith(kind))).toBe(true);
  const { rows } = await sql<{
    hours: number;
  }>`select count(*)::int as hours from stats_hours where station_id = 0`.execute(db);
  expect(rows[0]?.hours).toBeGreaterThan(5);
}, 240_000);
