import { signInAsGuest } from '@fpay/contract/account';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { errorText } from '../../api/error-text.ts';
import { useText } from '../../i18n/use-text.ts';
import { notify } from '../../ui/overlay/popups.ts';
import { useCompleteSignIn } from './use-complete-sign-in.ts';

/** `enterAsGuest` takes the step of the requested page to continue with. */
export function useGuestEntry() {
  const text = useText();
  const enter = useCompleteSignIn();
  const { mutate, isPending } = useMutation({
    mutationFn: async (step: unknown) => enter(await call(signInAsGuest), step),
    onError: (error) => notify(text(errorText(error))),
  });
  return { enterAsGuest: mutate, isEntering: isPending };
}
