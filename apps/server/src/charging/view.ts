import assert from 'node:assert/strict';
import {
  type ActiveOperation,
  billedStatuses,
  chargingStatuses,
  hasReceipt,
  isAmong,
  type Operation,
  openStatuses,
} from '@fpay/contract/charging';
import { isConnectorType } from '@fpay/contract/connectors';
import type { OperationIdle } from '@fpay/contract/idle-fee';
import { kopecks, wattHours, watts } from '@fpay/contract/money';
import { paymentStatusOf } from '@fpay/contract/payments';
import { percentageOf } from '@fpay/contract/price';
import { sql } from 'kysely';
import type { Provider } from '../payments/bank-terms.ts';
import { declineReasonOf } from '../payments/decline.ts';
import { invoiceLifeMs } from '../payments/schedule.ts';
import { wentBackColumn, wentBackOf } from '../payments/went-back.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { progressOf } from '../stations/progress.ts';
import { readingLimitsOf, sampleSecondsOf } from './reading-limits.ts';

/**
 * Operations as pages see them. Each is one query, because a status page reads it after every message, and because a
 * status and a payment read one after the other could be of different moments.
 */
export function createOperationViews(db: Database, clock: Clock) {
  const joined = () =>
    db
      .selectFrom('operations as o')
      .innerJoin('stations as s', 's.id', 'o.station_id')
      .innerJoin('connectors as c', 'c.id', 'o.connector_id')
      .innerJoin('charge_points as p', 'p.id', 'o.charge_point_id');

  const read = (id: number) =>
    joined()
      .leftJoin('charge_point_links as l', 'l.charge_point_id', 'p.id')
      .leftJoin('payments', 'payments.operation_id', 'o.id')
      .leftJoin('feedback as f', 'f.operation_id', 'o.id')
      .leftJoin('cars', 'cars.id', 'o.car_id')
      .selectAll('o')
      .select([
        's.number',
        's.address',
        's.address_uk',
        'c.type',
        'c.ocpp_connector',
        'c.power_w as rated_w',
        sql<boolean>`p.is_online and (l.charge_point_id is null or l.node_id is not null)`.as('is_online'),
        sql<string | null>`p.configuration->'values'->>'MeterValueSampleInterval'`.as('sample_interval'),
      ])
      .select(['f.rating', 'f.comment as rating_comment'])
      .select(['payments.hold_status', 'payments.page_url', 'payments.fiscal_url', 'payments.captured'])
      .select(wentBackColumn('o').as('refunded'))
      .select(['payments.masked_pan', 'payments.error_code', 'payments.provider', 'cars.name as car'])
      .select((of) =>
        of
          .selectFrom('idle_intervals as i')
          .select('i.cause')
          .whereRef('i.operation_id', '=', 'o.id')
          .where('i.is_open', '=', true)
          .as('idle_cause'),
      )
      .where('o.id', '=', id)
      .executeTakeFirst();

  type Row = NonNullable<Awaited<ReturnType<typeof read>>>;

  function shown(row: Row): Operation {
    assert(isConnectorType(row.type), `connector type ${row.type}`);
    const energy = wattHours(row.energy_wh);
    const limit = row.energy_limit_wh === null ? null : wattHours(row.energy_limit_wh);
    const holdStatus = row.hold_status;
    const limits = readingLimitsOf(sampleSecondsOf(row.sample_interval));
    const progress = progressOf({ energyWh: energy, limitWh: limit, powerW: row.power_w, soc: row.soc });
    return {
      id: row.id,
      status: row.status,
      number: row.number,
      address: row.address,
      address_uk: row.address_uk,
      connector_type: row.type,
      connector_number: String(row.ocpp_connector),
      connector_power: watts(row.rated_w),
      amount: kopecks(row.deposit),
      payment_type: row.payment_type,
      price: kopecks(row.price),
      energy_limit: limit,
      total: kopecks(row.total),
      real_total: kopecks(row.real_total),
      idle: idleOf(row),
      percentage: percentageOf(energy, limit),
      energy,
      power: row.power_w ?? -1,
      current: row.current_ma === null ? -1 : Math.round(row.current_ma / 100) / 10,
      power_share: shareOf(row),
      site_cause: siteCauseOf(row.stop_cause),
      soc: row.soc,
      time_left: progress.secondsLeft,
      start_attempt: row.start_attempt,
      max_attempts: row.max_attempts,
      read_at: row.last_sample_at?.toISOString() ?? null,
      stale_after: limits.staleAfter,
      silent_after: limits.silentAfter,
      server_time: clock.now().toISOString(),
      car: row.car,
      card: row.masked_pan === null ? null : `*${row.masked_pan.slice(-4)}`,
      is_overcharged: row.payment_type === 'bank' && (row.captured ?? 0) > row.total,
      refunded: isAmong(billedStatuses, row.status) ? wentBackOf(row.refunded) : null,
      decline_reason: row.status === 'failed_hold' ? declineReasonOf(row.provider as Provider, row.error_code) : null,
      hold_status: holdStatus,
      payment_status: holdStatus && paymentStatusOf[holdStatus],
      rating: row.rating,
      rating_comment: row.rating_comment,
      stop_requested: row.stop_requested_at !== null,
      stop_ignored: row.stop_ignored_at !== null && row.status === 'finishing' && row.charge_ended_at === null,
      is_online: row.is_online,
      page_url: row.status === 'created' ? row.page_url : null,
      fiscal_url: row.fiscal_url,
      has_receipt: hasReceipt(row),
      failure_reason: row.failure_reason,
      missed_reward: row.missed_reward === null ? null : kopecks(row.missed_reward),
      created_at: row.created_at.toISOString(),
      started_at: row.started_at?.toISOString() ?? null,
      finished_at: row.finished_at?.toISOString() ?? null,
    };
  }

  return {
    /** Returns the operation and its owner; the caller checks access. */
    async operation(id: number): Promise<{ user: number; operation: Operation } | null> {
      const row = await read(id);
      return row ? { user: row.user_id, operation: shown(row) } : null;
    },

    async active(user: number): Promise<ActiveOperation[]> {
      const rows = await joined()
        .leftJoin('payments', 'payments.operation_id', 'o.id')
        .select(['o.id', 'o.status', 'o.deposit', 'o.energy_wh', 'o.total', 'o.connector_id'])
        .select(['s.number', 'c.type', 'c.ocpp_connector', 'c.power_w'])
        .select(['payments.page_url', 'payments.expires_at'])
        .where('o.user_id', '=', user)
        .where('o.status', 'in', openStatuses)
        .orderBy('o.id', 'desc')
        .execute();
      return rows.flatMap((row) =>
        isConnectorType(row.type)
          ? [
              {
                id: row.id,
                status: row.status,
                connectorType: row.type,
                connectorAddress: String(row.ocpp_connector),
                connectorPower: watts(row.power_w),
                deposit: kopecks(row.deposit),
                station_number: row.number,
                energy: wattHours(row.energy_wh),
                total: kopecks(row.total),
                unpaid: unpaidOf(row, clock.now()),
              },
            ]
          : [],
      );
    },
  };
}

