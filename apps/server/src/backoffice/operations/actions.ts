import { type Effect, refusedEffect } from '@fpay/contract/admin/effect';
import {
  type ActionRecord,
  type ActionRequest,
  type OperationAction,
  operationActions,
} from '@fpay/contract/admin/operation-actions';
import type { AdminOperation } from '@fpay/contract/admin/operations';
import { isAboutMoney } from '@fpay/contract/endpoint';
import { can } from '@fpay/contract/roles';
import { type OperationOrder, operationWorks } from '../../charging/staff/actions.ts';
import type { OperationStaffActions } from '../../charging/staff/commands.ts';
import { type OpenTransaction, stationWorks } from '../../ocpp/commands/staff-actions.ts';
import { type PaymentOrder, paymentWorks } from '../../payments/staff/actions.ts';
import type { PaymentStaffActions } from '../../payments/staff/commands.ts';
import type { Viewer } from '../../platform/http/session.ts';
import { refusalOf } from '../own-money/own-money.ts';
import type { OwnMoney } from '../own-money/profit.ts';

interface Dependencies {
  charging: Pick<OperationStaffActions, 'preview'>;
  payments: Pick<PaymentStaffActions, 'preview'>;
  paymentOf: (operation: number) => Promise<{ id: number } | null>;
  /** The device's open transaction of an operation. */
  transactionOf: (operation: number) => Promise<OpenTransaction>;
  ownMoney: Pick<OwnMoney, 'answer'>;
}

interface Work {
  record: ActionRecord;
  probe: ActionRequest;
  isAlwaysOffered?: boolean;
}

/** Every action of the contract with its record on the server. One that no feature does is missing here, which does not compile. */
const works: Record<OperationAction, Work> = { ...operationWorks, ...paymentWorks, ...stationWorks };

const isOfMoney = (action: OperationAction) => isAboutMoney(works[action].record.endpoint.money);
const isPaymentOrder = (request: ActionRequest): request is PaymentOrder => request.action in paymentWorks;
const isOperationOrder = (request: ActionRequest): request is OperationOrder => request.action in operationWorks;

/** Which actions make sense for an operation now, and what each would do. */
export function createOperationActions({ charging, payments, paymentOf, transactionOf, ownMoney }: Dependencies) {
  const moneyOf = (id: number, viewer: number) => ownMoney.answer(viewer, [{ of: 'operation', values: [id] }]);

  async function effectOf(id: number, request: ActionRequest, staff: number | null = null): Promise<Effect> {
    if (isOperationOrder(request)) return charging.preview(id, request, staff);
    if (isPaymentOrder(request)) {
      const payment = await paymentOf(id);
      return payment ? payments.preview(payment.id, request, staff) : refusedEffect('payment_not_held');
    }
    return stationWorks[request.action].effect(await transactionOf(id));
  }

  return {
    async preview(id: number, request: ActionRequest, viewer: number): Promise<Effect> {
      const refusal = isOfMoney(request.action) ? refusalOf(await moneyOf(id, viewer), true) : null;
      return refusal ? refusedEffect(refusal) : effectOf(id, request, viewer);
    },

    /** Those that the role may take, the state allows and the money of the operation does not forbid to this viewer. */
    async of(id: number, viewer: Viewer): Promise<Pick<AdminOperation, 'actions' | 'own_money'>> {
      const answer = await moneyOf(id, viewer.id);
      const actions: OperationAction[] = [];
      for (const action of operationActions) {
        const { record, probe, isAlwaysOffered = false } = works[action];
        if (!can(viewer.role, record.permission)) continue;
        if (answer === 'own' && isOfMoney(action)) continue;
        if (isAlwaysOffered || (await effectOf(id, probe)).is_allowed) actions.push(action);
      }
      return { actions, own_money: answer };
    },
  };
}

export type OperationActions = ReturnType<typeof createOperationActions>;
