import { type Kopecks, kopecks } from '@fpay/contract/money';
import { hundredthsOf } from '@fpay/contract/price';

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
  /** Why; empty while none is given. */
  reason: string;
}

export const emptyForm: OrderForm = {
  preset: null,
  custom: null,
  amount: '',
  energy: '',
  updatesTotal: true,
  resetType: 'Soft',
  reason: '',
};

/** The chosen status; null while there is none. */
export const chosenStatus = ({ preset, custom }: OrderForm): string | null => preset ?? custom;

/** The typed amount; null when it is none, or zero. */
export function orderAmount({ amount }: OrderForm): Kopecks | null {
  const typed = hundredthsOf(amount.replace(',', '.'));
  return typed ? kopecks(typed) : null;
}
