import type { Commissioning, CommissioningCheck, CommissioningStep } from '@fpay/contract/admin/network/commissioning';
import { type Audit, noRecord } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Step, Steps } from '../../platform/step.ts';
import { commissioningFacts } from './facts.ts';
import { type CommissioningFaults, commissioningSteps, nothingOpen, stepKey } from './steps.ts';

interface Dependencies {
  db: Database;
  steps: Steps;
  clock: Clock;
  audit: Audit;
}

/** The checklist of a new charge point. Its steps are what the charger has reported; only faults are typed. */
export interface Commissionings {
  /** @refuses not_found */
  ofChargePoint(chargePoint: number): Promise<Commissioning | null>;
  /** @refuses not_found */
  find(id: number): Promise<Commissioning>;
  /** @refuses not_found */
  start(staff: number, chargePoint: number): Promise<Commissioning>;
  /** @refuses not_found action_not_applicable */
  recordFault(
    staff: number,
    id: number,
    step: { check: CommissioningCheck; connector: number | null },
    note: string,
  ): Promise<Commissioning>;
  /** @refuses not_found action_not_applicable */
  finish(staff: number, id: number): Promise<Commissioning>;
}

interface Row {
  id: number;
  charge_point_id: number;
  started_at: Date;
  finished_at: Date | null;
  faults: unknown;
  result: unknown;
  identity: string;
  staff: string;
}

export function createCommissionings({ db, steps, clock, audit }: Dependencies): Commissionings {
  const select = (from: Database | Step['db']) =>
    from
      .selectFrom('commissionings as c')
      .innerJoin('charge_points as p', 'p.id', 'c.charge_point_id')
      .innerJoin('users as u', 'u.id', 'c.staff_id')
      .select(['c.id', 'c.charge_point_id', 'c.started_at', 'c.finished_at', 'c.faults', 'c.result'])
      .select(['p.identity', 'u.name as staff']);

  async function shown(from: Database | Step['db'], row: Row): Promise<Commissioning> {
    const station = await from
      .selectFrom('connectors')
      .innerJoin('stations', 'stations.id', 'connectors.station_id')
      .select('stations.number')
      .where('connectors.charge_point_id', '=', row.charge_point_id)
      .orderBy('connectors.id')
      .executeTakeFirst();
    return {
      id: row.id,
      charge_point: { id: row.charge_point_id, identity: row.identity, station: station?.number ?? null },
      staff: row.staff,
      started_at: row.started_at.toISOString(),
      finished_at: row.finished_at?.toISOString() ?? null,
      steps: (row.result as CommissioningStep[] | null) ?? (await present(from, row)),
    };
  }

  /** As the charger has reported until now; a finished one has its result. */
  async function present(from: Database | Step['db'], row: Row): Promise<CommissioningStep[]> {
    const facts = await commissioningFacts(from, row.charge_point_id, row.started_at);
    return facts ? commissioningSteps(row.faults as CommissioningFaults, facts) : [];
  }

  async function lockOpen(step: Step, id: number): Promise<Row> {
    const row = await select(step.db).where('c.id', '=', id).forUpdate('c').executeTakeFirst();
    if (!row) throw new Refusal('not_found');
    if (row.finished_at !== null) throw new Refusal('action_not_applicable');
    return row;
  }

  const newest = (from: Database | Step['db'], chargePoint: number) =>
    select(from).where('c.charge_point_id', '=', chargePoint).orderBy('c.id', 'desc').limit(1).executeTakeFirst();

  return {
    async ofChargePoint(chargePoint) {
      const point = await db.selectFrom('charge_points').select('id').where('id', '=', chargePoint).executeTakeFirst();
      if (!point) throw new Refusal('not_found');
      const row = await newest(db, chargePoint);
      return row ? shown(db, row) : null;
    },

    async find(id) {
      const row = await select(db).where('c.id', '=', id).executeTakeFirst();
      if (!row) throw new Refusal('not_found');
      return shown(db, row);
    },

    start(staff, chargePoint) {
      return steps.run(async (step) => {
        // Locked, so that two phones begin one commissioning.
        const point = await step.db
          .selectFrom('charge_points')
          .select('id')
          .where('id', '=', chargePoint)
          .forUpdate()
          .executeTakeFirst();
        if (!point) throw new Refusal('not_found');
        const open = await newest(step.db, chargePoint);
        if (open && open.finished_at === null) {
          noRecord('unchanged');
          return shown(step.db, open);
        }
        await step.db
          .insertInto('commissionings')
          .values({ charge_point_id: chargePoint, staff_id: staff, started_at: clock.now() })
          .execute();
        const subject = { kind: 'charge-point', id: chargePoint } as const;
        await audit(step, { staff, action: 'charge-point.commission', subject });
        const row = await newest(step.db, chargePoint);
        if (!row) throw new Error('The commissioning was not stored');
        return shown(step.db, row);
      });
    },

    recordFault(staff, id, { check, connector }, note) {
      return steps.run(async (step) => {
        const row = await lockOpen(step, id);
        const { [stepKey(check, connector)]: _withdrawn, ...others } = row.faults as CommissioningFaults;
        const text = note.trim();
        const faults = text === '' ? others : { ...others, [stepKey(check, connector)]: text };
        const known = await present(step.db, row);
        if (!known.some((one) => one.check === check && one.connector === connector)) {
          throw new Refusal('action_not_applicable');
        }
        await step.db
          .updateTable('commissionings')
          .set({ faults: JSON.stringify(faults) })
          .where('id', '=', id)
          .execute();
        await audit(step, {
          staff,
          action: 'charge-point.commissioning-fault',
          subject: { kind: 'charge-point', id: row.charge_point_id },
          after: { commissioning: id, check, connector },
          personal: { note: text },
        });
        return shown(step.db, { ...row, faults });
      });
    },

    finish(staff, id) {
      return steps.run(async (step) => {
        const row = await lockOpen(step, id);
        const result = await present(step.db, row);
        if (result.length === 0 || !nothingOpen(result)) throw new Refusal('action_not_applicable');
        const finished = { finished_at: clock.now(), result: JSON.stringify(result) };
        await step.db.updateTable('commissionings').set(finished).where('id', '=', id).execute();
        const subject = { kind: 'charge-point', id: row.charge_point_id } as const;
        const faults = result.filter(({ state }) => state === 'fault').length;
        await audit(step, {
          staff,
          action: 'charge-point.commissioned',
          subject,
          after: { commissioning: id, faults },
        });
        return shown(step.db, { ...row, finished_at: finished.finished_at, result });
      });
    },
  };
}
