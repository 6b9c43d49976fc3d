import type { StationPage } from '@fpay/contract/stations';
import { lazy, Suspense } from 'react';
import { withTexts } from '../../i18n/i18n.ts';
import { Skeleton } from '../../ui/layout/skeleton.tsx';

const StationNotes = lazy(async () => ({
  default: (await withTexts(['payment'], import('./station-notes.tsx'))).StationNotes,
}));

/** Notes and photos of a station that has some, loaded after its first screen, because most stations have none. */
export function LaterNotes({ station }: { station: StationPage }) {
  if (!station.note && !station.opening_hours && !station.maintenance[0] && !station.photos[0]) return null;
  return (
    <Suspense fallback={<Skeleton className="h-18 rounded-card" />}>
      <StationNotes station={station} />
    </Suspense>
  );
}
