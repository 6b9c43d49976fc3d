import type { Approval, ApprovalKind } from '@fpay/contract/admin/approvals';
import type { Language } from '@fpay/contract/person';
import type { useText } from '../../../i18n/use-text.ts';
import { formatMoney } from '../../../ui/format/money.tsx';

type Text = ReturnType<typeof useText>;

interface Shown {
  sum: string;
  name: string;
  approval: Approval;
}

/** What happens when a request is approved, in one sentence for each kind. */
const sentences: Record<ApprovalKind, (text: Text, shown: Shown) => string> = {
  increase: (text, { sum, name }) => text('oversight:willGive', { sum, name }),
  decrease: (text, { sum, name }) => text('oversight:willTake', { sum, name }),
};

export function approvalSentence(approval: Approval, text: Text, language: Language): string {
  const sum = formatMoney(approval.amount, {}, language);
  return sentences[approval.action](text, { sum, name: nameOf(approval), approval });
}

export const nameOf = ({ user }: Approval): string => (user === null ? '' : user.name || user.phone_number);
