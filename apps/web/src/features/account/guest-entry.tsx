import type { User } from '@fpay/contract/account';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import UserRound from 'lucide-react/icons/user-round';
import { useText } from '../../i18n/use-text.ts';
import { Button } from '../../ui/form/button.tsx';
import { useBack } from '../../ui/overlay/use-back.ts';
import { returnTo, returnToStation } from './return-to.ts';
import { useGuestEntry } from './use-guest-entry.ts';

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
  const { enterAsGuest, isEntering } = useGuestEntry();
  return (
    <div>
      <Button
        className={look}
        icon={<UserRound aria-hidden="true" size={20} />}
        disabled={!isAtStation}
        busy={isEntering}
        onPress={() => enterAsGuest(null)}
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
