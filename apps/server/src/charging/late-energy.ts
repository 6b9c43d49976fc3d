import { kopecks, type WattHours } from '@fpay/contract/money';
import { realTotalOf } from '@fpay/contract/price';
import type { Step } from '../platform/step.ts';
import type { WalletService } from '../wallet/service.ts';
import { network } from '../wallet/transfer.ts';
import type { Operation, OperationStore } from './store.ts';

interface Dependencies {
  operations: OperationStore;
  wallet: Pick<WalletService, 'transfer'>;
}

/** Energy that flowed when the operation was over: nobody pays for it any more, so it is the network's loss, booked once. */
export function createLateEnergy({ operations, wallet }: Dependencies) {
  return async (step: Step, operation: Operation, ocppTransaction: number, energy: WattHours): Promise<void> => {
    const worth = kopecks(realTotalOf(energy, operation.price));
    const what = `transaction ${ocppTransaction} gave ${energy} Wh after the end`;
    await operations.note(step, operation.id, 'station', `${what}: ${worth} booked to losses`);
    const key = `transaction:${ocppTransaction}:lost`;
    const booked = await step.db.selectFrom('transfers').select('id').where('key', '=', key).executeTakeFirst();
    if (worth === 0 || booked) return;
    const { losses: from, revenue: to } = network;
    await wallet.transfer(step, [{ key, kind: 'lost', from, to, amount: worth, operation: operation.id }]);
  };
}

export type LateEnergy = ReturnType<typeof createLateEnergy>;
