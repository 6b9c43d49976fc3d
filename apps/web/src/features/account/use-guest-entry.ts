import { signInAsGuest } from '@fpay/contract/account';
import { call } from '../../api/call.ts';
import { useAction } from '../../data/action.ts';
import { useCompleteSignIn } from './use-complete-sign-in.ts';

/** `enterAsGuest` takes the step of the requested page to continue with. */
export function useGuestEntry() {
  const enter = useCompleteSignIn();
  const { mutate, isPending } = useAction(async (step: unknown) => enter(await call(signInAsGuest), step));
  return { enterAsGuest: mutate, isEntering: isPending };
}
