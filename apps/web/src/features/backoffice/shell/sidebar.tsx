import { Fragment } from 'react';
import type { TextKey } from '../../../i18n/text-key.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Link } from '../../../router/index.ts';
import { Avatar } from '../../../ui/layout/avatar.tsx';
import { Brand } from '../../../ui/picture/brand.tsx';
import { useUser } from '../../account/queries.ts';
import { useSettings } from '../../settings/queries.ts';
import { entriesFor, type MenuEntry } from '../entries.ts';
import { EntryLink } from './entry-link.tsx';

const groups = [
  { group: 'work', label: null },
  { group: 'network', label: 'admin:network' },
  { group: 'system', label: 'admin:system' },
] as const satisfies readonly { group: MenuEntry['group']; label: TextKey | null }[];

/** The navigation on a desktop. */
export function Sidebar() {
  const text = useText();
  const user = useUser();
  const { brand } = useSettings();
  const shown = entriesFor(user?.permissions ?? []);
  return (
    <aside className="sticky top-0 flex h-dvh w-58 shrink-0 flex-col overflow-y-auto border-r border-line bg-surface px-3 py-2">
      <Link to="/map" className="flex items-center gap-3 rounded-control px-2 py-1.5">
        <Brand name={brand} />
        <span className="rounded-badge bg-surface-2 px-2 py-0.5 text-small text-ink-2">{text('admin:backOffice')}</span>
      </Link>
      <nav aria-label={text('admin:navigation')} className="mt-2 flex-1">
        {groups.map(({ group, label }) => {
          const own = shown.filter((entry) => entry.group === group);
          return own.length === 0 ? null : (
            <Fragment key={group}>
              {label && <h2 className="mt-4 mb-1 px-2.5 text-small text-ink-2">{text(label)}</h2>}
              <ul className="space-y-0.5">
                {own.map((entry) => (
                  <EntryLink key={entry.to} entry={entry} dense />
                ))}
              </ul>
            </Fragment>
          );
        })}
      </nav>
      {user && (
        <Link to="/account" className="mt-3 flex min-h-14 items-center gap-3 border-t border-line px-2 pt-2">
          <Avatar icon={user.icon} size={32} />
          <span className="min-w-0">
            <span className="block truncate text-note font-bold">{user.name}</span>
            <span className="block text-small text-ink-2">{user.role}</span>
            <span className="sr-only">{text('admin:account')}</span>
          </span>
        </Link>
      )}
    </aside>
  );
}
