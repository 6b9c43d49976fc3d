import { billedStatuses, isAmong, type OperationStatus, openStatuses, type PaymentType } from '@fpay/contract/charging';
import { type Kopecks, kopecks, type WattHours, wattHours } from '@fpay/contract/money';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Logger } from 'pino';
import type { ShownPayment } from '../payments/operation-port.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Operations as Row } from '../platform/generated/database.ts';
import type { Step } from '../platform/step.ts';
import { type Begin, createBegin } from './begin-operations.ts';
import { createOperationLogStore, type OperationLogStore } from './log-store.ts';
import type { OperationEventsPort } from './operation-events-port.ts';
import type { StartPhase } from './start-phase.ts';

export interface StoredOperation {
  id: number;
  user: number;
  station: number;
  connector: number;
  chargePoint: number;
  status: OperationStatus;
  paymentType: PaymentType;
  price: Kopecks;
  deposit: Kopecks;
  /** Null when it is free and has no limit. */
  limit: WattHours | null;
  idTag: string;
  attempt: number;
  mostAttempts: number;
  startPhase: StartPhase;
  /** When the first start that may have reached the device was sent. */
  startSentAt: Date | null;
  nextActionAt: Date | null;
  energy: WattHours;
  total: Kopecks;
  /** What of the total was never captured, as its payment says. */
  lost: Kopecks;
  powerW: number | null;
  lastSampleAt: Date | null;
  /** When the last reading arrived; the start counts as one. */
  meteredAt: Date | null;
  /** When the device cuts the power by itself; null when it has no limit. */
  deviceCutAt: Date | null;
  /** The share of its site's power that was asked of the device; null when the site has no limit. */
  shareW: number | null;
  shareCommand: number | null;
  /** What the device has accepted, when, and the most that was in force in the seconds before; null for its rated power. */
  shareCap: { watts: number; at: Date; beforeW: number | null } | null;
  stopDueAt: Date | null;
  stopRequestedAt: Date | null;
  /** The driver pays for energy until then; null when there is no such limit. */
  billedUntil: Date | null;
  /** The first reading after that. */
  firstUnbilled: { energy: WattHours; at: Date } | null;
  stopIgnoredAt: Date | null;
  /** The first cause of the end. */
  stopCause: string | null;
  /** The device's own reason. */
  stopReason: string | null;
  /** Kopecks per minute of idle time after the grace time; 0 when there is no fee. */
  idleFee: Kopecks;
  idleGraceMinutes: number;
  /** The idle time that was observed, and what of it is part of the total. */
  idleSeconds: number;
  idleTotal: Kopecks;
  /** StopTransaction arrived and the settlement waits until the cable is out. */
  chargeEndedAt: Date | null;
  createdAt: Date;
  startedAt: Date | null;
  /** When the present status began, by our clock. */
  statusAt: Date;
}

/** Everything but the status, which only `enter` writes. */
export type OperationChanges = Omit<Updateable<Row>, 'status'>;

/** Operations and their log. Refuses nothing. */
export interface OperationStore extends OperationLogStore {
  ownerOf(id: number): Promise<number | null>;
  find(id: number): Promise<StoredOperation | null>;
  byRequestKey(key: string, executor?: Database | Step['db']): Promise<StoredOperation | null>;
  /** No other step changes it until this one ends. */
  lock(step: Step, id: number): Promise<StoredOperation | null>;
  lockByTag(step: Step, idTag: string): Promise<StoredOperation | null>;
  openOf(user: number, executor?: Database | Step['db']): Promise<StoredOperation[]>;
  /** Charges that wait for their final payment. */
  unpaidOf(step: Step, user: number): Promise<number[]>;
  isConnectorTaken(connector: number, executor?: Database | Step['db']): Promise<boolean>;
  costOf(step: Step, id: number): Promise<Kopecks | null>;
  /** How many holds of this user failed since then. */
  failedHolds(step: Step, user: number, since: Date): Promise<number>;
  /** Throws the database's unique violation when the connector or the user has another open operation. */
  add(step: Step, row: Insertable<Row>): Promise<StoredOperation>;
  change(step: Step, id: number, changes: OperationChanges): Promise<StoredOperation>;
  /**
   * Copies the state of its payment and what is kept of it into the operation, because staff filter operations by both: a join of two
   * tables of ten million rows would read both. Only the store of payments calls it, in the step that writes the payment.
   */
  showPayment(step: Step, id: number, shown: ShownPayment): Promise<void>;
  /** Changes the status, with the events of it. Only `transition.ts` calls it; the caller's step has locked the row. */
  enter(
    step: Step,
    operation: Pick<StoredOperation, 'id' | 'status'>,
    status: OperationStatus,
    changes: OperationChanges,
  ): Promise<StoredOperation>;
  begin: Begin;
}

interface Dependencies {
  db: Database;
  clock: Clock;
  events: OperationEventsPort;
  log?: Pick<Logger, 'info'>;
}

