import { chargingStatuses, securedStatuses } from '@fpay/contract/charging';
import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import { type Database, literals } from '../../platform/database.ts';
import type { StartedPart } from '../../platform/parts.ts';
import type { RowLoops } from '../../platform/rows/row-loops.ts';
import type { Step, Steps } from '../../platform/step.ts';
import { standbyW } from '../idle/observed-time.ts';
import type { RequestReading } from '../limit/request-reading.ts';
import { settledEnergy } from '../moves/billed-energy.ts';
import type { Settling } from '../moves/settling.ts';
import type { Starting } from '../moves/starting.ts';
import type { Stopping } from '../moves/stopping.ts';
import { listTermination, type TerminationType } from '../moves/termination.ts';
import type { Notify } from '../notify.ts';
import { isPowerFlowing } from '../operation.ts';
import type { OperationStore, StoredOperation } from '../store.ts';

export interface WatchdogSettings {
  /**
   * A device that is away may reconnect with everything it measured, so nothing is settled for this long. It must be
   * shorter than the life of a hold.
   */
  awayHours: number;
}

interface Dependencies {
  db: Database;
  steps: Steps;
  operations: OperationStore;
  starting: Starting;
  stopping: Stopping;
  settling: Settling;
  requestReading: RequestReading;
  notify: Notify;
  clock: Clock;
  settings: WatchdogSettings;
  rows: RowLoops;
}

interface Rule {
  type: TerminationType;
  /** A condition over `operations o`, `charge_points p` and `connectors c`. */
  where: RawBuilder<boolean>;
  act: (step: Step, operation: StoredOperation) => Promise<void>;
}

/** When a stop had no effect after this time, the last reading counts. */
const obeyWithin = '10 minutes';
/** A free connector whose register stands still for this long charges nothing. */
const stillFor = '10 minutes';
/** A device that was away first sends its queue. It has finished once it has been connected and quiet for this long… */
const quietFor = '2 minutes';
/** …and one that still sends after this time is not sending its queue any more. */
const queueTakesAtMost = '30 minutes';

/** What the rules ask about a row, at this moment. */
function conditionsAt(now: Date) {
  const since = (column: string, ago: string) =>
    sql<boolean>`${sql.ref(column)} < ${now}::timestamptz - ${ago}::interval`;
  const ago = (interval: RawBuilder<unknown>) => sql`${now}::timestamptz - ${interval}`;
  const backSince = sql`coalesce(p.online_changed_at, '-infinity')`;
  const isBack = sql<boolean>`p.is_online and ${backSince} < ${ago(sql`${quietFor}::interval`)} and (
    ${backSince} < ${ago(sql`${queueTakesAtMost}::interval`)} or not exists (
      select from ocpp_transactions t join meter_samples m on m.ocpp_transaction_id = t.id
      where t.operation_id = o.id and m.received_at >= ${ago(sql`${quietFor}::interval`)}))`;
  // It was online when the stop was sent, and has had its time: its readings are those of a charge, not of a queue.
  const hasIgnoredStop = sql<boolean>`p.is_online and exists (
    select from commands asked where asked.charge_point_id = p.id and asked.operation_id = o.id
      and asked.action = 'RemoteStopTransaction' and asked.sent_at >= ${backSince}
      and asked.sent_at < ${ago(sql`${obeyWithin}::interval`)})`;
  // A quarter of an hour, and three missed readings for a device with rare ones.
  const silence = sql`greatest(interval '15 minutes', 3 * interval '1 second' * case
    when p.configuration->'values'->>'MeterValueSampleInterval' ~ '^[0-9]{1,5}$'
    then (p.configuration->'values'->>'MeterValueSampleInterval')::int else 0 end)`;
  // Measured with our clock: a device whose own is hours slow, or that sends an hour's queue, is not silent.
  const isSilentSince = (
    moment: RawBuilder<unknown>,
  ) => sql<boolean>`coalesce(o.last_sample_at, o.status_at) < ${moment}
    and o.status_at < ${moment} and not exists (
      select from ocpp_transactions t join meter_samples m on m.ocpp_transaction_id = t.id
      where t.operation_id = o.id and m.received_at >= ${moment})`;
  // Some devices read the meter of a free connector too, on their own or when asked, so a reading alone is no charge.
  const standsStill = sql<boolean>`exists (
    select from ocpp_transactions t join meter_samples m on m.ocpp_transaction_id = t.id
    where t.operation_id = o.id and m.energy_wh = t.last_meter_wh and coalesce(m.power_w, 0) <= ${standbyW}
    group by t.id having max(m.received_at) - min(m.received_at) >= ${stillFor}::interval
      and max(m.received_at) > c.status_at)`;
  // Staff forced it back to `created`: its deposit is secured or was never needed, so no page and no bank will move it on. A device
  // that is charging reports the end, which settles it.
  const waitsForNothing = sql<boolean>`o.status = 'created'
    and o.hold_status not in ('pending', 'created', 'processing', 'unknown')
    and not exists (select from ocpp_transactions t where t.operation_id = o.id and t.stopped_at is null)`;
  return { since, ago, backSince, isBack, hasIgnoredStop, silence, isSilentSince, standsStill, waitsForNothing };
}

