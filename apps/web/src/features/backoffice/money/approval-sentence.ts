import type { Approval, ApprovalKind } from '@fpay/contract/admin/approvals';
import { OperationAction } from '@fpay/contract/admin/operation-actions';
import { kopecks } from '@fpay/contract/money';
import type { Language } from '@fpay/contract/person';
import type { useText } from '../../../i18n/use-text.ts';
import { formatMoney } from '../../../ui/format/money.tsx';
import { codeTexts } from '../network/promotions/promotion-text.ts';
import { actionViews } from '../operation/action-views.ts';

type Text = ReturnType<typeof useText>;

interface Shown {
  sum: string;
  name: string;
  approval: Approval;
  money: (amount: number) => string;
}

/** The action of a charge or a payment, as its button says it. */
function actionOf(text: Text, { details }: Approval): string {
  const { data: action } = OperationAction.safeParse(details.action);
  return action ? text(actionViews[action].label).replace(/…$/, '') : String(details.action);
}

/** What happens when a request is approved, in one sentence for each kind. */
const sentences: Record<ApprovalKind, (text: Text, shown: Shown) => string> = {
  increase: (text, { sum, name }) => text('adminMoney:willGive', { sum, name }),
  decrease: (text, { sum, name }) => text('adminMoney:willTake', { sum, name }),
  reversal: (text, { sum, name }) => text('adminMoney:willReverse', { sum, name }),
  'operation-action': (text, { sum, name, approval }) =>
    text('adminMoney:willChangeOperation', { id: approval.subject.id, action: actionOf(text, approval), sum, name }),
  'payment-action': (text, { sum, name, approval }) =>
    text('adminMoney:willChangePayment', { id: approval.subject.id, action: actionOf(text, approval), sum, name }),
  promotion: (text, { sum, approval: { details }, money }) => {
    const known = codeTexts[String(details.code)];
    const name = known ? text(known) : String(details.code);
    const shown = { name, station: String(details.station), sum };
    return typeof details.budget === 'number'
      ? text('adminMoney:willStartPromotion', { ...shown, budget: money(details.budget) })
      : text('adminMoney:willStartUnlimited', shown);
  },
  tariff: (text, { sum, approval: { details } }) =>
    text(details.is_free === true ? 'adminMoney:willFreeTariff' : 'adminMoney:willChangeTariff', {
      name: String(details.name),
      sum,
    }),
};

export function approvalSentence(approval: Approval, text: Text, language: Language): string {
  const money = (amount: number) => formatMoney(kopecks(amount), {}, language);
  return sentences[approval.action](text, { sum: money(approval.amount), name: nameOf(approval), approval, money });
}

export const nameOf = ({ user }: Approval): string => (user === null ? '' : user.name || user.phone_number);