/** Operations and their log. */
export function createOperationStore({ db, clock, events, log }: Dependencies): OperationStore {
  async function update(step: Step, id: number, changes: Updateable<Row>): Promise<StoredOperation> {
    step.publish('operation', id);
    const row = await step.db
      .updateTable('operations')
      .set(changes)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return operationOf(row);
  }

  return {
    async ownerOf(id: number): Promise<number | null> {
      const row = await db.selectFrom('operations').select('user_id').where('id', '=', id).executeTakeFirst();
      return row?.user_id ?? null;
    },

    async find(id: number): Promise<StoredOperation | null> {
      const row = await db.selectFrom('operations').selectAll().where('id', '=', id).executeTakeFirst();
      return row ? operationOf(row) : null;
    },

    async byRequestKey(key: string, executor: Database | Step['db'] = db): Promise<StoredOperation | null> {
      const row = await executor.selectFrom('operations').selectAll().where('request_key', '=', key).executeTakeFirst();
      return row ? operationOf(row) : null;
    },

    async lock(step: Step, id: number): Promise<StoredOperation | null> {
      const row = await step.db
        .selectFrom('operations')
        .selectAll()
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst();
      return row ? operationOf(row) : null;
    },

    async lockByTag(step: Step, idTag: string): Promise<StoredOperation | null> {
      const row = await step.db.selectFrom('operations').select('id').where('id_tag', '=', idTag).executeTakeFirst();
      return row ? this.lock(step, row.id) : null;
    },

    async openOf(user: number, executor: Database | Step['db'] = db): Promise<StoredOperation[]> {
      const rows = await executor
        .selectFrom('operations')
        .selectAll()
        .where('user_id', '=', user)
        .where('status', 'in', openStatuses)
        .orderBy('id')
        .execute();
      return rows.map(operationOf);
    },

    async unpaidOf(step: Step, user: number): Promise<number[]> {
      const rows = await step.db
        .selectFrom('operations')
        .select('id')
        .where('user_id', '=', user)
        .where('status', '=', 'pending_final_payment')
        .execute();
      return rows.map(({ id }) => id);
    },

    async isConnectorTaken(connector: number, executor: Database | Step['db'] = db): Promise<boolean> {
      const row = await executor
        .selectFrom('operations')
        .select('id')
        .where('connector_id', '=', connector)
        .where('status', 'in', openStatuses)
        .executeTakeFirst();
      return row !== undefined;
    },

    async costOf(step: Step, id: number): Promise<Kopecks | null> {
      const found = await step.db
        .selectFrom('operations')
        .select(['status', 'total'])
        .where('id', '=', id)
        .executeTakeFirst();
      if (!found || isAmong(openStatuses, found.status)) return null;
      return kopecks(isAmong(billedStatuses, found.status) ? found.total : 0);
    },

    async failedHolds(step: Step, user: number, since: Date): Promise<number> {
      const { count } = await step.db
        .selectFrom('operations')
        .select(sql<number>`count(*)::int`.as('count'))
        .where('user_id', '=', user)
        .where('status', '=', 'failed_hold')
        .where('created_at', '>', since)
        .executeTakeFirstOrThrow();
      return count;
    },

    async add(step: Step, row: Insertable<Row>): Promise<StoredOperation> {
      // The column's default is the database's clock, and the watchdog compares it with ours.
      const values = { status_at: row.created_at, ...row };
      const added = await step.db.insertInto('operations').values(values).returningAll().executeTakeFirstOrThrow();
      const { id: operation, status, createdAt: at } = operationOf(added);
      await events.operationsChanged(step, { operations: [operation], before: null, status, at });
      return operationOf(added);
    },

    change: update,

    begin: createBegin({ clock, events, log }),

    async showPayment(step, id, { holdStatus, paid }): Promise<void> {
      await step.db
        .updateTable('operations')
        .set({ hold_status: holdStatus, paid })
        .where('id', '=', id)
        .where((of) => of.or([of('hold_status', '<>', holdStatus), of('paid', '<>', paid)]))
        .execute();
    },

    async enter(step, { id, status: before }, status, changes): Promise<StoredOperation> {
      const changed = await update(step, id, { ...changes, status });
      step.afterCommit(() => log?.info({ operation: id, status }, 'operation status changed'));
      await events.operationsChanged(step, { operations: [id], before, status, at: changed.statusAt });
      return changed;
    },

    ...createOperationLogStore({ db, clock, log }),
  };
}

function operationOf(row: Selectable<Row>): StoredOperation {
  return {
    id: row.id,
    user: row.user_id,
    station: row.station_id,
    connector: row.connector_id,
    chargePoint: row.charge_point_id,
    status: row.status,
    paymentType: row.payment_type,
    price: kopecks(row.price),
    deposit: kopecks(row.deposit),
    limit: row.energy_limit_wh === null ? null : wattHours(row.energy_limit_wh),
    idTag: row.id_tag,
    attempt: row.start_attempt,
    mostAttempts: row.max_attempts,
    startPhase: (row.start_phase ?? 'unsent') as StartPhase,
    startSentAt: row.start_sent_at,
    nextActionAt: row.next_action_at,
    energy: wattHours(row.energy_wh),
    total: kopecks(row.total),
    lost: kopecks(row.lost),
    powerW: row.power_w,
    lastSampleAt: row.last_sample_at,
    meteredAt: row.metered_at,
    deviceCutAt: row.device_cut_at,
    shareW: row.share_w,
    shareCommand: row.share_command_id,
    shareCap:
      row.share_cap_w === null || row.share_cap_at === null
        ? null
        : { watts: row.share_cap_w, at: row.share_cap_at, beforeW: row.share_before_w },
    stopDueAt: row.stop_due_at,
    stopRequestedAt: row.stop_requested_at,
    billedUntil: row.billed_until,
    firstUnbilled:
      row.first_unbilled_wh === null || row.first_unbilled_at === null
        ? null
        : { energy: wattHours(row.first_unbilled_wh), at: row.first_unbilled_at },
    stopIgnoredAt: row.stop_ignored_at,
    stopCause: row.stop_cause,
    stopReason: row.stop_reason,
    idleFee: kopecks(row.idle_fee),
    idleGraceMinutes: row.idle_grace_minutes,
    idleSeconds: row.idle_seconds,
    idleTotal: kopecks(row.idle_total),
    chargeEndedAt: row.charge_ended_at,
    createdAt: row.created_at,
    startedAt: row.started_at,
    statusAt: row.status_at,
  };
}
