import type { Commands } from '../../ocpp/commands/service.ts';
import type { WishKindRules } from '../../ocpp/commands/wishes.ts';
import { transactionOfOperation } from '../../ocpp/transactions/find-transaction.ts';
import type { OperationStore } from '../store.ts';
import type { DeviceLimit } from './device-limit.ts';

interface Dependencies {
  operations: OperationStore;
  deviceLimit: Pick<DeviceLimit, 'decideAgain'>;
  commands: Pick<Commands, 'isConnected'>;
}

/** The device is ready for it a second later, and an end of the charge that it has queued has arrived. */
const afterConnectMs = 4_000;

/** The limit of a charge whose profile did not reach the device. */
export function createProfileWish({ operations, deviceLimit, commands }: Dependencies): WishKindRules {
  return {
    afterConnectMs,
    lock: (step, { subject }) => operations.lock(step, subject),

    async decide(step, { chargePointId, subject }) {
      const operation = await operations.lock(step, subject);
      if (operation?.status !== 'ongoing') return 'done';
      const transaction = await transactionOfOperation(step.db, subject);
      if (!transaction || transaction.isStopped) return 'done';
      if (!(await commands.isConnected(step, chargePointId))) return 'keep';
      return deviceLimit.decideAgain(step, operation, transaction.id);
    },
  };
}
