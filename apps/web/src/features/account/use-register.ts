import { enterCode, signUp } from '@fpay/contract/sign-up';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { ApiError } from '../../api/errors.ts';
import { currentLanguage, text } from '../../i18n/i18n.ts';
import { useNavigate } from '../../router/index.ts';
import { notify } from '../../ui/overlay/popups.ts';
import { settingsQueries } from '../settings/queries.ts';
import { deleteDraft, type SignUpDraft, storeDraft } from './draft.ts';
import { signInAs } from './sign-in.ts';
import { useCompleteSignIn } from './use-complete-sign-in.ts';

/** The right code registers; then phone and password sign in, and the remembered page opens. */
export function useRegister(draft: SignUpDraft, onWrongCode: () => void) {
  const enter = useCompleteSignIn();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [isPending, setPending] = useState(false);
  // A code is valid once. The following requests may fail and be retried without another code.
  const [isProven, setProven] = useState(false);
  const [error, setError] = useState<unknown>(null);

  async function prove(code: string): Promise<boolean> {
    try {
      await call(enterCode, { body: { code, phone_number: draft.phoneNumber, purpose: 'sign_up' } });
      setProven(true);
      return true;
    } catch (problem) {
      onWrongCode();
      setError(problem);
      return false;
    }
  }

  async function register(): Promise<boolean> {
    const { name, password, phoneNumber, telegramId, car, termsVersion } = draft;
    try {
      const body = {
        name,
        password,
        phone_number: phoneNumber,
        telegram_id: telegramId,
        cars: [{ ...car, manufacturer: null, model: null, plate: null, vin: null }],
        terms_version: termsVersion,
        language: currentLanguage(),
      };
      await call(signUp, { body });
      return true;
    } catch (problem) {
      console.warn('sign-up failed', problem);
      if (problem instanceof ApiError && problem.errors.terms_version) await askForTermsAgain();
      else if (problem instanceof ApiError && problem.code === 'phone_not_proven') setProven(false);
      setError(problem);
      return false;
    }
  }

  /** The terms changed while the form was open. */
  async function askForTermsAgain(): Promise<void> {
    storeDraft({ ...draft, termsVersion: '' });
    await queryClient.fetchQuery({ ...settingsQueries.settings(), staleTime: 0 }).catch(() => undefined);
    void notify(text('auth:termsChanged'));
    await navigate('/reg', { replace: true });
  }

  async function signIn(): Promise<void> {
    try {
      const user = await signInAs({ phone: draft.phoneNumber, password: draft.password }, null);
      deleteDraft();
      await enter(user);
    } catch (problem) {
      // The account exists; only the sign-in failed.
      console.warn('sign-in after sign-up failed', problem);
      deleteDraft();
      void notify(text('auth:signedUp'));
      await navigate('/auth', { replace: true });
    }
  }

  async function run(code: string | null): Promise<void> {
    setPending(true);
    setError(null);
    if (code === null || (await prove(code))) if (await register()) await signIn();
    setPending(false);
  }

  return { isPending, isProven, error, withCode: (code: string) => run(code), again: () => run(null) };
}
