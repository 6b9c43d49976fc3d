import type { User } from '@fpay/contract/account';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { isRegistered } from '../../features/account/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { Button } from '../../ui/form/button.tsx';
import { MainButton } from '../../ui/form/main-button.tsx';
import { Pressable } from '../../ui/form/pressable.tsx';
import { Money } from '../../ui/format/money.tsx';
import { Avatar } from '../../ui/layout/avatar.tsx';

/** The link to the account; for guests and visitors the links to sign in and sign up. */
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
      className="mb-3 flex min-h-[76px] shrink-0 items-center gap-3 rounded-card bg-surface-2 px-3 py-2.5 active:bg-line"
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
