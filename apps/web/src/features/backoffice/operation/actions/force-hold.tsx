import { forcedHolds, forceHoldAction, forceHoldStatus } from '@fpay/contract/admin/actions/force-hold';
import { type HoldStatus, holdStatuses } from '@fpay/contract/payments';
import Shuffle from 'lucide-react/icons/shuffle';
import { call } from '../../../../api/call.ts';
import { StatusChoice } from '../action-fields.tsx';
import { paymentText } from '../action-texts.ts';
import { actionView } from '../action-view.ts';
import { chosenStatus } from '../order.ts';

const all = holdStatuses.filter((status) => status !== 'unknown');

export const forceHoldView = actionView({
  record: forceHoldAction,
  Icon: Shuffle,
  label: 'adminOperations:forceHold',
  group: 'force',
  isForced: true,
  Fields: (props) => <StatusChoice presets={forcedHolds} all={all} {...props} />,
  requestOf(form) {
    const hold = chosenStatus(form) as HoldStatus | null;
    return hold === null ? null : { action: 'force_hold', hold };
  },
  perform: ({ payment_id }, { hold }, { reason }) =>
    call(forceHoldStatus, { params: { id: String(payment_id) }, body: { status: hold, override: true, reason } }),
  resultText: paymentText,
});
