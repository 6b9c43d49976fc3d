import { userGroup } from '@fpay/contract/realtime';
import type { Logger } from 'pino';
import type { WalletStore } from './store.ts';
import { accountId } from './transfer.ts';

type Publish = (group: string, message: { type: string; balance: number }) => void;

/** Tells everyone who uses a wallet its new balance. For the outbox topic `wallet`, whose ref is the wallet's id. */
export function createWalletEvents({ ledger, publish, log }: { ledger: WalletStore; publish: Publish; log: Logger }) {
  return async function walletChanged(ref: string): Promise<void> {
    try {
      const found = await ledger.usersOf(accountId(Number(ref)));
      for (const user of found?.users ?? []) {
        publish(userGroup(user), { type: 'wallet_balance_update', balance: found?.balance ?? 0 });
      }
    } catch (error) {
      // A page that hears nothing reads the balance with its next request.
      log.warn({ err: error, wallet: ref }, 'could not tell a new balance');
    }
  };
}
