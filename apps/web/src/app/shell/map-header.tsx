import LogIn from 'lucide-react/icons/log-in';
import Menu from 'lucide-react/icons/menu';
import Wallet from 'lucide-react/icons/wallet';
import { isRegistered, useUser } from '../../features/account/queries.ts';
import { useSettings } from '../../features/settings/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { IconButton } from '../../ui/form/icon-button.tsx';
import { Pressable } from '../../ui/form/pressable.tsx';
import { Money } from '../../ui/format/money.tsx';
import { Brand } from '../../ui/picture/brand.tsx';
import { LanguageSwitcher } from './language-switcher.tsx';

const pill = 'flex h-12 items-center gap-2.5 rounded-control bg-surface px-4 text-body font-bold shadow-float';

/** On a map the parts of the bar float. Guests get a button to sign in; users with an account see their balance. */
export function MapHeader({ onMenu }: { onMenu: () => void }) {
  const text = useText();
  const user = useUser();
  const { brand } = useSettings();
  return (
    <header className="pointer-events-none fixed inset-x-0 top-[env(safe-area-inset-top)] z-20 mx-auto flex max-w-3xl items-center gap-2 p-4 *:pointer-events-auto lg:right-auto lg:left-0 lg:mx-0 lg:w-[400px]">
      <IconButton look="floating" label={text('menu:open')} icon={<Menu size={24} />} onPress={onMenu} />
      <span className="hidden lg:inline-flex">
        <Brand name={brand} />
      </span>
      <div className="ml-auto grid size-12 place-items-center rounded-control bg-surface shadow-float">
        <LanguageSwitcher />
      </div>
      {isRegistered(user) ? (
        <Pressable to="/balance" className={pill}>
          <Wallet aria-hidden="true" size={20} />
          <span className="sr-only">{text('menu:balance')}</span>
          <Money amount={user.balance} />
        </Pressable>
      ) : (
        <Pressable to="/auth" className={pill}>
          <LogIn aria-hidden="true" size={20} />
          {text('menu:signIn')}
        </Pressable>
      )}
    </header>
  );
}
