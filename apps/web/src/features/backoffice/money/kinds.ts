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
    label: 'oversight:kindDifference',
    advice: 'oversight:adviceDifference',
    actions: [],
    isWaiting: true,
  },
  hold_ending: {
    Icon: Lock,
    label: 'oversight:kindHoldEnding',
    advice: 'oversight:adviceHoldEnding',
    actions: ['finalize', 'cancel_hold'],
    isWaiting: true,
  },
  debt: {
    Icon: Hourglass,
    label: 'oversight:kindDebt',
    advice: 'oversight:adviceDebt',
    actions: ['finalize'],
    isWaiting: true,
  },
  chargeback: {
    Icon: ShieldAlert,
    label: 'oversight:kindChargeback',
    advice: 'oversight:adviceChargeback',
    actions: [],
    isWaiting: true,
  },
  refund_refused: {
    Icon: Undo2,
    label: 'oversight:kindRefundRefused',
    advice: 'oversight:adviceRefundRefused',
    actions: ['cancel_payment'],
    isWaiting: true,
  },
  ledger_fault: {
    Icon: Scale,
    label: 'oversight:kindLedgerFault',
    advice: 'oversight:adviceLedgerFault',
    actions: [],
    isWaiting: true,
  },
  approval: {
    Icon: UserCheck,
    label: 'oversight:kindApproval',
    advice: 'oversight:adviceApproval',
    actions: [],
    isWaiting: true,
  },
  lost: {
    Icon: TrendingDown,
    label: 'oversight:kindLost',
    advice: 'oversight:adviceLost',
    actions: [],
    isWaiting: false,
  },
  shared_wallet: {
    Icon: Wallet,
    label: 'oversight:kindSharedWallet',
    advice: 'oversight:adviceSharedWallet',
    actions: [],
    isWaiting: false,
  },
  reward: {
    Icon: Gift,
    label: 'oversight:kindReward',
    advice: 'oversight:adviceReward',
    actions: [],
    isWaiting: false,
  },
  overridden: {
    Icon: ShieldQuestion,
    label: 'oversight:kindOverridden',
    advice: 'oversight:adviceOverridden',
    actions: [],
    isWaiting: false,
  },
} as const satisfies Record<MoneyView, KindView>;

export const moneyViews = Object.keys(kindViews) as MoneyView[];

/** A difference by its finer name: what the bank and we disagree about, and the action that usually settles it. */
const differences: Readonly<Record<string, { title: TextKey; actions: readonly OperationAction[] }>> = {
  orphan_hold: { title: 'oversight:orphanHold', actions: ['cancel_hold'] },
  orphan_payment: { title: 'oversight:orphanPayment', actions: ['cancel_payment'] },
  missing_capture: { title: 'oversight:missingCapture', actions: ['finalize'] },
  not_in_statement: { title: 'oversight:notInStatement', actions: [] },
  amount_mismatch: { title: 'oversight:amountMismatch', actions: [] },
  clearing_mismatch: { title: 'oversight:clearingMismatch', actions: [] },
  hold_ending: { title: 'oversight:kindHoldEnding', actions: ['finalize', 'cancel_hold'] },
};

/** The heading of a case and its usual actions. */
export function caseView({ kind, code }: { kind: MoneyKind; code: string | null }): {
  title: TextKey;
  actions: readonly OperationAction[];
} {
  if (code === 'audit_fault') return { title: 'oversight:auditFault', actions: [] };
  const known = kind === 'difference' && code !== null ? differences[code] : undefined;
  return known ?? { title: kindViews[kind].label, actions: kindViews[kind].actions };
}
