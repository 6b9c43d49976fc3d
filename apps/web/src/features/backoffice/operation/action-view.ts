import type { ActionRecord, ActionRequest, OperationAction } from '@fpay/contract/admin/operation-actions';
import type { AdminOperation } from '@fpay/contract/admin/operations';
import type { ReasonKind } from '@fpay/contract/admin/reasons';
import { isAboutMoney } from '@fpay/contract/endpoint';
import type { Permission } from '@fpay/contract/roles';
import type Ban from 'lucide-react/icons/ban';
import type { ReactNode } from 'react';
import { text } from '../../../i18n/i18n.ts';
import type { TextKey } from '../../../i18n/text-key.ts';
import type { OrderForm } from './order.ts';

/** The headings of the buttons, in their order. */
export const groupTitles = {
  soft: 'adminOperations:groupSoft',
  payment: 'adminOperations:groupPayment',
  force: 'adminOperations:groupForce',
  station: 'adminOperations:groupStation',
} as const satisfies Record<string, TextKey>;
export type ActionGroup = keyof typeof groupTitles;

export interface FieldsProps {
  form: OrderForm;
  onChange: (form: OrderForm) => void;
}

/** What an action is done to. */
export type ActionTarget = Pick<AdminOperation, 'operation_id' | 'payment_id' | 'charge_point_id' | 'transaction_id'>;

interface Given<Name extends OperationAction, Reply> {
  record: Extract<ActionRecord, { name: Name }>;
  Icon: typeof Ban;
  label: TextKey;
  group: ActionGroup;
  /** It overrides what the product decided by itself. */
  isForced?: boolean;
  /** The values that it needs; most need none. */
  Fields?: (props: FieldsProps) => ReactNode;
  /** The request for the preview and for the action itself; null while something is missing or invalid. */
  requestOf?: (form: OrderForm) => ActionRequest<Name> | null;
  /** Does what was previewed. */
  perform: (target: ActionTarget, request: ActionRequest<Name>, form: OrderForm) => Promise<Reply>;
  /** What has happened: the new status of the operation or the payment, or the answer of the charge point. */
  resultText: (reply: Reply) => string;
}

/** How an action of staff looks and what it sends: one record each, beside the contract's record of the same action. */
export interface ActionView {
  Icon: typeof Ban;
  label: TextKey;
  group: ActionGroup;
  /** Beside the page's own; the server checks it again. */
  needs: Permission;
  isForced: boolean;
  /** It is refused for money that the viewer profits from. */
  isAboutMoney: boolean;
  /** The reasons that it is offered; null: it asks for none. */
  reasons: ReasonKind | null;
  Fields: ((props: FieldsProps) => ReactNode) | null;
  requestOf: (form: OrderForm) => ActionRequest | null;
  /** Returns the text of its result, in the language of the moment. */
  perform: (target: ActionTarget, request: ActionRequest, form: OrderForm) => Promise<() => string>;
}

export function actionView<const Name extends OperationAction, Reply>(
  given: { record: { name: Name } } & Given<Name, Reply>,
): ActionView {
  const { record, Icon, label, group, isForced = false, Fields = null, perform, resultText } = given;
  const { name, permission, endpoint, reasons } = record as ActionRecord;
  return {
    Icon,
    label,
    group,
    isForced,
    Fields,
    needs: permission,
    reasons,
    isAboutMoney: isAboutMoney(endpoint.money),
    requestOf: given.requestOf ?? (() => ({ action: name }) as ActionRequest),
    async perform(target, request, form) {
      const reply = await perform(target, request as ActionRequest<Name>, form);
      return () => (isWaiting(reply) ? text('admin:awaitsApproval') : resultText(reply));
    },
  };
}

/** Above the limit nothing has happened yet. */
const isWaiting = (reply: unknown): boolean =>
  ((reply as { approval_id?: number | null }).approval_id ?? null) !== null;
