import type { MoneyKind } from '@fpay/contract/admin/money';
import type { OperationAction } from '@fpay/contract/admin/operation-actions';
import Gift from 'lucide-react/icons/gift';
import Hourglass from 'lucide-react/icons/hourglass';
import Lock from 'lucide-react/icons/lock';
import Scale from 'lucide-react/icons/scale';
import ShieldAlert from 'lucide-react/icons/shield-alert';
import ShieldQuestion from 'lucide-react/icons/shield-question-mark';
import TrendingDown from 'lucide-react/icons/trending-down';
import Undo2 from 'lucide-react/icons/undo-2';
import UserCheck from 'lucide-react/icons/user-check';
import Wallet from 'lucide-react/icons/wallet';
import type { TextKey } from '../../../i18n/text-key.ts';

/** Sums that wait for a second member of staff are listed beside the cases. */
export type MoneyView = MoneyKind | 'approval';

interface KindView {
  Icon: typeof Lock;
  label: TextKey;
  /** What to do about it. */
  advice: TextKey;
  /** Actions on the operation that usually settle it; each shows its effect first. */
  actions: readonly OperationAction[];
  /** A decision is needed; otherwise it is only to be known. */
  isWaiting: boolean;
}

export const kindViews = {
  difference: {
    Icon: Scale,
    label: 'adminMoney:kindDifference',
    advice: 'adminMoney:adviceDifference',
    actions: [],
    isWaiting: true,
  },
  hold_ending: {
    Icon: Lock,
    label: 'adminMoney:kindHoldEnding',
    advice: 'adminMoney:adviceHoldEnding',
    actions: ['finalize', 'cancel_hold'],
    isWaiting: true,
  },
  debt: {
    Icon: Hourglass,
    label: 'adminMoney:kindDebt',
    advice: 'adminMoney:adviceDebt',
    actions: ['finalize'],
    isWaiting: true,
  },
  chargeback: {
    Icon: ShieldAlert,
    label: 'adminMoney:kindChargeback',
    advice: 'adminMoney:adviceChargeback',
    actions: [],
    isWaiting: true,
  },
  refund_refused: {
    Icon: Undo2,
    label: 'adminMoney:kindRefundRefused',
    advice: 'adminMoney:adviceRefundRefused',
    actions: ['cancel_payment'],
    isWaiting: true,
  },
  ledger_fault: {
    Icon: Scale,
    label: 'adminMoney:kindLedgerFault',
    advice: 'adminMoney:adviceLedgerFault',
    actions: [],
    isWaiting: true,
  },
  approval: {
    Icon: UserCheck,
    label: 'adminMoney:kindApproval',
    advice: 'adminMoney:adviceApproval',
    actions: [],
    isWaiting: true,
  },
  lost: {
    Icon: TrendingDown,
    label: 'adminMoney:kindLost',
    advice: 'adminMoney:adviceLost',
    actions: [],
    isWaiting: false,
  },
  shared_wallet: {
    Icon: Wallet,
    label: 'adminMoney:kindSharedWallet',
    advice: 'adminMoney:adviceSharedWallet',
    actions: [],
    isWaiting: false,
  },
  reward: {
    Icon: Gift,
    label: 'adminMoney:kindReward',
    advice: 'adminMoney:adviceReward',
    actions: [],
    isWaiting: false,
  },
  overridden: {
    Icon: ShieldQuestion,
    label: 'adminMoney:kindOverridden',
    advice: 'adminMoney:adviceOverridden',
    actions: [],
    isWaiting: false,
  },
} as const satisfies Record<MoneyView, KindView>;

export const moneyViews = Object.keys(kindViews) as MoneyView[];

/** A difference by its finer name: what the bank and we disagree about, and the action that usually settles it. */
const differences: Readonly<Record<string, { title: TextKey; actions: readonly OperationAction[] }>> = {
  orphan_hold: { title: 'adminMoney:orphanHold', actions: ['cancel_hold'] },
  orphan_payment: { title: 'adminMoney:orphanPayment', actions: ['cancel_payment'] },
  missing_capture: { title: 'adminMoney:missingCapture', actions: ['finalize'] },
  not_in_statement: { title: 'adminMoney:notInStatement', actions: [] },
  amount_mismatch: { title: 'adminMoney:amountMismatch', actions: [] },
  clearing_mismatch: { title: 'adminMoney:clearingMismatch', actions: [] },
  hold_ending: { title: 'adminMoney:kindHoldEnding', actions: ['finalize', 'cancel_hold'] },
};

/** The heading of a case and its usual actions. */
export function caseView({ kind, code }: { kind: MoneyKind; code: string | null }): {
  title: TextKey;
  actions: readonly OperationAction[];
} {
  if (code === 'audit_fault') return { title: 'adminMoney:auditFault', actions: [] };
  const known = kind === 'difference' && code !== null ? differences[code] : undefined;
  return known ?? { title: kindViews[kind].label, actions: kindViews[kind].actions };
}
