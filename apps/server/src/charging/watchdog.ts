import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Part } from '../platform/parts.ts';
import type { RowLoops } from '../platform/row-loops.ts';
import type { Step, Steps } from '../platform/step.ts';
import type { AskReading } from './ask-reading.ts';
import { settledEnergy } from './billed-energy.ts';
import type { Notify } from './device.ts';
import { isCharging } from './operation.ts';
import type { Settling } from './settling.ts';
import type { Starting } from './starting.ts';
import type { Stopping } from './stopping.ts';
import type { Operation, OperationStore } from './store.ts';
import type { TerminationType } from './termination.ts';

export interface WatchdogSettings {
  /** A device that is away may come back with all it measured: so long nothing is settled. Under the hold's life. */
  awayHours: number;
}

interface Dependencies {
  db: Database;
  steps: Steps;
  operations: OperationStore;
  starting: Starting;
  stopping: Stopping;
  settling: Settling;
  askReading: AskReading;
  notify: Notify;
  clock: Clock;
  settings: WatchdogSettings;
  rows: RowLoops;
}

interface Rule {
  type: TerminationType;
  /** Over `operations o`, `charge_points p` and `connectors c`. */
  where: RawBuilder<boolean>;
  act: (step: Step, operation: Operation) => Promise<void>;
}

/** A stop that was asked for and not heeded by then: the last reading stands. */
const heedWithin = '10 minutes';
/** A device that was away tells its queue first. It has, once it has been back for so long and quiet for so long… */
const quietFor = '2 minutes';
/** …and one that goes on talking after this is not telling a queue any more. */
const queueTakesAtMost = '30 minutes';

