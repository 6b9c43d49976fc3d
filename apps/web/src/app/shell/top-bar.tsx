import type { User } from '@fpay/contract/account';
import Grid2x2 from 'lucide-react/icons/grid-2x2';
import LogIn from 'lucide-react/icons/log-in';
import Menu from 'lucide-react/icons/menu';
import Wallet from 'lucide-react/icons/wallet';
import { isRegistered, useUser } from '../../features/account/queries.ts';
import { useSettings } from '../../features/settings/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { Link } from '../../router/index.ts';
import { IconButton } from '../../ui/form/icon-button.tsx';
import { Pressable } from '../../ui/form/pressable.tsx';
import { Money } from '../../ui/format/money.tsx';
import { Avatar } from '../../ui/layout/avatar.tsx';
import { notify } from '../../ui/overlay/popups.ts';
import { Brand } from '../../ui/picture/brand.tsx';
import { RotatingText } from '../../ui/picture/rotating-text.tsx';
import { LanguageSwitcher } from './language-switcher.tsx';

const pill =
  'flex min-h-11 shrink-0 items-center gap-2 rounded-control bg-surface px-3 text-label max-[359px]:px-2 font-bold shadow-card active:bg-surface-2';

/** A guest has neither a balance nor pixels, and gets the link to sign in instead. */
export function TopBar({ onMenu }: { onMenu: () => void }) {
  const text = useText();
  const user = useUser();
  return (
    <header className="flex min-h-16 flex-wrap items-center gap-1 px-3 max-[359px]:gap-0 max-[359px]:px-1.5">
      <IconButton label={text('menu:open')} icon={<Menu size={24} />} onPress={onMenu} />
      <div className="min-w-11 flex-1 min-[380px]:min-w-[4.5rem]">{user ? <Driver user={user} /> : <Home />}</div>
      {user?.is_temporary ? (
        <Pressable to="/auth" className={pill}>
          <LogIn aria-hidden="true" size={18} />
          {text('menu:signIn')}
        </Pressable>
      ) : (
        <>
          <Balance user={user} />
          <IconButton
            label={text('menu:pixels')}
            icon={<Grid2x2 size={20} />}
            onPress={() => notify(text('generic:pixelsComing'))}
          />
        </>
      )}
      <LanguageSwitcher />
    </header>
  );
}

function Home() {
  const { brand } = useSettings();
  return (
    <Link to="/" className="inline-flex rounded-control px-1 py-1.5">
      <Brand name={brand} />
    </Link>
  );
}

/** Name and car alternate; a guest has no car. */
function Driver({ user }: { user: User }) {
  const text = useText();
  const car = user.cars.find(({ id }) => id === user.active_car_id);
  const [firstName = user.name] = user.name.split(' ');
  const name = isRegistered(user) ? firstName : text('menu:guest');
  return (
    <div className="flex items-center gap-2">
      {/* Under 340 px there is space for one of them, and the name says more. */}
      <span className="max-[340px]:hidden">
        <Avatar icon={user.icon} size={32} />
      </span>
      <span className="min-w-0 flex-1 truncate text-label">
        {isRegistered(user) && car ? <RotatingText variants={[name, car.name]} everyMs={5000} /> : name}
      </span>
    </div>
  );
}

function Balance({ user }: { user: User | null }) {
  const text = useText();
  const target = isRegistered(user)
    ? { to: '/balance' }
    : { onPress: () => void notify(text('generic:registeredOnly')) };
  return (
    <Pressable {...target} className={pill}>
      <Wallet aria-hidden="true" size={18} />
      <span className="sr-only">{text('menu:balance')}</span>
      {user && <Money amount={user.balance} />}
    </Pressable>
  );
}
