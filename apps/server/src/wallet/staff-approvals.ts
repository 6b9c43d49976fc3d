import type { Endpoint } from '@fpay/contract/endpoint';
import type { Kopecks } from '@fpay/contract/money';
import { cancelBalanceTransaction, decreaseBalance, increaseBalance } from '@fpay/contract/wallet';
import type { ApprovalHandler, Approvals } from '../platform/approvals.ts';
import type { Step } from '../platform/step.ts';
import type { WalletStore } from './ledger.ts';
import type { StaffLimits } from './staff-limits.ts';
import type { AccountId } from './transfer.ts';

export type BalanceAction = 'increase' | 'decrease';

/** What a staff member gives or takes. */
export interface StaffMoney {
  staff: number;
  user: number;
  amount: Kopecks;
  requestKey: string;
  reason?: string | null;
}

export interface Cancellation {
  staff: number;
  transaction: number;
  cancelPayment: boolean;
  allowPartial: boolean;
  requestKey: string;
  reason?: string | null;
}

export interface Cancelled {
  /** 0 while it waits. */
  reversed: Kopecks;
  approval_id: number | null;
}

export interface Reversed {
  wanted: Kopecks;
  ends: AccountId[];
  amount: Kopecks;
  /** The request that waits: nothing has moved. */
  approval: number | null;
}

export interface MovedMoney {
  key: string;
  wallet: AccountId;
  amount: Kopecks;
  staff: number;
}

interface Money {
  ledger: Pick<WalletStore, 'holder'>;
  limits: Pick<StaffLimits, 'countApproved'>;
  refuseOwn(step: Step, staff: number, wallets: readonly AccountId[]): Promise<void>;
  othersWallet(step: Step, staff: number, user: number): Promise<AccountId>;
  move(step: Step, action: BalanceAction, money: MovedMoney): Promise<void>;
  reverse(
    step: Step,
    cancellation: Omit<Cancellation, 'requestKey' | 'reason'>,
    waitsAs: (user: number | null, amount: Kopecks) => Promise<number | null>,
  ): Promise<Reversed>;
  wayOf(step: Step, transaction: number): Promise<{ from: AccountId; to: AccountId }>;
}

/** What happens with balances when a second staff member approves it. The accounts are looked up again, and refused again. */
export function onMoneyApprovals(approvals: Pick<Approvals, 'on'>, money: Money): void {
  const { ledger, limits, refuseOwn, othersWallet, move, reverse, wayOf } = money;

  const waiting = (action: BalanceAction, call: Pick<Endpoint, 'access'>): ApprovalHandler<BalanceAction> => ({
    calls: [call],
    area: 'balance',
    hasReason: true,
    async refuseDecider(step, { recipient }, decider) {
      const holder = recipient === null ? null : await ledger.holder(recipient, step.db);
      if (holder) await refuseOwn(step, decider, [holder.wallet]);
    },
    async carryOut(step, approval, staff) {
      const { id, recipient, worth } = approval;
      const user = recipient ?? 0;
      const account = await othersWallet(step, staff, user);
      if (action === 'increase') await limits.countApproved(step, approval, { way: 'gift', amount: worth, user });
      await move(step, action, { key: `approval:${id}`, wallet: account, amount: worth, staff });
    },
  });
  approvals.on('increase', waiting('increase', increaseBalance));
  approvals.on('decrease', waiting('decrease', decreaseBalance));
  approvals.on('reversal', {
    calls: [cancelBalanceTransaction],
    area: 'balance',
    hasReason: true,
    async refuseDecider(step, { subject }, decider) {
      const way = await wayOf(step, subject.id);
      await refuseOwn(step, decider, [way.from, way.to]);
    },
    async carryOut(step, approval, staff) {
      const { cancel_payment: cancelPayment, allow_partial: allowPartial } = approval.payload;
      const cancellation = { staff, transaction: approval.subject.id, cancelPayment, allowPartial };
      await reverse(step, cancellation, async (user, amount) => {
        if (user !== null) await limits.countApproved(step, approval, { way: 'reversal', amount, user });
        return null;
      });
    },
  });
}

/** Who gets what is reversed: the owner of the wallet that it returns to, or of the card. Null: the network. */
export async function recipientOf(step: Step, { from, to }: { from: AccountId; to: AccountId }, toCard: boolean) {
  const owner = step.db
    .selectFrom('wallets')
    .select('owner_id')
    .where('id', '=', toCard ? from : to);
  return (await owner.executeTakeFirst())?.owner_id ?? null;
}