interface UnpaidRow {
  status: string;
  connector_id: number;
  page_url: string | null;
  expires_at: Date | null;
}

/** In seconds and not as a moment, because the clock of a phone may be wrong. */
function unpaidOf({ status, connector_id, page_url, expires_at }: UnpaidRow, now: Date): ActiveOperation['unpaid'] {
  if (status !== 'created') return null;
  const leftMs = expires_at === null ? null : Math.max(0, expires_at.getTime() - now.getTime());
  return {
    connector: connector_id,
    page_url,
    seconds_left: leftMs === null ? null : Math.floor(leftMs / 1000),
    seconds: invoiceLifeMs / 1000,
  };
}

interface IdleRow {
  status: string;
  idle_fee: number;
  idle_grace_minutes: number;
  idle_seconds: number;
  idle_total: number;
  idle_cause: string | null;
  total: number;
  deposit: number;
  charge_ended_at: Date | null;
}

function idleOf(row: IdleRow): OperationIdle | null {
  if (row.idle_fee === 0) return null;
  return {
    fee: kopecks(row.idle_fee),
    grace_minutes: row.idle_grace_minutes,
    seconds: row.idle_seconds,
    total: kopecks(row.idle_total),
    is_capped: row.idle_total > 0 && row.total >= row.deposit,
    cause: isAmong(chargingStatuses, row.status) ? (row.idle_cause as OperationIdle['cause']) : null,
    is_awaiting_unplug: row.charge_ended_at !== null,
  };
}

/** Shown only while it is less than the connector could give. */
function shareOf(row: { status: string; share_cap_w: number | null; rated_w: number }) {
  const { status, share_cap_w: capW, rated_w: ratedW } = row;
  return status === 'ongoing' && capW !== null && capW < ratedW ? watts(capW) : null;
}

function siteCauseOf(cause: string | null): 'full' | 'limit' | null {
  if (cause === 'site_full') return 'full';
  return cause === 'site_limit' ? 'limit' : null;
}

export type OperationViews = ReturnType<typeof createOperationViews>;
