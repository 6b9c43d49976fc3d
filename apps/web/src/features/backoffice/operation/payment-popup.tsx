import { useQuery } from '@tanstack/react-query';
import { useLanguage, useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { formatMoney } from '../../../ui/format/money.tsx';
import { Skeleton } from '../../../ui/layout/skeleton.tsx';
import { PopupFrame } from '../../../ui/overlay/popup-frame.tsx';
import { DataList } from '../parts/data-list.tsx';
import { holdText } from '../parts/short-status.tsx';
import { operationViewQueries } from './queries.ts';

/** What the bank knows about the payment. */
export function PaymentPopup({ id, onClose }: { id: number; onClose: () => void }) {
  const text = useText();
  const language = useLanguage();
  const { data, error } = useQuery(operationViewQueries.payment(id));
  const money = (amount: NonNullable<typeof data>['final_amount']) =>
    amount === null ? null : formatMoney(amount, {}, language);
  return (
    <PopupFrame open onClose={onClose} title={text('adminOperations:paymentInfo')} titleClassName="text-h2">
      {data && <p className="text-body font-bold">{text(holdText(data.status))}</p>}
      {data ? (
        <DataList
          rows={[
            ['masked_pan', data.masked_pan],
            ['rrn', data.rrn],
            ['amount', money(data.amount)],
            ['final_amount', money(data.final_amount)],
            ['status', data.status],
            ['return_rrn', data.return_rrn],
            ['return_status', data.return_status],
            ['return_amount', money(data.return_amount)],
          ]}
        />
      ) : error ? (
        <p role="alert" className="text-note text-error">
          {text('adminOperations:paymentNotRead')}
        </p>
      ) : (
        <Skeleton className="h-48" />
      )}
      <Button kind="main" onPress={onClose}>
        {text('generic:ok')}
      </Button>
    </PopupFrame>
  );
}
