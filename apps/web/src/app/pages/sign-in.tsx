import { lazy, Suspense, useMemo } from 'react';
import { useUser } from '../../features/account/queries.ts';
import { type RequestedStation, requestedStation, requestedStationAt } from '../../features/account/return-to.ts';
import { useGuestEntry } from '../../features/account/use-guest-entry.ts';
import { useLocation } from '../../router/index.ts';

const loadForm = () => import('../../features/account/sign-in-page.tsx');
const loadLanding = () => import('../../features/stations/landing/station-landing.tsx');
const SignInPage = lazy(async () => ({ default: (await loadForm()).SignInPage }));
const StationLanding = lazy(async () => ({ default: (await loadLanding()).StationLanding }));

/** Only what the visitor sees first is loaded before the page is shown. */
export async function loader(): Promise<null> {
  await (requestedStation() ? loadLanding() : loadForm());
  return null;
}

/** Sign-in, with the scanned station first when a visitor came from its code. */
export function Page() {
  const user = useUser();
  const { key } = useLocation();
  // Once for each visit, because signing in takes the stored page while this one is still shown.
  const station = useMemo(() => requestedStationAt(key), [key]);
  // A guest has seen the station and came back from it.
  return <Suspense>{station && !user ? <Landing key={station.number} station={station} /> : <SignInPage />}</Suspense>;
}

function Landing({ station }: { station: RequestedStation }) {
  const { enterAsGuest, isEntering } = useGuestEntry();
  return (
    <StationLanding
      {...station}
      isEntering={isEntering}
      onGuest={enterAsGuest}
      signIn={
        <Suspense>
          <SignInPage isBelowStation />
        </Suspense>
      }
    />
  );
}
