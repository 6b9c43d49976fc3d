import ArrowUpRight from 'lucide-react/icons/arrow-up-right';
import ChevronRight from 'lucide-react/icons/chevron-right';
import type { ReactNode } from 'react';
import { Pressable, type PressTarget } from '../form/pressable.tsx';
import { classNames } from '../hooks/class-names.ts';

/** Rows of one card, divided by hairlines. Groups are separate lists, 12 px apart. */
export function List({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <ul aria-label={label} className="divide-y divide-line overflow-hidden rounded-card bg-surface shadow-card">
      {children}
    </ul>
  );
}

interface ListItemProps extends PressTarget {
  title: ReactNode;
  subtitle?: ReactNode;
  icon?: ReactNode;
  /** Colours behind the icon; neutral unless the row shows a status. */
  wellClassName?: string;
  /** At the right: a value, a badge. */
  trailing?: ReactNode;
  disabled?: boolean;
  /** False for a row that acts instead of navigating. */
  arrow?: boolean;
  /** A separate button beside the row, for an action without opening it. */
  action?: ReactNode;
}

export function ListItem({
  title,
  subtitle,
  icon,
  wellClassName = 'bg-surface-2',
  trailing,
  disabled = false,
  arrow = true,
  action,
  ...target
}: ListItemProps) {
  const row = (
    <>
      {icon && (
        <span
          aria-hidden="true"
          className={classNames('flex size-10 shrink-0 items-center justify-center rounded-control', wellClassName)}
        >
          {icon}
        </span>
      )}
      {/* With large text what does not fit beside it goes to the next line. */}
      <span className="min-w-[5rem] flex-1">
        <span className="block text-body font-[650]">{title}</span>
        {subtitle && <span className={classNames('block text-small', !disabled && 'text-ink-2')}>{subtitle}</span>}
      </span>
      {trailing}
    </>
  );
  const look = classNames(
    'flex min-h-15 w-full flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 text-left',
    disabled && 'text-ink-3',
  );
  if (!target.to && !target.href && !target.onPress)
    return (
      <li className={look} aria-disabled={disabled || undefined}>
        {row}
      </li>
    );
  const Arrow = target.href ? ArrowUpRight : ChevronRight;
  return (
    <li className={action ? 'flex items-center pr-1.5' : undefined}>
      <Pressable
        {...target}
        disabled={disabled}
        className={classNames(look, '-outline-offset-3 active:bg-surface-2', action ? 'min-w-0 pr-1' : false)}
      >
        {row}
        {arrow && !disabled && <Arrow aria-hidden="true" size={20} className="shrink-0 text-ink-3" />}
      </Pressable>
      {action}
    </li>
  );
}
