import type { StationPage } from '@fpay/contract/stations';
import { OfflineStation } from './offline-station.tsx';
import { StationMissing } from './station-missing.tsx';
import { StationNotes } from './station-notes.tsx';

type LandingRareProps = { station: StationPage } | { station?: never; number: string; isClosed: boolean };

/** What few visitors of the landing see, in one component, because the first load has no room for three. */
export function LandingRare(props: LandingRareProps) {
  if (!props.station) return <StationMissing station={props.number.toUpperCase()} isClosed={props.isClosed} />;
  return props.station.is_online ? (
    <StationNotes station={props.station} />
  ) : (
    <OfflineStation number={props.station.number} />
  );
}
