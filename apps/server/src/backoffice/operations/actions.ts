import { type Effect, noEffect, refusedEffect } from '@fpay/contract/admin/effect';
import type { OperationAction, previewOperationAction } from '@fpay/contract/admin/operation-actions';
import type { BodyOf } from '@fpay/contract/endpoint';
import { kopecks } from '@fpay/contract/money';
import { can, type Permission, type Role } from '@fpay/contract/roles';
import type { OperationStaffActions } from '../../charging/staff/commands.ts';
import type { PaymentStaffActions } from '../../payments/staff.ts';
import { invalidInput } from '../../platform/http/errors.ts';

interface Dependencies {
  charging: Pick<OperationStaffActions, 'preview'>;
  payments: Pick<PaymentStaffActions, 'preview'>;
  paymentOf: (operation: number) => Promise<{ id: number } | null>;
  /** The device's open transaction of an operation. */
  transactionOf: (operation: number) => Promise<{ id: number; isStopped: boolean } | null>;
}

/** The permission that each action needs beside the page's own. */
export const permissionOf = {
  force_status: 'manipulate-operations',
  force_hold: 'manipulate-payments',
  soft_start: 'manipulate-operations',
  soft_stop: 'manipulate-operations',
  soft_cancel: 'manipulate-operations',
  finish: 'manipulate-operations',
  cancel_hold: 'manipulate-payments',
  finalize: 'manipulate-payments',
  cancel_payment: 'manipulate-payments',
  force_energy: 'manipulate-operations',
  reset: 'interact-with-stations',
  remote_stop: 'interact-with-stations',
} as const satisfies Record<OperationAction, Permission>;

type Request = BodyOf<typeof previewOperationAction>;

/** Which actions make sense for an operation now, and what each would do. */
export function createOperationActions({ charging, payments, paymentOf, transactionOf }: Dependencies) {
  async function ofPayment(operation: number, order: Parameters<PaymentStaffActions['preview']>[1]): Promise<Effect> {
    const payment = await paymentOf(operation);
    return payment ? payments.preview(payment.id, order) : refusedEffect('payment_not_held');
  }

  const missing = (field: string) =>
    invalidInput([{ code: 'custom', path: [field], message: 'This field is required.', input: undefined }]);

  async function preview(id: number, request: Request): Promise<Effect> {
    const { action, status, hold, amount, energy, update_total: updateTotal = false } = request;
    switch (action) {
      case 'force_status':
        if (status === undefined) throw missing('status');
        return charging.preview(id, { action, status });
      case 'force_energy':
        if (energy === undefined) throw missing('energy');
        return charging.preview(id, { action, energy, updateTotal });
      case 'force_hold':
        if (hold === undefined || hold === 'unknown') throw missing('hold');
        return ofPayment(id, { action, status: hold });
      case 'finalize':
        if (amount === undefined || amount === 0) throw missing('amount');
        return ofPayment(id, { action, amount });
      case 'cancel_payment':
        return ofPayment(id, { action, amount });
      case 'cancel_hold':
        return ofPayment(id, { action });
      case 'reset':
        return { ...noEffect, command: 'Reset' };
      case 'remote_stop': {
        const transaction = await transactionOf(id);
        const isRunning = transaction !== null && !transaction.isStopped;
        return isRunning ? { ...noEffect, command: 'RemoteStopTransaction' } : refusedEffect('action_not_applicable');
      }
      default:
        return charging.preview(id, { action });
    }
  }

  /** What a form opens with: enough to tell whether the action makes sense at all. */
  const probes: Record<OperationAction, Request> = {
    force_status: { action: 'force_status', status: 'failed' },
    force_hold: { action: 'force_hold', hold: 'hold' },
    soft_start: { action: 'soft_start' },
    soft_stop: { action: 'soft_stop' },
    soft_cancel: { action: 'soft_cancel' },
    finish: { action: 'finish' },
    cancel_hold: { action: 'cancel_hold' },
    finalize: { action: 'finalize', amount: kopecks(1) },
    cancel_payment: { action: 'cancel_payment' },
    force_energy: { action: 'force_energy', energy: 0 as never },
    reset: { action: 'reset' },
    remote_stop: { action: 'remote_stop' },
  };

  return {
    preview,
    /** Those that the role may take and the state allows. A status can always be forced to another one. */
    async of(id: number, role: Role): Promise<OperationAction[]> {
      const allowed: OperationAction[] = [];
      for (const [action, probe] of Object.entries(probes) as [OperationAction, Request][]) {
        if (!can(role, permissionOf[action])) continue;
        const isAlways = action === 'force_status' || action === 'reset';
        if (isAlways || (await preview(id, probe)).is_allowed) allowed.push(action);
      }
      return allowed;
    },
  };
}

export type OperationActions = ReturnType<typeof createOperationActions>;
