import type { AdminOperationItem } from '@fpay/contract/admin/operations';
import { kopecks } from '@fpay/contract/money';
import Undo2 from 'lucide-react/icons/undo-2';
import { useLanguage, useText } from '../../../i18n/use-text.ts';
import { formatMoney } from '../../../ui/format/money.tsx';

/** A part of the total is not there: it went back to the driver, or was returned by a promotion. */
export function ReturnMark({ row: { refunded, rewards, net } }: { row: AdminOperationItem }) {
  const text = useText();
  const language = useLanguage();
  const returned = refunded + rewards;
  if (returned === 0) return null;
  const money = (amount: number) => formatMoney(kopecks(amount), {}, language);
  const label = text('adminOperations:returnedOf', { returned: money(returned), net: money(Math.max(0, net)) });
  return (
    <span role="img" aria-label={label} title={label} className="mr-1.5 inline-flex align-[-2px] text-promo">
      <Undo2 aria-hidden="true" size={15} />
    </span>
  );
}
