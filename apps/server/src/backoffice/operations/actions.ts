import { type Effect, refusedEffect } from '@fpay/contract/admin/effect';
import {
  type ActionRecord,
  type ActionRequest,
  type OperationAction,
  operationActions,
} from '@fpay/contract/admin/operation-actions';
import { can, type Role } from '@fpay/contract/roles';
import { type OperationOrder, operationWorks } from '../../charging/staff/actions.ts';
import type { OperationStaffActions } from '../../charging/staff/commands.ts';
import { type OpenTransaction, stationWorks } from '../../ocpp/commands/staff-actions.ts';
import type { PaymentStaffActions } from '../../payments/staff.ts';
import { type PaymentOrder, paymentWorks } from '../../payments/staff-actions.ts';

interface Dependencies {
  charging: Pick<OperationStaffActions, 'preview'>;
  payments: Pick<PaymentStaffActions, 'preview'>;
  paymentOf: (operation: number) => Promise<{ id: number } | null>;
  /** The device's open transaction of an operation. */
  transactionOf: (operation: number) => Promise<OpenTransaction>;
}

interface Work {
  record: ActionRecord;
  probe: ActionRequest;
  isAlwaysOffered?: boolean;
}

/** Every action of the contract with its record on the server. One that no feature does is missing here, which does not compile. */
const works: Record<OperationAction, Work> = { ...operationWorks, ...paymentWorks, ...stationWorks };

const isPaymentOrder = (request: ActionRequest): request is PaymentOrder => request.action in paymentWorks;
const isOperationOrder = (request: ActionRequest): request is OperationOrder => request.action in operationWorks;

/** Which actions make sense for an operation now, and what each would do. */
export function createOperationActions({ charging, payments, paymentOf, transactionOf }: Dependencies) {
  async function preview(id: number, request: ActionRequest, staff: number | null = null): Promise<Effect> {
    if (isOperationOrder(request)) return charging.preview(id, request, staff);
    if (isPaymentOrder(request)) {
      const payment = await paymentOf(id);
      return payment ? payments.preview(payment.id, request, staff) : refusedEffect('payment_not_held');
    }
    return stationWorks[request.action].effect(await transactionOf(id));
  }

  return {
    preview,
    /** Those that the role may take and the state allows. */
    async of(id: number, role: Role): Promise<OperationAction[]> {
      const allowed: OperationAction[] = [];
      for (const action of operationActions) {
        const { record, probe, isAlwaysOffered = false } = works[action];
        if (!can(role, record.permission)) continue;
        if (isAlwaysOffered || (await preview(id, probe)).is_allowed) allowed.push(action);
      }
      return allowed;
    },
  };
}

export type OperationActions = ReturnType<typeof createOperationActions>;
