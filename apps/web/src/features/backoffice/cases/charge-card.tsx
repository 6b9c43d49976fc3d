import type { OperationAction } from '@fpay/contract/admin/operation-actions';
import type { AdminOperation } from '@fpay/contract/admin/operations';
import { connectorTypes } from '@fpay/contract/connectors';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import Undo2 from 'lucide-react/icons/undo-2';
import { useId, useState } from 'react';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Energy } from '../../../ui/format/energy.tsx';
import { Money } from '../../../ui/format/money.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { FactRow } from '../../../ui/layout/fact-row.tsx';
import { ActionPopup } from '../operation/action-popup.tsx';
import { operationKey, operationViewQueries } from '../operation/queries.ts';
import { OwnMoneyNote, SharedCardNote, useOwnMoney } from '../parts/own-money.tsx';
import { ShortStatus } from '../parts/short-status.tsx';
import { useMay } from '../parts/use-may.ts';
import { casesKey } from './queries.ts';

/** Money goes back by the action of the operation, with its preview and its limits. */
const refundAction: OperationAction = 'cancel_payment';

/** The charge that the case is about, with its refund. */
export function ChargeCard({ id }: { id: number }) {
  const text = useText();
  const { data: operation } = useQuery(operationViewQueries.operation(id));
  if (!operation) return null;
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex items-center justify-between gap-2">
        <h2 className="text-label">{text('adminCases:charge', { id })}</h2>
        <ShortStatus status={operation.status} />
      </div>
      <dl className="flex flex-col gap-1.5 text-note">
        <FactRow name={text('admin:station')}>
          {operation.station_number} · {connectorTypes[operation.connector_type].name} № {operation.connector_number}
        </FactRow>
        <FactRow name={text('admin:energy')}>
          <Energy energy={operation.energy} />
        </FactRow>
        <FactRow name={text('adminCases:deposit')}>
          <Money amount={operation.amount} />
        </FactRow>
        <FactRow name={text('adminCases:charged')}>
          <Money amount={operation.total} />
        </FactRow>
      </dl>
      <Button size="s" to={`/admin/operations/${id}`}>
        {text('adminCases:openCharge')}
      </Button>
      <Refund operation={operation} />
    </Card>
  );
}

function Refund({ operation }: { operation: AdminOperation }) {
  const text = useText();
  const queryClient = useQueryClient();
  const mayRefund = useMay('manipulate-payments');
  const [isRefunding, setRefunding] = useState(false);
  const reason = useOwnMoney(operation.own_money);
  const reasonId = useId();
  const done = () => {
    void queryClient.invalidateQueries({ queryKey: operationKey(operation.operation_id) });
    void queryClient.invalidateQueries({ queryKey: casesKey });
  };
  return (
    <>
      <SharedCardNote answer={operation.own_money} />
      {mayRefund ? (
        <>
          {reason !== null && <OwnMoneyNote id={reasonId} reason={reason} />}
          <button
            type="button"
            disabled={reason !== null || !operation.actions.includes(refundAction)}
            title={reason ?? undefined}
            aria-describedby={reason === null ? undefined : reasonId}
            className="flex min-h-11 items-center justify-center gap-2 rounded-control bg-error-tint px-3 text-note font-bold text-error disabled:bg-surface-2 disabled:text-ink-3"
            onClick={() => setRefunding(true)}
          >
            <Undo2 aria-hidden="true" size={18} />
            {text('adminCases:refund')}
          </button>
        </>
      ) : (
        <p className="text-small text-ink-2">{text('adminCases:askRefund')}</p>
      )}
      {isRefunding && (
        <ActionPopup operation={operation} action={refundAction} onClose={() => setRefunding(false)} onDone={done} />
      )}
    </>
  );
}
