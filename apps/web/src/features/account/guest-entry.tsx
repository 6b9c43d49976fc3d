import { signInAsGuest, type User } from '@fpay/contract/account';
import { useMutation } from '@tanstack/react-query';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import UserRound from 'lucide-react/icons/user-round';
import { call } from '../../api/call.ts';
import { errorText } from '../../api/error-text.ts';
import { useText } from '../../i18n/use-text.ts';
import { Button } from '../../ui/form/button.tsx';
import { notify } from '../../ui/overlay/popups.ts';
import { useBack } from '../../ui/overlay/use-back.ts';
import { returnTo, returnToStation } from './return-to.ts';
import { useCompleteSignIn } from './use-complete-sign-in.ts';

const look = 'w-full normal-case! tracking-normal!';

/**
 * One tap leads from the code on a station to its connectors. A user who is already a guest sees a back button instead.
 */
export function GuestEntry({ user }: { user: User | null }) {
  const station = returnToStation();
  return (
    <div className="mt-6 flex flex-col gap-6">
      {station && <Divider>{station}</Divider>}
      {user ? <BackButton /> : <GuestButton isAtStation={station !== null} />}
    </div>
  );
}

function GuestButton({ isAtStation }: { isAtStation: boolean }) {
  const text = useText();
  const enter = useCompleteSignIn();
  const { mutate, isPending } = useMutation({
    mutationFn: async () => enter(await call(signInAsGuest)),
    onError: (error) => notify(text(errorText(error))),
  });
  return (
    <div>
      <Button
        className={look}
        icon={<UserRound aria-hidden="true" size={20} />}
        disabled={!isAtStation}
        busy={isPending}
        onPress={mutate}
      >
        {text('auth:asGuest')}
      </Button>
      {!isAtStation && <p className="mt-2 text-center text-small text-ink-2">{text('auth:guestOnlyAtStation')}</p>}
    </div>
  );
}

function BackButton() {
  const text = useText();
  const back = useBack(returnTo() ?? '/map');
  return (
    <Button className={look} icon={<ArrowLeft aria-hidden="true" size={20} />} onPress={back}>
      {text('generic:back')}
    </Button>
  );
}

function Divider({ children }: { children: string }) {
  return (
    <p className="flex items-center gap-3 text-note text-ink-2 before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      {children}
    </p>
  );
}
