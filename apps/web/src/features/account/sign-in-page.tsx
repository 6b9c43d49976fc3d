import { lazy, Suspense, useState } from 'react';
import { withTexts } from '../../i18n/i18n.ts';
import { useText } from '../../i18n/use-text.ts';
import { useSettings } from '../settings/queries.ts';
import { GuestEntry } from './guest-entry.tsx';
import { useUser } from './queries.ts';
import { isSeason, isSeasonSeen } from './season.ts';
import type { SignInDraft } from './sign-in.ts';
import { SignInForm } from './sign-in-form.tsx';
import { TermsLink } from './terms-link.tsx';

const SecondFactor = lazy(async () => ({
  default: (await withTexts(['signInCode'], import('./second-factor.tsx'))).SecondFactorForm,
}));
const SignInCode = lazy(async () => ({
  default: (await withTexts(['signInCode'], import('./sign-in-code.tsx'))).SignInCode,
}));
const SeasonalBanner = lazy(async () => ({ default: (await import('./seasonal-banner.tsx')).SeasonalBanner }));

/** The form alone, below a station that the visitor scanned, or the whole page. */
export function SignInPage({ isBelowStation = false }: { isBelowStation?: boolean }) {
  const text = useText();
  const { brand } = useSettings();
  const user = useUser();
  const [codeAskedFor, setCodeAskedFor] = useState<SignInDraft | null>(null);
  if (user?.awaits_code)
    return (
      <Suspense>
        <SecondFactor />
      </Suspense>
    );
  if (codeAskedFor)
    return (
      <Suspense>
        <SignInCode credentials={codeAskedFor} onCancel={() => setCodeAskedFor(null)} />
      </Suspense>
    );
  const now = new Date();
  const terms = (
    <p className="mt-auto pt-8 text-center text-note text-ink-2">
      {text('auth:termsAtSignIn')} <TermsLink />
    </p>
  );
  if (isBelowStation)
    return (
      <>
        <SignInForm onCodeAsked={setCodeAskedFor} />
        {terms}
      </>
    );
  return (
    <div className="flex flex-1 flex-col px-4 pt-10 pb-6 max-[359px]:pt-6">
      <h1 className="text-h1">{text('auth:welcome', { brand })}</h1>
      <p className="mt-1 text-body text-ink-2">{text('auth:welcomeText')}</p>
      <SignInForm onCodeAsked={setCodeAskedFor} />
      <GuestEntry user={user} />
      {terms}
      {isSeason(now) && !isSeasonSeen(now) && (
        <Suspense>
          <SeasonalBanner />
        </Suspense>
      )}
    </div>
  );
}
