import { type Endpoint, isAboutMoney } from '../endpoint.ts';
import { cancelBalanceTransaction, decreaseBalance, increaseBalance } from '../wallet.ts';
import { askRefund } from './ask-refund.ts';
import { actionRecords } from './operation-actions.ts';

/**
 * The calls about money of a user that can wait for a second staff member, with `approval_id` in their answer. About money of somebody
 * with the same visible digits of a card they wait, whatever the sum; other calls are refused then, and a colleague makes them.
 */
export const waitingCalls: readonly Endpoint[] = [
  ...actionRecords.map(({ endpoint }): Endpoint => endpoint).filter(({ money }) => isAboutMoney(money)),
  askRefund,
  increaseBalance,
  decreaseBalance,
  cancelBalanceTransaction,
];
