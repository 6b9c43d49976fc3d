import type { MoneyCase, MoneyKind } from '@fpay/contract/admin/money';
import { kopecks } from '@fpay/contract/money';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import CircleCheck from 'lucide-react/icons/circle-check';
import { useState } from 'react';
import { Loaded } from '../../../data/loaded.tsx';
import { useText } from '../../../i18n/use-text.ts';
import { Link, useSearchParams } from '../../../router/index.ts';
import { RefreshButton } from '../../../ui/form/refresh-button.tsx';
import { DateTime } from '../../../ui/format/date-time.tsx';
import { Money } from '../../../ui/format/money.tsx';
import { classNames } from '../../../ui/hooks/class-names.ts';
import { useWide } from '../../../ui/hooks/use-wide.ts';
import { Card } from '../../../ui/layout/card.tsx';
import { EmptyList } from '../../../ui/layout/empty-list.tsx';
import { SkeletonList } from '../../../ui/layout/skeleton.tsx';
import { Sheet } from '../../../ui/overlay/sheet.tsx';
import { MoreButton } from '../parts/more-button.tsx';
import { useMay } from '../parts/use-may.ts';
import { StaffPage } from '../shell/staff-page.tsx';
import { ApprovalList } from './approval-list.tsx';
import { CaseView } from './case-view.tsx';
import { caseView, kindViews, type MoneyView, moneyViews } from './kinds.ts';
import { moneyKey, moneyQueries } from './queries.ts';

/** What waits for somebody who knows about money, by kind, each with what to do. */
export function Page() {
  const text = useText();
  const queryClient = useQueryClient();
  const seesMoney = useMay('manipulate-payments');
  const [params] = useSearchParams();
  const overview = useQuery({ ...moneyQueries.overview(), enabled: seesMoney });
  const { data: waiting } = useQuery(moneyQueries.approvals());
  const { data, dataUpdatedAt } = overview;
  const totals = new Map<MoneyView, { count: number; sum: number }>(data?.kinds.map((each) => [each.kind, each]));
  if (waiting)
    totals.set('approval', {
      count: waiting.length,
      sum: waiting.reduce((sum, { amount }) => sum + amount, 0),
    });
  const asked = moneyViews.find((view) => view === params.get('kind'));
  const chosen =
    asked ?? moneyViews.find((view) => kindViews[view].isWaiting && (totals.get(view)?.count ?? 0) > 0) ?? 'difference';
  return (
    <StaffPage
      title={text('adminMoney:money')}
      subtitle={
        data?.ledger && (
          <>
            {text('adminMoney:ledgerChecked')} <DateTime instant={data.ledger.checked_at} /> ·{' '}
            {data.ledger.faults === 0
              ? text('adminMoney:ledgerRight')
              : text('adminMoney:ledgerFaults', { count: data.ledger.faults })}
          </>
        )
      }
      back="/admin"
      actions={
        <RefreshButton
          onRefresh={() => void queryClient.invalidateQueries({ queryKey: moneyKey })}
          fetchedAt={dataUpdatedAt}
        />
      }
    >
      {seesMoney ? (
        <Loaded query={overview}>
          {() => (
            <div className="grid grid-cols-1 items-start gap-3 lg:grid-cols-[16rem_minmax(0,1fr)]">
              <Kinds totals={totals} chosen={chosen} />
              {chosen === 'approval' ? <ApprovalList /> : <Cases key={chosen} kind={chosen} />}
            </div>
          )}
        </Loaded>
      ) : (
        <ApprovalList />
      )}
    </StaffPage>
  );
}

interface KindsProps {
  totals: ReadonlyMap<MoneyView, { count: number; sum: number }>;
  chosen: MoneyView;
}

