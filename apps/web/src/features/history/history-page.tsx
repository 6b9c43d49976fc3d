import type { HistoryItem } from '@fpay/contract/history';
import { kopecks, wattHours } from '@fpay/contract/money';
import { useQuery } from '@tanstack/react-query';
import History from 'lucide-react/icons/history';
import ScanLine from 'lucide-react/icons/scan-line';
import Undo2 from 'lucide-react/icons/undo-2';
import { Loaded } from '../../data/loaded.tsx';
import { useText } from '../../i18n/use-text.ts';
import { Button } from '../../ui/form/button.tsx';
import { MainButton } from '../../ui/form/main-button.tsx';
import { Days } from '../../ui/format/days.tsx';
import { Energy } from '../../ui/format/energy.tsx';
import { formatMoney, Money } from '../../ui/format/money.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { List } from '../../ui/layout/list.tsx';
import { PageTitle } from '../../ui/layout/page-title.tsx';
import { PastFilter, usePast } from '../../ui/layout/past-filter.tsx';
import { SkeletonList } from '../../ui/layout/skeleton.tsx';
import { useUser } from '../account/queries.ts';
import { HistoryRow } from './history-row.tsx';
import { historyQueries, useClearOnLeave } from './queries.ts';

/** The driver's finished operations. */
export function Page() {
  const text = useText();
  const cars = useUser()?.cars ?? [];
  const { past, look } = usePast(cars);
  const found = useQuery(historyQueries.range(past.range));
  useClearOnLeave(historyQueries.all);
  const items = found.data?.filter(({ car_id }) => past.car === null || car_id === past.car);

  return (
    <>
      <div className="flex flex-col gap-3 px-4 pt-1 pb-4">
        <PageTitle back="/account">{text('history:title')}</PageTitle>
        <PastFilter cars={cars} past={past} onChange={look} />
      </div>
      <Loaded
        query={{ ...found, data: items }}
        failure={text('history:notRead')}
        waiting={
          <div className="px-4">
            <SkeletonList rows={4} />
          </div>
        }
      >
        {(items) =>
          items.length === 0 ? (
            <NoOperations />
          ) : (
            <div className="flex flex-col gap-4 px-4 pb-6">
              <Sums items={items} />
              <Days items={items}>
                {(ofDay, day) => (
                  <List label={day}>
                    {ofDay.map((item) => (
                      <HistoryRow key={item.id} item={item} />
                    ))}
                  </List>
                )}
              </Days>
            </div>
          )
        }
      </Loaded>
    </>
  );
}

function Sums({ items }: { items: HistoryItem[] }) {
  const text = useText();
  const energy = wattHours(items.reduce((sum, item) => sum + item.energy, 0));
  const total = kopecks(items.reduce((sum, item) => sum + item.total, 0));
  const back = kopecks(items.reduce((sum, item) => sum + (item.refunded?.amount ?? 0), 0));
  return (
    <>
      <p className="flex flex-wrap items-end justify-between gap-x-4 px-1 text-note text-ink-2">
        <Energy energy={energy} decimals={1} still className="text-h1 text-ink" unitClassName="text-note text-ink-2" />
        <span className="text-right">
          <span className="block">{text('history:count', { count: items.length })}</span>
          <Money amount={total} still className="text-h1 text-ink" />
        </span>
      </p>
      {back > 0 && (
        <p className="flex items-center gap-3 rounded-card bg-free-tint p-4 text-note text-free">
          <Undo2 aria-hidden="true" size={20} className="shrink-0" />
          {text('history:backInSum', { amount: formatMoney(back) })}
        </p>
      )}
    </>
  );
}

function NoOperations() {
  const text = useText();
  return (
    <EmptyState
      level={2}
      drawing={<History size={64} strokeWidth={1.5} />}
      title={text('history:empty')}
      text={text('history:emptyText')}
      actions={
        <>
          <MainButton to="/qr" icon={<ScanLine aria-hidden="true" size={20} />}>
            {text('history:scan')}
          </MainButton>
          <Button to="/map">{text('generic:toMap')}</Button>
        </>
      }
    />
  );
}
