import type { Readable } from 'node:stream';
import type { AdminFeedback } from '@fpay/contract/admin/feedback';
import type { AdminOperationItem } from '@fpay/contract/admin/operations';
import type { StatsCharts } from '@fpay/contract/admin/stats';
import type { AdminUserItem } from '@fpay/contract/admin/users';
import type { FeedbackFilter, FeedbackList } from '../feedback/list.ts';
import type { OperationList } from '../operations/list.ts';
import type { OperationFilter } from '../operations/pages.ts';
import type { UserList } from '../users/list.ts';
import { type Cell, csvStream, hryvnias, kilowattHours, moment, pagesOf } from './csv.ts';

const pageSize = 1_000;

async function* mapped<Row>(rows: AsyncIterable<Row>, cellsOf: (row: Row) => Cell[]): AsyncGenerator<Cell[], void> {
  for await (const row of rows) yield cellsOf(row);
}

async function* each<Row>(rows: readonly Row[]): AsyncGenerator<Row, void> {
  yield* rows;
}

export function operationsCsv(list: OperationList, filter: OperationFilter): Readable {
  const header = ['id', 'datetime', 'status', 'hold', 'payment_type', 'station', 'user_id', 'user', 'phone_number'];
  const rows = pagesOf<AdminOperationItem>(pageSize, (last) =>
    list.list({ ...filter, before: last?.id ?? null }, pageSize),
  );
  return csvStream(
    [...header, 'energy_kwh', 'total_uah', 'deposit_uah', 'lost_uah', 'refunded_uah', 'rewards_uah', 'net_uah'],
    mapped(rows, (row) => [
      row.id,
      moment(row.datetime),
      row.status,
      row.hold ?? '',
      row.payment_type,
      row.station,
      row.user.id,
      row.user.name,
      row.user.phone_number,
      kilowattHours(row.energy),
      ...[row.total, row.amount, row.lost, row.refunded, row.rewards, row.net].map(hryvnias),
    ]),
  );
}

export function usersCsv(list: UserList, withTemporary: boolean): Readable {
  const rows = pagesOf<AdminUserItem>(pageSize, (last) => list({ withTemporary, before: last?.id ?? null }, pageSize));
  return csvStream(
    ['id', 'name', 'phone_number', 'role', 'is_temporary', 'created_at', 'last_login', 'balance_uah', 'last_operation'],
    mapped(rows, (row) => [
      row.id,
      row.name ?? '',
      row.phone_number ?? '',
      row.role,
      row.is_temporary ? 'yes' : 'no',
      moment(row.created_at),
      moment(row.last_login),
      hryvnias(row.wallet.balance),
      row.last_charging_operation?.id ?? null,
    ]),
  );
}

export function feedbackCsv(list: FeedbackList, filter: FeedbackFilter): Readable {
  const rows = pagesOf<AdminFeedback>(pageSize, (last) =>
    list.before(filter, last?.id ?? Number.MAX_SAFE_INTEGER, pageSize),
  );
  return csvStream(
    ['id', 'created_at', 'rating', 'comment', 'station', 'operation', 'status', 'user', 'phone_number', 'total_uah'],
    mapped(rows, (row) => [
      row.id,
      moment(row.created_at),
      row.rating,
      row.comment ?? '',
      row.charging_station,
      row.charging_operation_id,
      row.status,
      row.user_name,
      row.user_phone_number,
      hryvnias(row.total),
    ]),
  );
}

export function statsCsv(days: StatsCharts['days']): Readable {
  return csvStream(
    [
      ...['day', 'energy_kwh', 'total_uah', 'operations', 'successful'],
      ...['lost_uah', 'refunded_uah', 'rewards_uah', 'idle_uah', 'net_uah'],
    ],
    mapped(each(days), (row) => [
      ...[row.day, kilowattHours(row.energy), hryvnias(row.total), row.count, row.successful],
      ...[row.lost, row.refunded, row.rewards, row.idle, row.net].map(hryvnias),
    ]),
  );
}
