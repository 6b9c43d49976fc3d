import { changeTariff, type TariffTerms } from '@fpay/contract/admin/network/tariffs';
import { sql } from 'kysely';
import type { Approvals } from '../platform/approvals.ts';
import type { Audit } from '../platform/audit.ts';
import type { Clock } from '../platform/clock.ts';
import type { DueKind, DueWork } from '../platform/jobs/due-work.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step, Steps } from '../platform/step.ts';
import { createCatalogue } from './catalogue.ts';
import { readTariff } from './tariff.ts';
import { isGenerous, type Reduction, reductionOf } from './tariff-reduction.ts';

/** What staff may do to tariffs, on record. An operation has the price of its start, so none of this touches a running one. */
export interface TariffStaff {
  /** @refuses invalid_input */
  add(staff: number, name: string, terms: TariffTerms): Promise<number>;
  /**
   * Now, or at a later time; a change that makes a paid hour free, or gives more than the limit in one charge, when a second staff
   * member has approved it. Until then the present terms stay.
   * @refuses not_found, invalid_input
   */
  change(staff: number, tariff: number, terms: TariffTerms, startsAt: Date | null): Promise<ChangedTariff>;
  /** @refuses not_found, action_not_applicable */
  withdraw(staff: number, change: number): Promise<void>;
  /** Applies planned changes when their time has come. */
  due: Extract<DueKind, { name: 'tariff-change' }>;
}

export interface ChangedTariff {
  /** Of the change. */
  id: number;
  is_waiting: boolean;
}

interface Dependencies {
  approvals: Pick<Approvals, 'on' | 'request'>;
  /** In kopecks: what one charge may cost less without a second staff member. */
  staffLimit: number;
  steps: Steps;
  clock: Clock;
  audit: Audit;
  dueWork: Pick<DueWork, 'wake'>;
}

interface NewChange {
  tariff: number;
  staff: number;
  terms: TariffTerms;
  startsAt: Date;
  status: 'waiting' | 'planned' | 'applied';
  gives?: number;
}

const dayMs = 24 * 3_600_000;

