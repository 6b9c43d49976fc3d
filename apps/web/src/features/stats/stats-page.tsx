import { useQuery } from '@tanstack/react-query';
import Headset from 'lucide-react/icons/headset';
import { NetworkError } from '../../api/errors.ts';
import { useText } from '../../i18n/use-text.ts';
import { isLast, periodRangeOf, unitOf } from '../../ui/format/period.ts';
import { LoadFailure } from '../../ui/layout/load-failure.tsx';
import { PageTitle } from '../../ui/layout/page-title.tsx';
import { PastFilter, usePast } from '../../ui/layout/past-filter.tsx';
import { Skeleton, SkeletonList } from '../../ui/layout/skeleton.tsx';
import { useUser } from '../account/queries.ts';
import { useClearOnLeave } from '../history/queries.ts';
import { useSettings } from '../settings/queries.ts';
import { EnergyCard } from './energy-card.tsx';
import { trendOf, withCar } from './figures.ts';
import { statsQueries } from './queries.ts';
import { Totals } from './totals.tsx';

/** Energy per day or month, and its cost. */
export function Page() {
  const text = useText();
  const cars = useUser()?.cars ?? [];
  const { past, look } = usePast(cars);
  const { data, error, isFetching, refetch } = useQuery(statsQueries.range(past.range));
  const { data: before } = useQuery({
    ...statsQueries.range(periodRangeOf(unitOf(past.range), true)),
    // Only a present range is compared.
    enabled: data !== undefined && !isLast(past.range),
  });
  useClearOnLeave(statsQueries.all);

  const stats = data && withCar(data, past.car);
  return (
    <>
      <div className="flex flex-col gap-3 px-4 pt-1 pb-6">
        <PageTitle back="/account" action={<SupportLink />}>
          {text('stats:title')}
        </PageTitle>
        <PastFilter cars={cars} past={past} onChange={look} />
        {stats && (
          <>
            <EnergyCard
              stats={stats}
              range={past.range}
              trend={before ? trendOf(stats, withCar(before, past.car)) : null}
            />
            <Totals stats={stats} />
          </>
        )}
        {!stats && !error && <Waiting />}
      </div>
      {!stats && error && (
        <LoadFailure
          level={2}
          title={text('stats:notRead')}
          isOffline={error instanceof NetworkError}
          isTrying={isFetching}
          onTry={() => void refetch()}
        />
      )}
    </>
  );
}

function SupportLink() {
  const text = useText();
  const { support_phone } = useSettings();
  return (
    <a
      href={`tel:${support_phone}`}
      aria-label={text('stats:support')}
      className="grid size-11 shrink-0 place-items-center rounded-control active:bg-surface-2"
    >
      <Headset aria-hidden="true" size={24} />
    </a>
  );
}

function Waiting() {
  return (
    <>
      <Skeleton className="h-[19.5rem] rounded-card" />
      <SkeletonList rows={4} />
    </>
  );
}
