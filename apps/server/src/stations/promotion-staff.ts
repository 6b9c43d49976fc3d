import { addPromotion, type PromotionForm, type PromotionItem } from '@fpay/contract/admin/network/promotions';
import { kopecks } from '@fpay/contract/money';
import { sql } from 'kysely';
import type { Approvals } from '../platform/approvals.ts';
import type { Audit } from '../platform/audit.ts';
import type { Clock } from '../platform/clock.ts';
import { type Database, isUniqueViolation } from '../platform/database.ts';
import { kyivDate } from '../platform/kyiv-time.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step, Steps } from '../platform/step.ts';
import { isRunning, rewardTermsOf } from './promotion.ts';

/** What staff may do to promotions, on record. */
export interface PromotionStaff {
  list(): Promise<PromotionItem[]>;
  /** @refuses invalid_input */
  add(staff: number, form: PromotionForm): Promise<{ id: number; is_waiting: boolean }>;
  /** @refuses not_found, invalid_input */
  change(staff: number, id: number, form: PromotionForm): Promise<{ is_waiting: boolean }>;
  /** @refuses not_found */
  end(staff: number, id: number): Promise<void>;
}

interface Dependencies {
  db: Database;
  steps: Steps;
  clock: Clock;
  audit: Audit;
  approvals: Pick<Approvals, 'on' | 'request'>;
  /** A reward above it, and one without a budget per day, waits for a second staff member before it begins. */
  staffLimit: number;
}

const wrong = (field: string, reason: string) => new Refusal('invalid_input', { fields: { [field]: [reason] } });
const subject = (id: number) => ({ kind: 'promotion', id }) as const;

export function createPromotionStaff({ db, steps, clock, audit, approvals, staffLimit }: Dependencies): PromotionStaff {
  async function columnsOf(step: Step, { kind, code, station_number, days, reward, budget_per_day }: PromotionForm) {
    const station =
      station_number === null
        ? null
        : await step.db
            .selectFrom('stations')
            .select('id')
            .where('number', '=', station_number)
            .where('retired_at', 'is', null)
            .executeTakeFirst();
    if (station === undefined) throw wrong('station_number', 'There is no such station.');
    return {
      kind,
      code,
      station_id: station?.id ?? null,
      from_day: days?.from ?? null,
      to_day: days?.to ?? null,
      terms: JSON.stringify(reward ? { min_energy_wh: reward.min_energy, amount: reward.amount } : {}),
      budget_per_day,
    };
  }

  /**
   * What can give more than the limit in one charge, or any sum on one day, does not begin before a second staff member has approved
   * these terms.
   */
  const waits = ({ reward, budget_per_day: budget }: PromotionForm): boolean =>
    reward !== null && (reward.amount > staffLimit || budget === null);

  async function askIfGenerous(step: Step, staff: number, id: number, revision: number, form: PromotionForm) {
    if (form.reward === null || !waits(form)) return;
    const payload = { code: form.code, station: form.station_number, revision, budget: form.budget_per_day };
    const asked = {
      kind: 'promotion',
      subject: subject(id),
      worth: form.reward.amount,
      recipient: null,
      payload,
    } as const;
    await approvals.request(step, { ...asked, staff, requestKey: `promotion:${id}:${revision}` });
  }

  approvals.on('promotion', {
    calls: [addPromotion],
    area: 'promotion',
    // A promotion is for everybody who charges there, so it is not the money of the one who approves it.
    refuseDecider: async () => {},
    async carryOut(step, { subject: about, payload }) {
      const changed = await step.db
        .updateTable('promotions')
        .set({ is_waiting: false })
        .where('id', '=', about.id)
        .where('revision', '=', payload.revision)
        .returning('id')
        .executeTakeFirst();
      // It was changed or ended since: what was asked for is not there any more.
      if (!changed) throw new Refusal('action_not_applicable');
    },
  });

  async function unique<T>(write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (error) {
      if (isUniqueViolation(error)) throw wrong('code', 'There is such a promotion already.');
      throw error;
    }
  }

  async function lock(step: Step, id: number) {
    const row = await step.db.selectFrom('promotions').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
    if (!row) throw new Refusal('not_found');
    return row;
  }

  /** Its authors get no reward from it. */
  async function addAuthor(step: Step, promotion: number, staff: number): Promise<void> {
    await step.db
      .insertInto('promotion_authors')
      .values({ promotion_id: promotion, user_id: staff })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  return {
    async list() {
      const rows = await db
        .selectFrom('promotions')
        .leftJoin('stations', 'stations.id', 'promotions.station_id')
        .leftJoin('promotion_days', (join) =>
          join
            .onRef('promotion_days.promotion_id', '=', 'promotions.id')
            .on('promotion_days.day', '=', sql<Date>`${kyivDate(clock.now())}::date`),
        )
        .selectAll('promotions')
        .select(['stations.number', 'promotion_days.paid'])
        .orderBy('promotions.id')
        .execute();
      return rows.map(({ id, code, kind, number, from_day, to_day, terms, is_waiting, budget_per_day, paid }) => {
        const days = from_day !== null && to_day !== null ? { from: from_day, to: to_day } : null;
        return {
          id,
          code,
          kind: kind as PromotionItem['kind'],
          station_number: number,
          days,
          reward: kind === 'reward' ? rewardTermsOf(terms) : null,
          budget_per_day: budget_per_day === null ? null : kopecks(budget_per_day),
          paid_today: kopecks(paid ?? 0),
          is_waiting,
          is_running: !is_waiting && isRunning({ days }, clock.now()),
        };
      });
    },

    add: (staff, form) =>
      unique(() =>
        steps.run(async (step) => {
          const { id } = await step.db
            .insertInto('promotions')
            .values({ ...(await columnsOf(step, form)), is_waiting: waits(form) })
            .returning('id')
            .executeTakeFirstOrThrow();
          await addAuthor(step, id, staff);
          await audit(step, { staff, action: 'promotion.add', subject: subject(id), after: form });
          await askIfGenerous(step, staff, id, 1, form);
          return { id, is_waiting: waits(form) };
        }),
      ),

    change: (staff, id, form) =>
      unique(() =>
        steps.run(async (step) => {
          const before = await lock(step, id);
          const revision = before.revision + 1;
          await step.db
            .updateTable('promotions')
            .set({ ...(await columnsOf(step, form)), revision, is_waiting: waits(form) })
            .where('id', '=', id)
            .execute();
          await addAuthor(step, id, staff);
          await audit(step, { staff, action: 'promotion.change', subject: subject(id), before, after: form });
          await askIfGenerous(step, staff, id, revision, form);
          return { is_waiting: waits(form) };
        }),
      ),

    end: (staff, id) =>
      steps.run(async (step) => {
        const before = await lock(step, id);
        await step.db.deleteFrom('promotions').where('id', '=', id).execute();
        await audit(step, { staff, action: 'promotion.end', subject: subject(id), before });
      }),
  };
}