export function createTariffStaff(dependencies: Dependencies): TariffStaff {
  const { steps, clock, audit, dueWork, approvals, staffLimit } = dependencies;

  const columnsOf = ({ price, hours, discount, idle }: TariffTerms) => ({
    price,
    hours: hours && JSON.stringify(hours),
    discount: discount && JSON.stringify(discount),
    idle: idle && JSON.stringify(idle),
  });

  async function record(step: Step, { tariff, staff, terms, startsAt, status, gives = 0 }: NewChange): Promise<number> {
    const { id } = await step.db
      .insertInto('tariff_changes')
      .values({
        tariff_id: tariff,
        ...columnsOf(terms),
        starts_at: startsAt,
        status,
        gives,
        staff_id: staff,
        created_at: clock.now(),
        next_action_at: status === 'planned' ? startsAt : null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  /** The price of a connector is on its station's page and on the map, so those are drawn again. */
  async function apply(step: Step, tariff: number, columns: ReturnType<typeof columnsOf>): Promise<void> {
    await step.db.updateTable('tariffs').set(columns).where('id', '=', tariff).execute();
    const stations = await step.db
      .selectFrom('connectors')
      .select('station_id')
      .distinct()
      .where('tariff_id', '=', tariff)
      .execute();
    for (const { station_id } of stations) step.publish('station', station_id);
  }

  async function lock(step: Step, id: number) {
    const tariff = await step.db.selectFrom('tariffs').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
    if (!tariff) throw new Refusal('not_found');
    return tariff;
  }
  const subject = (id: number) => ({ kind: 'tariff', id }) as const;

  /** A price that falls in several small changes is one fall. What a second staff member approved does not count. */
  async function waits(step: Step, tariff: number, reduction: Reduction): Promise<boolean> {
    const since = new Date(clock.now().getTime() - dayMs);
    const { given } = await step.db
      .selectFrom('tariff_changes')
      .select(sql<number>`coalesce(sum(gives), 0)::float8`.as('given'))
      .where('tariff_id', '=', tariff)
      .where('status', 'in', ['planned', 'applied'])
      .where('created_at', '>', since)
      .executeTakeFirstOrThrow();
    return isGenerous(reduction, staffLimit, given);
  }

  approvals.on('tariff', {
    calls: [changeTariff],
    area: 'tariff',
    // A price is for everybody who charges, so it is not the money of the one who approves it.
    refuseDecider: async () => {},
    async carryOut(step, { subject: { id: tariff }, payload }) {
      await lock(step, tariff);
      const { id, status, starts_at, ...terms } = await step.db
        .selectFrom('tariff_changes')
        .select(['id', 'status', 'starts_at', 'price', 'hours', 'discount', 'idle'])
        .where('id', '=', payload.change)
        .forUpdate()
        .executeTakeFirstOrThrow();
      // It was withdrawn meanwhile.
      if (status !== 'waiting') throw new Refusal('action_not_applicable');
      const now = clock.now();
      const isPlanned = payload.starts_at !== null && starts_at > now;
      await step.db
        .updateTable('tariff_changes')
        .set(
          isPlanned
            ? { status: 'planned', gives: 0, next_action_at: starts_at }
            : { status: 'applied', gives: 0, starts_at: now },
        )
        .where('id', '=', id)
        .execute();
      if (!isPlanned) await apply(step, tariff, columnsOf(readTariff(terms)));
      step.afterCommit(() => dueWork.wake('tariff-change'));
    },
  });

  return {
    add: (staff, name, terms) =>
      steps.run(async (step) => {
        const catalogue = createCatalogue(step);
        if ((await catalogue.tariffNamed(name)) !== null) {
          throw new Refusal('invalid_input', { fields: { name: ['There is a tariff of this name.'] } });
        }
        const id = await catalogue.putTariff({ name, ...terms });
        await record(step, { tariff: id, staff, terms, startsAt: clock.now(), status: 'applied' });
        await audit(step, { staff, action: 'tariff.add', subject: subject(id), after: { name, ...terms } });
        return id;
      }),

    change: (staff, tariff, terms, startsAt) =>
      steps.run(async (step) => {
        const { name, price, hours, discount, idle } = await lock(step, tariff);
        const now = clock.now();
        if (startsAt !== null && startsAt <= now) {
          throw new Refusal('invalid_input', { fields: { starts_at: ['must be in the future'] } });
        }
        const isPlanned = startsAt !== null;
        const reduction = reductionOf(readTariff({ price, hours, discount, idle }), terms, now);
        const { gives, makesFree } = reduction;
        const isWaiting = await waits(step, tariff, reduction);
        const status = isWaiting ? 'waiting' : isPlanned ? 'planned' : 'applied';
        const id = await record(step, { tariff, staff, terms, startsAt: startsAt ?? now, status, gives });
        if (status === 'applied') await apply(step, tariff, columnsOf(terms));
        const action = isPlanned ? 'tariff.plan' : 'tariff.change';
        const before = { name, price, hours, discount, idle };
        const after = { ...terms, ...(isPlanned && { starts_at: startsAt }), ...(isWaiting && { waits: true }) };
        await audit(step, { staff, action, subject: subject(tariff), before, after });
        if (isWaiting)
          await approvals.request(step, {
            kind: 'tariff',
            subject: subject(tariff),
            worth: gives,
            recipient: null,
            payload: { change: id, name, is_free: makesFree, starts_at: startsAt?.toISOString() ?? null },
            staff,
            requestKey: `tariff:${id}`,
          });
        step.afterCommit(() => dueWork.wake('tariff-change'));
        return { id, is_waiting: isWaiting };
      }),

    withdraw: (staff, id) =>
      steps.run(async (step) => {
        const change = await step.db
          .selectFrom('tariff_changes')
          .select(['tariff_id', 'status', 'starts_at', 'price'])
          .where('id', '=', id)
          .forUpdate()
          .executeTakeFirst();
        if (!change) throw new Refusal('not_found');
        if (change.status !== 'planned' && change.status !== 'waiting') throw new Refusal('action_not_applicable');
        await step.db
          .updateTable('tariff_changes')
          .set({ status: 'withdrawn', next_action_at: null })
          .where('id', '=', id)
          .execute();
        const before = { id, starts_at: change.starts_at, price: change.price };
        await audit(step, { staff, action: 'tariff.withdraw', subject: subject(change.tariff_id), before });
      }),

    due: {
      name: 'tariff-change',
      table: 'tariff_changes',
      async act(step, id) {
        const change = await step.db
          .selectFrom('tariff_changes')
          .selectAll()
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        if (change.status === 'planned') {
          const { price, hours, discount, idle } = change;
          await apply(step, change.tariff_id, columnsOf(readTariff({ price, hours, discount, idle })));
          const about = { action: 'tariff.apply', subject: subject(change.tariff_id), after: { planned: id, price } };
          await audit(step, { staff: change.staff_id, by: 'job', ...about });
        }
        await step.db
          .updateTable('tariff_changes')
          .set({ next_action_at: null, ...(change.status === 'planned' && { status: 'applied' }) })
          .where('id', '=', id)
          .execute();
      },
    },
  };
}
