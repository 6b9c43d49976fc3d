import type { User } from '@fpay/contract/account';
import type { Settings } from '@fpay/contract/settings';
import ArrowUpRight from 'lucide-react/icons/arrow-up-right';
import BookOpen from 'lucide-react/icons/book-open';
import Headset from 'lucide-react/icons/headset';
import MapIcon from 'lucide-react/icons/map';
import ScanQrCode from 'lucide-react/icons/scan-qr-code';
import Send from 'lucide-react/icons/send';
import Zap from 'lucide-react/icons/zap';
import type { ReactNode } from 'react';
import { isRegistered } from '../../features/account/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { useLocation } from '../../router/index.ts';
import { Pressable } from '../../ui/form/pressable.tsx';
import { classNames } from '../../ui/hooks/class-names.ts';

interface MenuLinksProps {
  user: User | null;
  settings: Settings;
}

export function MenuLinks({ user, settings }: MenuLinksProps) {
  const text = useText();
  return (
    <nav aria-label={text('menu:title')}>
      <ul>
        <ActiveCharges user={user} />
        {user && <MenuLink to="/map" also="/" icon={<MapIcon size={24} />} label={text('menu:map')} />}
        <MenuLink to="/qr" icon={<ScanQrCode size={24} />} label={text('menu:scanQr')} />
        <MenuLink href={settings.instruction_url} icon={<BookOpen size={24} />} label={text('menu:instruction')} />
        {user && <MenuLink to="/support" icon={<Headset size={24} />} label={text('menu:support')} />}
        <MenuLink href={settings.bot_url} icon={<Send size={24} />} label={text('menu:bot')} />
      </ul>
    </nav>
  );
}

/** A user who may have several operations gets the list; a guest has one and goes directly to it. */
function ActiveCharges({ user }: { user: User | null }) {
  const text = useText();
  const operations = user?.active_operations ?? [];
  const count = operations.length;
  return (
    <MenuLink
      to={isRegistered(user) ? '/active' : `/status/${operations[0]}`}
      icon={<Zap size={24} />}
      label={text('menu:activeSessions')}
      disabled={count === 0}
      trailing={
        count > 0 && (
          <span className="tabular grid h-[26px] min-w-7 place-items-center rounded-badge bg-charging-tint px-1.5 text-label font-bold text-charging">
            <span aria-hidden="true">{count}</span>
            <span className="sr-only">{text('menu:openSessions', { count })}</span>
          </span>
        )
      }
    />
  );
}

interface MenuLinkProps {
  to?: string;
  /** Another address of the same page. */
  also?: string;
  href?: string;
  icon: ReactNode;
  label: string;
  disabled?: boolean;
  trailing?: ReactNode;
}

function MenuLink({ to, also, href, icon, label, disabled = false, trailing }: MenuLinkProps) {
  const { pathname } = useLocation();
  const isCurrent = !disabled && (pathname === to || pathname === also);
  return (
    <li>
      <Pressable
        {...(to && { to })}
        {...(href && { href })}
        disabled={disabled}
        aria-current={isCurrent ? 'page' : undefined}
        className={classNames(
          'flex min-h-14 w-full items-center gap-4 rounded-control px-3 text-left text-body font-[650] disabled:text-ink-3',
          isCurrent ? 'bg-accent-soft' : 'active:bg-surface-2',
        )}
      >
        <span aria-hidden="true">{icon}</span>
        <span className="min-w-0 flex-1">{label}</span>
        {trailing}
        {href && <ArrowUpRight aria-hidden="true" size={20} className="shrink-0 text-ink-3" />}
      </Pressable>
    </li>
  );
}