/** Looks once a minute for operations that nobody else would end. Every rule is a row; each acts once and is listed for staff. */
export function createWatchdog(dependencies: Dependencies) {
  const { db, steps, operations, starting, stopping, settling, clock, settings } = dependencies;
  const { askReading, notify, rows: loops } = dependencies;

  const stop = (why: string) => async (step: Step, operation: Operation) => {
    await stopping.stop(step, operation, 'watchdog', why);
  };
  const settle = (why: string) => async (step: Step, operation: Operation) => {
    await operations.note(step, operation.id, 'watchdog', `${why}: settled on the last reading`);
    if (isCharging(operation.status))
      await settling.end(step, operation, { energy: settledEnergy(operation), cause: 'watchdog', reason: null });
  };
  /** The charger is online and did not obey, so what it delivers from here on is not the driver's to pay. */
  const settleIgnored = async (step: Step, operation: Operation) => {
    await settle('the station did not confirm the stop')(step, operation);
    if (operation.billedUntil === null) await operations.change(step, operation.id, { billed_until: clock.now() });
  };

  /** A device that only forgot to report gets the chance to; whatever it says comes before the stop it is asked for. */
  async function askAndStop(step: Step, operation: Operation): Promise<void> {
    await askReading(step, operation);
    await stopping.stop(step, operation, 'watchdog', 'no reading for a quarter of an hour');
  }

  /** Half an hour before an idle charge is ended its driver hears of it; once, however often we look. */
  async function warnIdle(now: Date): Promise<void> {
    const idle = sql<boolean>`o.status = 'ongoing' and o.idle_since < ${now}::timestamptz - interval '30 minutes'`;
    const found = await looking(db, idle).orderBy('o.id').limit(500).execute();
    await loops.each('watchdog.idle-notice', found, idOf, ({ id }) =>
      steps.run(async (step) => {
        const operation = await operations.lock(step, id);
        if (operation?.status === 'ongoing') await notify(step, operation.user, 'idle', { operation: id });
      }),
    );
  }

  function rules(now: Date): Rule[] {
    const since = (column: string, ago: string) =>
      sql<boolean>`${sql.ref(column)} < ${now}::timestamptz - ${ago}::interval`;
    const ago = (interval: RawBuilder<unknown>) => sql`${now}::timestamptz - ${interval}`;
    const backSince = sql`coalesce(p.online_changed_at, '-infinity')`;
    const isBack = sql<boolean>`p.is_online and ${backSince} < ${ago(sql`${quietFor}::interval`)} and (
      ${backSince} < ${ago(sql`${queueTakesAtMost}::interval`)} or not exists (
        select from ocpp_transactions t join meter_samples m on m.ocpp_transaction_id = t.id
        where t.operation_id = o.id and m.received_at >= ${ago(sql`${quietFor}::interval`)}))`;
    // It was online when it was asked, and has had its time: readings that go on are those of a charge, not of a queue.
    const hasIgnoredStop = sql<boolean>`p.is_online and exists (
      select from commands asked where asked.charge_point_id = p.id and asked.operation_id = o.id
        and asked.action = 'RemoteStopTransaction' and asked.sent_at >= ${backSince}
        and asked.sent_at < ${ago(sql`${heedWithin}::interval`)})`;
    // A quarter of an hour, and three readings missed by a device that insists on rare ones.
    const silence = sql`greatest(interval '15 minutes', 3 * interval '1 second' * case
      when p.configuration->'values'->>'MeterValueSampleInterval' ~ '^[0-9]{1,5}$'
      then (p.configuration->'values'->>'MeterValueSampleInterval')::int else 0 end)`;
    // By our clock: a device whose own is hours slow, or that tells an hour's queue, is not silent.
    const isSilentSince = (
      moment: RawBuilder<unknown>,
    ) => sql<boolean>`coalesce(o.last_sample_at, o.status_at) < ${moment}
      and o.status_at < ${moment} and not exists (
        select from ocpp_transactions t join meter_samples m on m.ocpp_transaction_id = t.id
        where t.operation_id = o.id and m.received_at >= ${moment})`;
    return [
      {
        type: 'over_limit',
        where: sql`o.status = 'ongoing' and ${since('o.limit_reached_at', '2 minutes')}`,
        act: stop('the deposit was used up two minutes ago'),
      },
      {
        type: 'silent',
        // While it was away it could not speak: the time counts from when it came back.
        where: sql`o.status = 'ongoing' and p.is_online and ${backSince} < ${ago(silence)}
          and ${isSilentSince(ago(silence))}`,
        act: askAndStop,
      },
      {
        type: 'idle',
        where: sql`o.status = 'ongoing' and ${isBack} and ${since('o.idle_since', '60 minutes')}`,
        act: stop('the car took nothing for an hour'),
      },
      {
        type: 'hold_ending',
        where: sql`o.status in ('ongoing', 'finishing') and ${since('o.created_at', '7 days')}`,
        act: async (step, operation) => {
          await stopping.stop(step, operation, 'watchdog', 'the hold is about to end');
          const stopped = await operations.lock(step, operation.id);
          if (stopped) await settle('the hold is about to end')(step, stopped);
        },
      },
      {
        type: 'stuck',
        where: sql`o.status = 'starting' and ${since('o.status_at', '10 minutes')}`,
        act: (step, operation) => starting.connectorFaulted(step, operation, 'the start took over ten minutes'),
      },
      {
        type: 'stuck',
        where: sql`o.status = 'finishing' and (${isBack} or ${hasIgnoredStop}) and ${since('o.status_at', heedWithin)}`,
        act: settleIgnored,
      },
      {
        // It says the connector is free, so the charge is over, whatever became of its StopTransaction.
        type: 'forgotten',
        where: sql`o.status in ('ongoing', 'finishing') and ${isBack} and c.ocpp_status = 'Available'
          and ${since('c.status_at', heedWithin)} and ${isSilentSince(sql`c.status_at`)}`,
        act: settle('the connector is free again'),
      },
      {
        type: 'away',
        where: sql`o.status in ('ongoing', 'finishing') and not p.is_online
          and p.online_changed_at < ${now}::timestamptz - ${settings.awayHours} * interval '1 hour'`,
        act: settle('the station stayed away'),
      },
    ];
  }

  async function act(rule: Rule, id: number): Promise<void> {
    await steps.run(async (step) => {
      const operation = await operations.lock(step, id);
      if (!operation || !(await stillApplies(step, rule, id))) return;
      await step.db
        .insertInto('terminations')
        .values({ operation_id: id, type: rule.type, noticed_at: clock.now() })
        .onConflict((conflict) => conflict.columns(['operation_id', 'type']).doNothing())
        .execute();
      await rule.act(step, operation);
    });
  }

  async function apply(rule: Rule): Promise<void> {
    const found = await looking(db, rule.where).orderBy('o.id').limit(500).execute();
    await loops.each(`watchdog.${rule.type}`, found, idOf, ({ id }) => act(rule, id));
  }

  const looking = (executor: Database | Step['db'], where: RawBuilder<boolean>) =>
    executor
      .selectFrom('operations as o')
      .innerJoin('charge_points as p', 'p.id', 'o.charge_point_id')
      .innerJoin('connectors as c', 'c.id', 'o.connector_id')
      .select('o.id')
      .where('o.status', 'in', ['pending', 'starting', 'ongoing', 'finishing'])
      .where(where);

  async function stillApplies(step: Step, rule: Rule, id: number): Promise<boolean> {
    return (await looking(step.db, rule.where).where('o.id', '=', id).executeTakeFirst()) !== undefined;
  }

  return {
    /**
     * One look, as parts that do not depend on each other's success. Rules see the database as it is after the ones before
     * them. A rule whose own rows fail acts on the others; the failed ones are found again by the next look.
     */
    parts(): Part[] {
      const now = clock.now();
      const ofRules = rules(now).map((rule) => ({ name: rule.type, run: () => apply(rule) }));
      return [{ name: 'idle notice', run: () => warnIdle(now) }, ...ofRules];
    },
  };
}

const idOf = ({ id }: { id: number }) => id;

export type Watchdog = ReturnType<typeof createWatchdog>;
