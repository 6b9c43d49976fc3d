import { useQuery } from '@tanstack/react-query';
import Headset from 'lucide-react/icons/headset';
import { Loaded } from '../../data/loaded.tsx';
import { useText } from '../../i18n/use-text.ts';
import { isLast, periodRangeOf, unitOf } from '../../ui/format/period.ts';
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
  const found = useQuery(statsQueries.range(past.range));
  const { data: before } = useQuery({
    ...statsQueries.range(periodRangeOf(unitOf(past.range), true)),
    // Only a present range is compared.
    enabled: found.data !== undefined && !isLast(past.range),
  });
  useClearOnLeave(statsQueries.all);

  return (
    <>
      <div className="flex flex-col gap-3 px-4 pt-1 pb-3">
        <PageTitle back="/account" action={<SupportLink />}>
          {text('stats:title')}
        </PageTitle>
        <PastFilter cars={cars} past={past} onChange={look} />
      </div>
      <Loaded query={found} failure={text('stats:notRead')} waiting={<Waiting />}>
        {(data) => {
          const stats = withCar(data, past.car);
          const trend = before ? trendOf(stats, withCar(before, past.car)) : null;
          return (
            <div className="flex flex-col gap-3 px-4 pb-6">
              <EnergyCard stats={stats} range={past.range} trend={trend} />
              <Totals stats={stats} />
            </div>
          );
        }}
      </Loaded>
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
    <div className="flex flex-col gap-3 px-4 pb-6">
      <Skeleton className="h-[19.5rem] rounded-card" />
      <SkeletonList rows={4} />
    </div>
  );
}
