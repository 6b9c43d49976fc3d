import type { Kopecks } from '@fpay/contract/money';
import { sql } from 'kysely';
import type { ApprovalRequest, Approvals, KindOfApproval } from '../platform/approvals.ts';
import type { StaffAction } from '../platform/audit.ts';
import type { Clock } from '../platform/clock.ts';
import type { Step } from '../platform/step.ts';

const dayMs = 24 * 3_600_000;

/** The ways in which an action of staff gives money away, or energy that would have to be paid. */
export type WayOut = 'gift' | 'reversal' | 'refund' | 'capture' | 'hold' | 'energy' | 'end';

export interface MoneyOut<Kind extends KindOfApproval> {
  way: WayOut;
  amount: Kopecks;
  staff: number;
  /** Who gets it. */
  user: number;
  subject: StaffAction['subject'];
  /** A stop is safety: only what it gives away counts. */
  isSafety?: boolean;
  /** What waits when it is above the limit. */
  kind: Kind;
  payload: ApprovalRequest<Kind>['payload'];
  reason?: string | null;
  requestKey: string;
}

interface Reward {
  promotion: number;
  user: number;
  amount: Kopecks;
}

/**
 * The limit of what staff may give away without a second staff member: the sum of 24 hours, per staff member and per recipient,
 * over every way out. A recipient is a user, and everybody who pays from the same wallet.
 */
export interface StaffLimits {
  /**
   * To be called before the step locks anything that another step of the same staff member or for the same recipient may hold:
   * from here until the step ends no other step changes their sums.
   */
  lock(step: Step, staff: number, user: number): Promise<void>;
  /** The request that waits under this request key; null: none was made. */
  waiting(step: Step, requestKey: string): Promise<number | null>;
  /**
   * Counts what an action gives away, before the action. Null: it may happen now. Otherwise nothing may happen: it waits under
   * the returned id.
   */
  count<Kind extends KindOfApproval>(step: Step, out: MoneyOut<Kind>): Promise<number | null>;
  /** Counts what a second staff member has approved: it is on record and uses up nothing. */
  countApproved(
    step: Step,
    approval: { id: number; requestedBy: number; subject: StaffAction['subject'] },
    out: Pick<MoneyOut<KindOfApproval>, 'way' | 'amount' | 'user'>,
  ): Promise<void>;
  /** Whether `count` would make it wait. */
  isAbove(
    step: Step,
    out: Pick<MoneyOut<KindOfApproval>, 'amount' | 'staff' | 'user' | 'subject' | 'isSafety'>,
  ): Promise<boolean>;
  /** Whether an action of this staff member waits whatever its sum, because it may be about their own money. */
  needsSecondPerson(step: Step, staff: number, subject: StaffAction['subject']): Promise<boolean>;
  /** Whether they pay from one wallet, or are the same. */
  sharesWallet(step: Step, user: number | null, other: number): Promise<boolean>;
  /** Counts a reward of a promotion for its recipient. It was promised, so one above the limit is paid too; staff see it. */
  countReward(step: Step, reward: Reward): Promise<void>;
}

interface Dependencies {
  approvals: Pick<Approvals, 'request' | 'waiting'>;
  clock: Clock;
  limit: Kopecks;
  needsSecondPerson: StaffLimits['needsSecondPerson'];
}

