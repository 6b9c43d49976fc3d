import { StationMissing } from '../../features/stations/landing/station-missing.tsx';
import { useLocation } from '../../router/index.ts';
import { Page as NotFound } from './not-found.tsx';

/** The page for an address that does not exist; for a station it says so, and offers the next step. */
export function Page() {
  const { station, isClosed } = (useLocation().state ?? {}) as { station?: unknown; isClosed?: unknown };
  // The number is the key, so that another one starts with its own field.
  if (typeof station === 'string')
    return <StationMissing key={station} station={station} isClosed={isClosed === true} />;
  return <NotFound />;
}
