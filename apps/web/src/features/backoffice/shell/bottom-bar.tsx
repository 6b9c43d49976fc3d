import Ellipsis from 'lucide-react/icons/ellipsis';
import UserRound from 'lucide-react/icons/user-round';
import { useState } from 'react';
import { useText } from '../../../i18n/use-text.ts';
import { Link, useLocation } from '../../../router/index.ts';
import { classNames } from '../../../ui/hooks/class-names.ts';
import { useOnChange } from '../../../ui/hooks/use-on-change.ts';
import { Sheet } from '../../../ui/overlay/sheet.tsx';
import { entriesFor, isCurrent, type MenuEntry } from '../entries.ts';
import { usePermissions } from '../parts/use-may.ts';
import { EntryLink } from './entry-link.tsx';

const item = 'flex min-w-0 flex-1 flex-col items-center justify-center gap-0.5 text-small';
/** The names stand beside each other with text of any size. */
const name = 'text-[min(1em,4.1vw)]';

const account: MenuEntry = { to: '/account', icon: UserRound, label: 'admin:account', needs: null, group: 'system' };

/** The navigation on a phone: the most used pages in reach of a thumb, the others in a sheet. */
export function BottomBar() {
  const text = useText();
  const { pathname } = useLocation();
  const [isOpen, setOpen] = useState(false);
  const shown = entriesFor(usePermissions());
  const inBar = shown.filter(({ isFirst }) => isFirst);
  const others = [...shown.filter(({ isFirst }) => !isFirst), account];
  const isOther = others.some((entry) => isCurrent(entry, pathname));
  // The sheet closes whenever the page changes.
  useOnChange([pathname], () => setOpen(false));
  return (
    <>
      <nav
        aria-label={text('admin:navigation')}
        className="fixed inset-x-0 bottom-0 z-30 flex border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] *:min-h-14"
      >
        {inBar.map(({ to, icon: Icon, label }) => (
          <Link
            key={to}
            to={to}
            aria-current={isCurrent({ to }, pathname) ? 'page' : undefined}
            className={classNames(item, isCurrent({ to }, pathname) ? 'text-accent-text' : 'text-ink-2')}
          >
            <Icon aria-hidden="true" size={22} />
            <span className={name}>{text(label)}</span>
          </Link>
        ))}
        <button
          type="button"
          aria-expanded={isOpen}
          className={classNames(item, isOther ? 'text-accent-text' : 'text-ink-2')}
          onClick={() => setOpen(true)}
        >
          <Ellipsis aria-hidden="true" size={22} />
          <span className={name}>{text('admin:more')}</span>
        </button>
      </nav>
      <Sheet open={isOpen} onClose={() => setOpen(false)} title={text('admin:more')}>
        <ul>
          {others.map((entry) => (
            <EntryLink key={entry.to} entry={entry} dense={false} />
          ))}
        </ul>
      </Sheet>
    </>
  );
}
