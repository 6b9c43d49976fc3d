import type { User } from '@fpay/contract/account';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { isRegistered } from '../../features/account/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { MainButton } from '../../ui/main-button.tsx';
import { Money } from '../../ui/money.tsx';
import { Pressable } from '../../ui/pressable.tsx';

/** The way to one's account; for a guest and a visitor the way to have one. */
export function MenuUser({ user }: { user: User | null }) {
  const text = useText();
  if (!isRegistered(user))
    return (
      <div className="mb-3 flex flex-col gap-2">
        <MainButton size="m" to="/auth">
          {text('menu:signIn')}
        </MainButton>
        <Button size="m" kind="secondary" to="/reg">
          {text('menu:signUp')}
        </Button>
      </div>
    );
  const account = (
    <Pressable
      to="/account"
      className="mb-3 flex min-h-[76px] items-center gap-3 rounded-card bg-surface-2 px-3 py-2.5 active:bg-line"
    >
      <Avatar icon={user.icon} size={48} />
      <span className="min-w-0 flex-1">
        <span className="sr-only">{text('menu:account')}: </span>
        <span className="block truncate text-body font-bold">{user.name}</span>
        <Money amount={user.balance} className="text-note text-ink-2" />
      </span>
      <ChevronRight aria-hidden="true" size={20} className="shrink-0 text-ink-3" />
    </Pressable>
  );
  if (!user.awaits_code) return account;
  return (
    <>
      {account}
      <Button size="m" kind="secondary" className="mb-3" to="/auth">
        {text('menu:staffCode')}
      </Button>
    </>
  );
}
