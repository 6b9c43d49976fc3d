import type { OperationAction } from '@fpay/contract/admin/operation-actions';
import type { OperationStatus } from '@fpay/contract/charging';
import { kopecks, wattHours } from '@fpay/contract/money';
import type { HoldStatus } from '@fpay/contract/payments';
import { hundredthsOf } from '@fpay/contract/price';
import type { PreviewRequest } from './queries.ts';

/** The typed values of the action's form. */
export interface OrderForm {
  /** A chosen preset wins over a custom value. */
  preset: string | null;
  custom: string | null;
  /** Hryvnias. */
  amount: string;
  /** kWh. */
  energy: string;
  updatesTotal: boolean;
  resetType: 'Soft' | 'Hard';
}

export const emptyForm: OrderForm = {
  preset: null,
  custom: null,
  amount: '',
  energy: '',
  updatesTotal: true,
  resetType: 'Soft',
};

/** The request for the preview and for the action itself; null while something is missing or invalid. */
export function requestOf(action: OperationAction, form: OrderForm): PreviewRequest | null {
  const chosen = form.preset ?? form.custom;
  switch (action) {
    case 'force_status':
      return chosen ? { action, status: chosen as OperationStatus } : null;
    case 'force_hold':
      return chosen ? { action, hold: chosen as HoldStatus } : null;
    case 'finalize': {
      const amount = hundredthsOf(form.amount.replace(',', '.'));
      return amount ? { action, amount: kopecks(amount) } : null;
    }
    case 'cancel_payment': {
      // An empty field returns everything.
      if (form.amount.trim() === '') return { action };
      const amount = hundredthsOf(form.amount.replace(',', '.'));
      return amount ? { action, amount: kopecks(amount) } : null;
    }
    case 'force_energy': {
      const energy = wattHoursOf(form.energy);
      return energy === null ? null : { action, energy: wattHours(energy), update_total: form.updatesTotal };
    }
    default:
      return { action };
  }
}

const mostWh = 1_000_000;

/** kWh with at most three decimals, as whole watt-hours. */
function wattHoursOf(typed: string): number | null {
  const match = /^(\d{1,4})(?:[.,](\d{1,3}))?$/.exec(typed.trim());
  if (!match) return null;
  const energy = Number(match[1]) * 1000 + Number((match[2] ?? '').padEnd(3, '0'));
  return energy <= mostWh ? energy : null;
}