/**
 * Looks once a minute for operations that no other rule would end. Every rule is a row; each acts once and is listed
 * for staff.
 */
export function createWatchdog(dependencies: Dependencies) {
  const { db, steps, operations, starting, stopping, settling, clock, settings } = dependencies;
  const { requestReading, notify, rows: loops } = dependencies;

  const stop = (why: string) => async (step: Step, operation: StoredOperation) => {
    await stopping.stop(step, operation, 'watchdog', why);
  };
  const settle = (why: string) => async (step: Step, operation: StoredOperation) => {
    await operations.note(step, operation.id, 'watchdog', `${why}: settled on the last reading`);
    if (isPowerFlowing(operation.status))
      await settling.end(step, operation, { energy: settledEnergy(operation), cause: 'watchdog', reason: null });
  };
  const stopAndSettle = (why: string) => async (step: Step, operation: StoredOperation) => {
    await stop(why)(step, operation);
    const stopped = await operations.lock(step, operation.id);
    if (stopped) await settle(why)(step, stopped);
  };
  /** The charger is online and ignored the stop, so the driver does not pay for what it delivers from here on. */
  const settleIgnored = async (step: Step, operation: StoredOperation) => {
    await settle('the station did not confirm the stop')(step, operation);
    if (operation.billedUntil === null) await operations.change(step, operation.id, { billed_until: clock.now() });
  };

  /** A device that only forgot to report gets a chance to; its answer comes before the stop that is sent next. */
  async function askAndStop(step: Step, operation: StoredOperation): Promise<void> {
    await requestReading(step, operation);
    await stopping.stop(step, operation, 'watchdog', 'no reading for a quarter of an hour');
  }

  /** The driver is notified half an hour before an idle charge is ended; once, however often the watchdog runs. */
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
    const asked = conditionsAt(now);
    const { since, ago, backSince, isBack, hasIgnoredStop, silence, isSilentSince, standsStill, waitsForNothing } =
      asked;
    return [
      {
        type: 'over_limit',
        where: sql`o.status = 'ongoing' and ${since('o.limit_reached_at', '2 minutes')}`,
        act: stop('the deposit was used up two minutes ago'),
      },
      {
        type: 'silent',
        // While it was away it could not send, so the time counts from its reconnect.
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
        where: sql`o.status in (${literals(chargingStatuses)}) and ${since('o.created_at', '7 days')}`,
        act: stopAndSettle('the hold is about to end'),
      },
      {
        type: 'stuck',
        where: sql`o.status = 'starting' and ${since('o.status_at', '10 minutes')}`,
        act: (step, operation) => starting.connectorFaulted(step, operation, 'the start took over ten minutes'),
      },
      {
        type: 'stuck',
        where: sql`${waitsForNothing} and ${since('o.status_at', '10 minutes')}`,
        act: stop('it waits for no payment'),
      },
      {
        type: 'stuck',
        where: sql`o.status = 'finishing' and o.charge_ended_at is null and (${isBack} or ${hasIgnoredStop}) and ${since('o.status_at', obeyWithin)}`,
        act: settleIgnored,
      },
      {
        // It reports the connector as free, so the charge has ended, whether or not its StopTransaction arrives.
        type: 'forgotten',
        where: sql`o.status in (${literals(chargingStatuses)}) and ${isBack} and c.ocpp_status = 'Available'
          and ${since('c.status_at', obeyWithin)} and o.status_at < c.status_at
          and (${isSilentSince(sql`c.status_at`)} or ${standsStill})`,
        act: settle('the connector is free again'),
      },
      {
        type: 'away',
        where: sql`o.status in (${literals(chargingStatuses)}) and not p.is_online
          and p.online_changed_at < ${now}::timestamptz - ${settings.awayHours} * interval '1 hour'`,
        act: settle('the station stayed away'),
      },
    ];
  }

  async function act(rule: Rule, id: number): Promise<void> {
    await steps.run(async (step) => {
      const operation = await operations.lock(step, id);
      if (!operation || !(await stillApplies(step, rule, id))) return;
      await listTermination(step, id, rule.type, clock.now());
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
      .where('o.status', 'in', ['created', ...securedStatuses])
      .where(where);

  async function stillApplies(step: Step, rule: Rule, id: number): Promise<boolean> {
    return (await looking(step.db, rule.where).where('o.id', '=', id).executeTakeFirst()) !== undefined;
  }

  return {
    /**
     * One run, as parts that do not depend on each other's success. Rules see the database as it is after the earlier
     * ones. A rule whose own rows fail acts on the others; the next run finds the failed ones again.
     */
    parts(): StartedPart[] {
      const now = clock.now();
      const ofRules = rules(now).map((rule) => ({ name: rule.type, run: () => apply(rule) }));
      return [{ name: 'idle notice', run: () => warnIdle(now) }, ...ofRules];
    },
  };
}

const idOf = ({ id }: { id: number }) => id;

export type Watchdog = ReturnType<typeof createWatchdog>;
