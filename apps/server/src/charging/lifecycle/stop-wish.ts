import type { Commands } from '../../ocpp/commands/service.ts';
import type { WishKindRules } from '../../ocpp/commands/wishes.ts';
import { runningTransaction } from '../../ocpp/transactions/find-transaction.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Stopping } from '../moves/stopping.ts';
import { isPowerFlowing } from '../operation.ts';
import type { OperationStore } from '../store.ts';

interface Dependencies {
  operations: OperationStore;
  stopping: Pick<Stopping, 'sendStop'>;
  commands: Pick<Commands, 'enqueue' | 'giveUpEarlier'>;
  clock: Clock;
}

const action = 'RemoteStopTransaction';

/**
 * A transaction that must end. It is wanted from the first stop until the transaction has ended, so each connect of the
 * device sends a stop at once, whatever became of the earlier ones.
 */
export function createStopWish({ operations, stopping, commands, clock }: Dependencies): WishKindRules {
  return {
    async lock(step, { subject }) {
      const transaction = await runningTransaction(step, subject);
      if (transaction?.operationId) await operations.lock(step, transaction.operationId);
    },

    async decide(step, { chargePointId, subject }) {
      const transaction = await runningTransaction(step, subject);
      if (!transaction) return 'done';
      const { operationId } = transaction;
      const operation = operationId === null ? null : await operations.lock(step, operationId);
      const isFinishing = operation?.status === 'finishing' && operation.chargeEndedAt === null;
      // Staff may have set it back to a status in which it goes on.
      if (operation && isPowerFlowing(operation.status) && !isFinishing) return 'done';
      await commands.giveUpEarlier(step, { chargePointId, action, stopOf: subject, at: clock.now() });
      if (operation && isFinishing) await stopping.sendStop(step, operation);
      else {
        const payload = { transactionId: subject };
        await commands.enqueue(step, { chargePointId, action, payload, operationId, outcomeTo: 'charging' });
      }
      return 'keep';
    },
  };
}
