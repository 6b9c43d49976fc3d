import type { AdminOperation } from '@fpay/contract/admin/operations';
import { type Kopecks, kopecks } from '@fpay/contract/money';
import { useLanguage } from '../../../i18n/use-text.ts';
import { formatMoney } from '../../../ui/format/money.tsx';
import { formatInstant } from '../../../ui/format/number-format.ts';
import { DataList, noDate } from '../parts/data-list.tsx';

const instantForm = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
} as const;

/** Only where the tariff had an idle fee. */
function idleRows(
  { idle, idle_seconds = 0, idle_total }: AdminOperation,
  money: (amount: Kopecks) => string | null,
): [string, string | null][] {
  if (!idle) return [];
  return [
    ['idle_fee', `${money(idle.fee)} / min`],
    ['idle_grace', `${idle.grace_minutes} min`],
    ['idle_time', `${Math.floor(idle_seconds / 60)} min ${idle_seconds % 60} s`],
    ['idle_total', money(idle_total ?? kopecks(0))],
  ];
}

/** The record of the operation under the names of the wire. */
export function OperationData({ operation }: { operation: AdminOperation }) {
  const language = useLanguage();
  const money = (amount: AdminOperation['payment_total']) =>
    amount === null ? null : formatMoney(amount, {}, language);
  const instant = (at: string | null) => (at === null ? noDate : formatInstant(at, instantForm, language));
  const { current, power, soc } = operation;
  return (
    <DataList
      rows={[
        ['operation_id', operation.operation_id],
        ['transaction_id', operation.transaction_id],
        ['user_id', operation.user_id],
        ['payment_id', operation.payment_id],
        ['charge_point_id', operation.charge_point_id],
        ['station_number', operation.station_number],
        ['connector_id', operation.connector_id],
        ['connector_type', operation.connector_type],
        ['connector_power', `${operation.connector_power} W`],
        ['address', operation.address],
        ['user_name', operation.user_name],
        ['phone_number', operation.phone_number],
        ['user_balance', money(operation.user_balance)],
        ['car', operation.car],
        ['status', operation.status],
        ['source', operation.source],
        ['created_at', instant(operation.created_at)],
        ['started_at', instant(operation.started_at)],
        ['finished_at', instant(operation.finished_at)],
        ['closed_at', instant(operation.closed_at)],
        ['energy_limit', operation.energy_limit === null ? null : `${operation.energy_limit} Wh`],
        ['price', money(operation.price)],
        ['energy', `${operation.energy} Wh`],
        ['total', money(operation.total)],
        ...idleRows(operation, money),
        ['lost', money(operation.lost)],
        ['current', current < 0 ? null : `${current} A`],
        ['power', power < 0 ? null : `${power} W`],
        ['soc', soc === null ? null : `${soc} %`],
        ['stop_cause', operation.stop_cause],
        ['stop_reason', operation.stop_reason],
        ['invoice_id', operation.invoice_id],
        ['payment_total', money(operation.payment_total)],
        ['payment_amount', money(operation.payment_amount)],
        ['payment_status', operation.hold_status],
        ['failure_reason', operation.failure_reason],
        ['comment', operation.comment],
      ]}
    />
  );
}