export function createStaffLimits({ approvals, clock, limit, needsSecondPerson }: Dependencies): StaffLimits {
  /** In a fixed order, so that no two steps wait for each other here. A lock may be taken again in the same step. */
  async function lockAll(step: Step, keys: readonly string[]): Promise<void> {
    for (const key of [...new Set(keys)].sort()) {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`staff-limit ${key}`}, 0))`.execute(step.db);
    }
  }

  async function walletOf(step: Step, user: number): Promise<number> {
    const row = await step.db.selectFrom('users').select('wallet_id').where('id', '=', user).executeTakeFirstOrThrow();
    return row.wallet_id;
  }

  async function lock(step: Step, staff: number | null, user: number): Promise<number> {
    const wallet = await walletOf(step, user);
    const own = staff === null ? [] : [`staff ${staff}`];
    await lockAll(step, [...own, `user ${user}`, `wallet ${wallet}`]);
    return wallet;
  }

  /** What they gave or got in the last 24 hours, the larger of the sums of the user and of the wallet. */
  async function sums(step: Step, { staff, user, wallet }: { staff: number | null; user: number; wallet: number }) {
    const since = new Date(clock.now().getTime() - dayMs);
    const sumOf = (column: string, id: number | null) =>
      sql`(select coalesce(sum(amount), 0)::float8 from staff_money_out
        where ${sql.ref(column)} = ${id} and approval_id is null and created_at > ${since})`;
    const { rows } = await sql<{ given: number; by_user: number; by_wallet: number }>`
      select ${sumOf('staff_id', staff)} as given, ${sumOf('user_id', user)} as by_user,
        ${sumOf('wallet_id', wallet)} as by_wallet`.execute(step.db);
    const { given = 0, by_user = 0, by_wallet = 0 } = rows[0] ?? {};
    return { given, got: Math.max(by_user, by_wallet) };
  }

  interface Entry {
    way: WayOut | 'reward';
    amount: Kopecks;
    staff: number | null;
    user: number;
    wallet: number;
    subject: StaffAction['subject'];
    approval?: number;
    isAbove?: boolean;
  }

  async function record(step: Step, entry: Entry): Promise<void> {
    await step.db
      .insertInto('staff_money_out')
      .values({
        staff_id: entry.staff,
        user_id: entry.user,
        wallet_id: entry.wallet,
        way: entry.way,
        amount: entry.amount,
        subject_kind: entry.subject.kind,
        subject_id: entry.subject.id,
        approval_id: entry.approval ?? null,
        is_above_limit: entry.isAbove ?? false,
        created_at: clock.now(),
      })
      .execute();
  }

  async function isAbove(step: Step, who: { staff: number; user: number; wallet: number }, amount: Kopecks) {
    const { given, got } = await sums(step, who);
    return Math.max(given, got) + amount > limit;
  }

  return {
    async lock(step, staff, user) {
      await lock(step, staff, user);
    },

    waiting: approvals.waiting,

    needsSecondPerson,

    async count(step, { way, amount, staff, user, subject, isSafety = false, kind, payload, reason, requestKey }) {
      const isDoubtful = !isSafety && (await needsSecondPerson(step, staff, subject));
      if (amount === 0 && !isDoubtful) return null;
      const wallet = await lock(step, staff, user);
      if (isDoubtful || (await isAbove(step, { staff, user, wallet }, amount))) {
        const asked = { kind, subject, worth: amount, recipient: user, payload, staff, requestKey };
        return approvals.request(step, reason === undefined ? asked : { ...asked, reason });
      }
      await record(step, { way, amount, staff, user, wallet, subject });
      return null;
    },

    async countApproved(step, { id, requestedBy, subject }, { way, amount, user }) {
      if (amount === 0) return;
      const wallet = await walletOf(step, user);
      await record(step, { way, amount, staff: requestedBy, user, wallet, subject, approval: id });
    },

    async isAbove(step, { amount, staff, user, subject, isSafety = false }) {
      if (!isSafety && (await needsSecondPerson(step, staff, subject))) return true;
      return amount > 0 && isAbove(step, { staff, user, wallet: await walletOf(step, user) }, amount);
    },

    async sharesWallet(step, user, other) {
      return user !== null && (user === other || (await walletOf(step, user)) === (await walletOf(step, other)));
    },

    async countReward(step, { promotion, user, amount }) {
      const wallet = await lock(step, null, user);
      const { got } = await sums(step, { staff: null, user, wallet });
      const subject = { kind: 'promotion', id: promotion } as const;
      await record(step, { way: 'reward', amount, staff: null, user, wallet, subject, isAbove: got + amount > limit });
    },
  };
}
