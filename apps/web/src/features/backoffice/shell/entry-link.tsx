import { useQuery } from '@tanstack/react-query';
import { useText } from '../../../i18n/use-text.ts';
import { useLocation } from '../../../router/index.ts';
import { Pressable } from '../../../ui/form/pressable.tsx';
import { classNames } from '../../../ui/hooks/class-names.ts';
import { isCurrent, type MenuEntry } from '../entries.ts';
import { staffQueries } from '../queries.ts';

/** A line of the navigation with the number that waits there. */
export function EntryLink({ entry, dense }: { entry: MenuEntry; dense: boolean }) {
  const { to, icon: Icon, label, count } = entry;
  const text = useText();
  const { pathname } = useLocation();
  const isHere = isCurrent(entry, pathname);
  const { data: today } = useQuery(staffQueries.today());
  const counted = today && count ? count(today) : null;
  return (
    <li>
      <Pressable
        to={to}
        aria-current={isHere ? 'page' : undefined}
        className={classNames(
          'flex items-center gap-3 rounded-control px-2.5 text-note font-[650]',
          dense ? 'min-h-8.5' : 'min-h-12',
          isHere ? 'bg-accent-soft' : 'hover:bg-surface-2',
        )}
      >
        <Icon aria-hidden="true" size={18} className={isHere ? 'text-accent-text' : 'text-ink-2'} />
        <span className="min-w-0 flex-1">{text(label)}</span>
        {counted && counted.value > 0 && (
          <span
            className={classNames(
              'tabular rounded-badge px-1.5 text-small',
              counted.isUrgent && 'bg-error-tint text-error',
            )}
          >
            {counted.value}
          </span>
        )}
      </Pressable>
    </li>
  );
}
