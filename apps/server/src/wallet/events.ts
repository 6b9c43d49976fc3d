import { userGroup } from '@fpay/contract/realtime';
import type { Logger } from 'pino';
import type { WalletStore } from './ledger.ts';
import { accountId } from './transfer.ts';

export type PublishBalance = (group: string, message: { type: string; balance: number }) => void;

/** Notifies all users of a wallet of its new balance. For the outbox topic `wallet`, whose ref is the wallet's id. */
export function createWalletEvents({
  ledger,
  publish,
  log,
}: {
  ledger: WalletStore;
  publish: PublishBalance;
  log: Logger;
}) {
  return async function walletChanged(ref: string): Promise<void> {
    try {
      const found = await ledger.usersOf(accountId(Number(ref)));
      for (const user of found?.users ?? []) {
        publish(userGroup(user), { type: 'wallet_balance_update', balance: found?.balance ?? 0 });
      }
    } catch (error) {
      // A page that gets no message reads the balance with its next request.
      log.warn({ err: error, wallet: ref }, 'balance notification failed');
    }
  };
}
