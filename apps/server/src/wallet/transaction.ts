import type { BalanceTransaction, BalanceTransactionType } from '@fpay/contract/wallet';
import { kyivDate, kyivTime } from '../platform/kyiv-time.ts';
import type { TransferKind } from './transfer.ts';

/** A transfer as one wallet sees it, with the phone numbers of the users in it. */
export interface Entry {
  id: number;
  kind: TransferKind;
  isIncoming: boolean;
  amount: number;
  operation: number | null;
  payment: number | null;
  staff: number | null;
  promo: number | null;
  reverses: number | null;
  sender: string | null;
  recipient: string | null;
  createdAt: Date;
  /** The charge that it belongs to. */
  charge: { station: string; driver: number } | null;
}

/** The type on the wire for each kind, by the side of the wallet: [money came in, money left]. */
const wireTypes = {
  operation_payment: ['operation_payment', 'operation_payment'],
  operation_return: ['operation_return', 'operation_return'],
  earned: ['operation_payment', 'operation_payment'],
  // A correction that takes more is a payment for the operation; one that gives back is a return.
  correction: ['operation_return', 'operation_payment'],
  gift: ['gift_from', 'gift_to'],
  party_return: ['gift_from', 'gift_to'],
  allowance: ['gift_from', 'gift_to'],
  deposit: ['deposit', 'deposit'],
  admin: ['admin', 'admin'],
  promo: ['promo', 'promo'],
  reversal: ['payment_reversal', 'payment_reversal'],
  // A top-up that is being returned to the card, and back again when the bank refuses.
  refund: ['payment_reversal', 'payment_reversal'],
  refund_refused: ['payment_reversal', 'payment_reversal'],
  refunded: ['payment_reversal', 'payment_reversal'],
  capture: ['deposit', 'deposit'],
  lost: ['operation_payment', 'operation_payment'],
  chargeback: ['payment_reversal', 'payment_reversal'],
  fee: ['admin', 'admin'],
  opening: ['operation_payment', 'operation_payment'],
  reward_cost: ['promo', 'promo'],
} as const satisfies Record<TransferKind, readonly [BalanceTransactionType, BalanceTransactionType]>;

/** `viewer` is the user who reads it; a shared wallet has charges of several drivers. */
export function balanceTransaction(entry: Entry, viewer: number): BalanceTransaction {
  const [incoming, outgoing] = wireTypes[entry.kind];
  return {
    id: entry.id,
    type: entry.isIncoming ? incoming : outgoing,
    context: {
      admin_id: entry.staff,
      charging_operation_id: entry.operation,
      invoice_id: entry.payment,
      recipient: entry.isIncoming ? null : entry.recipient,
      sender: entry.isIncoming ? entry.sender : null,
      reversed_transaction_id: entry.reverses,
      promo_id: entry.promo,
    },
    charge: entry.charge && { station_number: entry.charge.station, is_own: entry.charge.driver === viewer },
    amount: (entry.isIncoming ? entry.amount : -entry.amount) as BalanceTransaction['amount'],
    date: kyivDate(entry.createdAt),
    time: kyivTime(entry.createdAt),
  };
}
