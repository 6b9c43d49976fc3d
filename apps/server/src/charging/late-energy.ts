import { kopecks, type WattHours } from '@fpay/contract/money';
import { realTotalOf } from '@fpay/contract/price';
import type { Step } from '../platform/step.ts';
import type { WalletService } from '../wallet/service.ts';
import type { WalletStore } from '../wallet/store.ts';
import { network } from '../wallet/transfer.ts';
import type { Operation, OperationStore } from './store.ts';

interface Dependencies {
  operations: OperationStore;
  wallet: Pick<WalletService, 'transfer'>;
  ledger: Pick<WalletStore, 'isMade'>;
}

/** Energy that flowed when the operation was over: nobody pays for it any more, so it is the network's loss, booked once. */
export function createLateEnergy({ operations, wallet, ledger }: Dependencies) {
  return async (step: Step, operation: Operation, ocppTransaction: number, energy: WattHours): Promise<void> => {
    const worth = kopecks(realTotalOf(energy, operation.price));
    const what = `transaction ${ocppTransaction} gave ${energy} Wh after the end`;
    await operations.note(step, operation.id, 'station', `${what}: ${worth} booked to losses`);
    const key = `transaction:${ocppTransaction}:lost`;
    if (worth === 0 || (await ledger.isMade(step, key))) return;
    const { losses: from, revenue: to } = network;
    await wallet.transfer(step, [{ key, kind: 'lost', from, to, amount: worth, operation: operation.id }]);
  };
}

export type LateEnergy = ReturnType<typeof createLateEnergy>;
