import { type Approval, approve, decline } from '@fpay/contract/admin/approvals';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { useAction } from '../../../data/action.ts';
import { useLanguage, useText } from '../../../i18n/use-text.ts';
import { Link } from '../../../router/index.ts';
import { Button } from '../../../ui/form/button.tsx';
import { DateTime } from '../../../ui/format/date-time.tsx';
import { Money } from '../../../ui/format/money.tsx';
import { EmptyList } from '../../../ui/layout/empty-list.tsx';
import { SkeletonList } from '../../../ui/layout/skeleton.tsx';
import { confirm } from '../../../ui/overlay/popups.ts';
import { approvalSentence, nameOf } from './approval-sentence.ts';
import { moneyKey, moneyQueries } from './queries.ts';

/** Actions above the limit wait here for a second member of staff. */
export function ApprovalList() {
  const text = useText();
  const { data } = useQuery(moneyQueries.approvals());
  if (!data) return <SkeletonList rows={3} />;
  return (
    <section className="flex flex-col gap-3">
      <p className="rounded-card bg-surface p-4 text-note text-ink-2 shadow-card">
        {text('adminMoney:adviceApproval')}
      </p>
      {data.length === 0 ? (
        <EmptyList>{text('adminMoney:noApprovals')}</EmptyList>
      ) : (
        <ul
          aria-label={text('adminMoney:kindApproval')}
          className="divide-y divide-line rounded-card bg-surface shadow-card"
        >
          {data.map((each) => (
            <ApprovalRow key={each.id} approval={each} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** A price and a promotion are decided on their own terms. */
const isReasoned = ({ action }: Approval) => action !== 'tariff' && action !== 'promotion';

function ApprovalRow({ approval }: { approval: Approval }) {
  const text = useText();
  const language = useLanguage();
  const queryClient = useQueryClient();
  const params = { id: String(approval.id) };
  const deciding = useAction(
    async (isApproved: boolean) => {
      if (isApproved) await call(approve, { params });
      else await call(decline, { params });
    },
    { onSettled: () => void queryClient.invalidateQueries({ queryKey: moneyKey }) },
  );
  const effect = approvalSentence(approval, text, language);
  async function askToApprove() {
    if (await confirm({ title: text('adminMoney:approveQuestion'), effect })) deciding.mutate(true);
  }
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3 text-note">
      <span className="min-w-48 flex-1">
        <span className="block font-bold">
          <Money amount={approval.amount} />
          {approval.user && (
            <>
              {' · '}
              <Link to={`/admin/users/${approval.user.id}`} className="text-accent-text">
                {nameOf(approval)}
              </Link>
            </>
          )}
        </span>
        <span className="block">{effect}</span>
        {isReasoned(approval) && (
          <span className="block">
            {text('admin:reason')}: {approval.reason ?? text('admin:noReason')}
          </span>
        )}
        <span className="block text-small text-ink-2">
          {text('adminMoney:requestedBy', { name: approval.requested_by.name })} ·{' '}
          <DateTime instant={approval.created_at} />
        </span>
      </span>
      {approval.is_mine_to_decide ? (
        <Button size="s" kind="main" busy={deciding.isPending} onPress={() => void askToApprove()}>
          {text('adminMoney:approve')}
        </Button>
      ) : (
        <span className="text-small text-ink-2">{text('adminMoney:waitsForColleague')}</span>
      )}
      <Button size="s" busy={deciding.isPending} onPress={() => deciding.mutate(false)}>
        {text('adminMoney:decline')}
      </Button>
      {!approval.has_second_person && (
        <p className="w-full text-small text-ink-2">{text('adminMoney:noColleague', { id: approval.id })}</p>
      )}
    </li>
  );
}
