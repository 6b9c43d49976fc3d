import { kopecks, type WattHours } from '@fpay/contract/money';
import { realTotalOf } from '@fpay/contract/price';
import type { Step } from '../../platform/step.ts';
import type { WalletStore } from '../../wallet/ledger.ts';
import type { WalletService } from '../../wallet/service.ts';
import { network } from '../../wallet/transfer.ts';
import type { OperationStore, StoredOperation } from '../store.ts';

interface Dependencies {
  operations: OperationStore;
  wallet: Pick<WalletService, 'transfer'>;
  ledger: Pick<WalletStore, 'isMade'>;
}

/** Energy that flowed after the driver's bill ended is the network's loss, booked once for each transaction. */
export function createLateEnergy({ operations, wallet, ledger }: Dependencies) {
  return async (step: Step, operation: StoredOperation, ocppTransaction: number, energy: WattHours): Promise<void> => {
    const key = `transaction:${ocppTransaction}:lost`;
    if (await ledger.isMade(step, key)) return;
    const worth = kopecks(realTotalOf(energy, operation.price));
    const what = `transaction ${ocppTransaction} gave ${energy} Wh after the end`;
    await operations.note(step, operation.id, 'station', `${what}: ${worth} booked to losses`);
    if (worth === 0) return;
    const { losses: from, revenue: to } = network;
    await wallet.transfer(step, [{ key, kind: 'lost', from, to, amount: worth, operation: operation.id }]);
  };
}

export type LateEnergy = ReturnType<typeof createLateEnergy>;
