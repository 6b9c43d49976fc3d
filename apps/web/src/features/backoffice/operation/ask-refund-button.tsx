import type { AdminOperation } from '@fpay/contract/admin/operations';
import Undo2 from 'lucide-react/icons/undo-2';
import { useId, useState } from 'react';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { OwnMoneyNote, useOwnMoney } from '../parts/own-money.tsx';
import { useMay } from '../parts/use-may.ts';
import { ActionPopup } from './action-popup.tsx';
import { askRefundView } from './actions/ask-refund.tsx';

interface AskRefundButtonProps {
  operation: AdminOperation;
  onDone: () => void;
  /** As in `ActionPopup`. */
  onResult?: (result: string) => void;
}

/** Asks a colleague for a refund; drawn for a payment that was captured, for staff who may not return it themselves. */
export function AskRefundButton({ operation, onDone, onResult }: AskRefundButtonProps) {
  const text = useText();
  const mayRefund = useMay('manipulate-payments');
  const mayAsk = useMay(askRefundView.needs);
  const [isOpen, setOpen] = useState(false);
  const reason = useOwnMoney(operation.own_money);
  const reasonId = useId();
  const isCaptured = operation.payment_type === 'bank' && operation.hold_status === 'success';
  if (mayRefund || !mayAsk || !isCaptured || operation.payment_id === null) return null;
  return (
    <>
      <Button
        size="s"
        className="self-start"
        icon={<Undo2 aria-hidden="true" size={16} />}
        disabled={reason !== null}
        onPress={() => setOpen(true)}
      >
        {text('adminOperations:askRefund')}
      </Button>
      {reason !== null && <OwnMoneyNote id={reasonId} reason={reason} />}
      {isOpen && (
        <ActionPopup
          operation={operation}
          action="cancel_payment"
          view={askRefundView}
          onClose={() => setOpen(false)}
          onDone={onDone}
          {...(onResult && { onResult })}
        />
      )}
    </>
  );
}