function Kinds({ totals, chosen }: KindsProps) {
  const text = useText();
  const groups = [
    { title: text('adminMoney:needsDecision'), views: moneyViews.filter((view) => kindViews[view].isWaiting) },
    { title: text('adminMoney:forInformation'), views: moneyViews.filter((view) => !kindViews[view].isWaiting) },
  ];
  return (
    <nav
      aria-label={text('adminMoney:money')}
      className="grid grid-cols-2 gap-1 rounded-card bg-surface p-2 shadow-card lg:flex lg:flex-col"
    >
      {groups.map((group) => (
        <div key={group.title} className="contents">
          <h2 className="hidden px-2 pt-2 pb-1 text-small text-ink-2 lg:block">{group.title}</h2>
          {group.views.map((view) => {
            const { Icon, label, isWaiting } = kindViews[view];
            const { count = 0, sum = 0 } = totals.get(view) ?? {};
            return (
              <Link
                key={view}
                to={`/admin/money?kind=${view}`}
                replace
                aria-current={view === chosen ? 'page' : undefined}
                className={classNames(
                  'flex min-h-13 min-w-0 items-center gap-3 rounded-control px-2 py-1',
                  view === chosen ? 'bg-accent-soft' : 'hover:bg-surface-2',
                )}
              >
                <Icon aria-hidden="true" size={20} className="hidden shrink-0 text-ink-2 sm:block" />
                <span className="min-w-0 flex-1">
                  <span className="block text-note font-bold lg:whitespace-nowrap">{text(label)}</span>
                  <span className="block text-small text-ink-2">
                    <Money amount={kopecks(sum)} />
                  </span>
                </span>
                <span
                  className={classNames(
                    'tabular rounded-badge px-1.5 text-small font-bold',
                    isWaiting && count > 0 ? 'bg-error-tint text-error' : 'text-ink-2',
                  )}
                >
                  {count}
                </span>
              </Link>
            );
          })}
        </div>
      ))}
    </nav>
  );
}

function Cases({ kind }: { kind: MoneyKind }) {
  const text = useText();
  const isWide = useWide();
  const list = useInfiniteQuery(moneyQueries.cases(kind));
  const [opened, setOpened] = useState<number | null>(null);
  const cases = list.data;
  // On a desktop the first case is open, because there is space for it.
  const shown = cases?.find(({ id }) => id === opened) ?? (isWide ? cases?.[0] : undefined);
  if (!cases) return <SkeletonList rows={4} />;
  if (cases.length === 0)
    return (
      <EmptyList>
        <p className="flex items-center gap-2">
          <CircleCheck aria-hidden="true" size={20} className="text-free" />
          {text('adminMoney:noCases')}
        </p>
      </EmptyList>
    );
  return (
    <div className="grid grid-cols-1 items-start gap-3 lg:grid-cols-[minmax(0,1fr)_21rem]">
      <div className="flex flex-col gap-3">
        <ul
          aria-label={text(kindViews[kind].label)}
          className="divide-y divide-line overflow-hidden rounded-card bg-surface shadow-card"
        >
          {cases.map((item) => (
            <CaseRow
              key={item.id}
              item={item}
              isOpen={isWide && item.id === shown?.id}
              onOpen={() => setOpened(item.id)}
            />
          ))}
        </ul>
        <MoreButton list={list}>{text('admin:moreRows')}</MoreButton>
      </div>
      {isWide && shown && (
        <Card className="sticky top-18">
          <CaseView key={shown.id} item={shown} onDone={() => setOpened(null)} />
        </Card>
      )}
      {!isWide && (
        <Sheet open={shown !== undefined} onClose={() => setOpened(null)} title={text(kindViews[kind].label)}>
          {shown && <CaseView item={shown} onDone={() => setOpened(null)} />}
        </Sheet>
      )}
    </div>
  );
}

interface CaseRowProps {
  item: MoneyCase;
  isOpen: boolean;
  onOpen: () => void;
}

function CaseRow({ item, isOpen, onOpen }: CaseRowProps) {
  const text = useText();
  return (
    <li>
      <button
        type="button"
        data-row
        aria-pressed={isOpen}
        onClick={onOpen}
        className={classNames(
          'flex min-h-12 w-full items-center gap-3 px-4 py-2 text-left text-note -outline-offset-3',
          isOpen ? 'bg-accent-soft' : 'hover:bg-surface-2',
        )}
      >
        <span className="min-w-0 flex-1">
          <span className="block font-bold">{text(caseView(item).title)}</span>
          <span className="block text-small text-ink-2">
            {item.operation_id !== null && `№ ${item.operation_id} · `}
            {item.until ? (
              <>
                {text('adminMoney:until')} <DateTime instant={item.until} />
              </>
            ) : (
              <DateTime instant={item.at} />
            )}
          </span>
        </span>
        <Money amount={item.amount} className="font-bold" />
      </button>
    </li>
  );
}
