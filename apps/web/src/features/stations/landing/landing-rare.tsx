import type { StationPage } from '@fpay/contract/stations';
import { isAvailable } from '../connector-state.ts';
import { hasNotes } from '../queries.ts';
import { OfflineStation } from './offline-station.tsx';
import { NoneAvailable } from './station-help.tsx';
import { StationMissing } from './station-missing.tsx';
import { StationNotes } from './station-notes.tsx';

type LandingRareProps = { station: StationPage } | { station?: never; number: string; isClosed: boolean };

/** What few visitors of the landing see, in one component, because the first load has no room for more. */
export function LandingRare({ station, ...missing }: LandingRareProps) {
  if (!station) {
    const { number, isClosed } = missing as Exclude<LandingRareProps, { station: StationPage }>;
    return <StationMissing station={number.toUpperCase()} isClosed={isClosed} />;
  }
  const { number, connectors, is_online: isOnline } = station;
  if (!isOnline) return <OfflineStation number={number} />;
  return (
    <>
      {hasNotes(station) && <StationNotes station={station} />}
      {!connectors.some(isAvailable) && <NoneAvailable number={number} connectors={connectors} />}
    </>
  );
}
