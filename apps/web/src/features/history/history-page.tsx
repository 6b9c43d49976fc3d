import type { HistoryItem } from '@fpay/contract/history';
import { kopecks, wattHours } from '@fpay/contract/money';
import { useQuery } from '@tanstack/react-query';
import History from 'lucide-react/icons/history';
import ScanLine from 'lucide-react/icons/scan-line';
import { NetworkError } from '../../api/errors.ts';
import { useText } from '../../i18n/use-text.ts';
import { Button } from '../../ui/button.tsx';
import { Days } from '../../ui/days.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Energy } from '../../ui/energy.tsx';
import { List } from '../../ui/list.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { MainButton } from '../../ui/main-button.tsx';
import { Money } from '../../ui/money.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { PastFilter, usePast } from '../../ui/past-filter.tsx';
import { SkeletonList } from '../../ui/skeleton.tsx';
import { useUser } from '../account/queries.ts';
import { HistoryRow } from './history-row.tsx';
import { historyQueries, useForgottenOnLeave } from './queries.ts';

/** The driver's operations that are over. */
export function Page() {
  const text = useText();
  const cars = useUser()?.cars ?? [];
  const { past, look } = usePast(cars);
  const { data, error, isFetching, refetch } = useQuery(historyQueries.range(past.range));
  useForgottenOnLeave(historyQueries.all);
  const items = data?.filter(({ car_id }) => past.car === null || car_id === past.car);

  return (
    <>
      <div className="flex flex-col gap-3 px-4 pt-1 pb-4">
        <PageTitle back="/account">{text('history:title')}</PageTitle>
        <PastFilter cars={cars} past={past} onLook={look} />
      </div>
      {items?.length === 0 ? (
        <NoOperations />
      ) : items ? (
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
      ) : error ? (
        <LoadFailure
          level={2}
          title={text('history:notRead')}
          isOffline={error instanceof NetworkError}
          isTrying={isFetching}
          onTry={() => void refetch()}
        />
      ) : (
        <div className="px-4">
          <SkeletonList rows={4} />
        </div>
      )}
    </>
  );
}

function Sums({ items }: { items: HistoryItem[] }) {
  const text = useText();
  const energy = wattHours(items.reduce((sum, item) => sum + item.energy, 0));
  const total = kopecks(items.reduce((sum, item) => sum + item.total, 0));
  return (
    <p className="px-1 text-note text-ink-2">
      {text('history:count', { count: items.length })} · <Energy energy={energy} decimals={1} /> ·{' '}
      <Money amount={total} />
    </p>
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
