import { type KeyboardEvent, useRef } from 'react';
import { useLanguage } from '../../../i18n/use-text.ts';
import { formatInstant } from '../../../ui/format/number-format.ts';
import { classNames } from '../../../ui/hooks/class-names.ts';
import { useOnChange } from '../../../ui/hooks/use-on-change.ts';
import { dayByKey, weeksOf } from './calendar.ts';

interface MonthGridProps {
  label: string;
  /** `2026-11` */
  month: string;
  /** `2026-11-15` */
  day: string;
  /** Later days cannot be chosen. */
  lastDay: string;
  onDay: (day: string, isByKey: boolean) => void;
}

/** Six weeks as a grid, in which one day has the focus and keys move it. */
export function MonthGrid({ label, month, day, lastDay, onDay }: MonthGridProps) {
  const language = useLanguage();
  const grid = useRef<HTMLTableElement>(null);
  const byKey = useRef(false);
  const weeks = weeksOf(month);
  const named = (date: string, options: Intl.DateTimeFormatOptions) =>
    formatInstant(`${date}T12:00:00Z`, options, language);

  function move(event: KeyboardEvent) {
    const next = dayByKey(day, event);
    if (next === null) return;
    event.preventDefault();
    if (next > lastDay) return;
    byKey.current = true;
    onDay(next, true);
  }
  // The focus follows the day that a key chose.
  useOnChange([day], () => {
    if (byKey.current) grid.current?.querySelector<HTMLElement>('[aria-selected="true"] button')?.focus();
  });

  return (
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table of days whose cells are moved through by keys is a grid.
    <table ref={grid} role="grid" aria-label={label} onKeyDown={move} className="w-full table-fixed text-note">
      <thead>
        <tr>
          {weeks[0]?.map((date) => (
            <th key={date} scope="col" abbr={named(date, { weekday: 'long' })} className="h-8 text-small text-ink-2">
              {named(date, { weekday: 'short' }).replace('.', '')}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((date) => (
              // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a cell of that grid, which has one chosen cell.
              // biome-ignore lint/a11y/useFocusableInteractive: its button has the focus.
              <td key={date} role="gridcell" aria-selected={date === day}>
                <DayButton
                  name={named(date, { day: 'numeric', month: 'long', year: 'numeric' })}
                  date={date}
                  isChosen={date === day}
                  isOfMonth={date.startsWith(month)}
                  isLate={date > lastDay}
                  onPress={() => onDay(date, false)}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface DayButtonProps {
  name: string;
  date: string;
  isChosen: boolean;
  /** False for the days around it. */
  isOfMonth: boolean;
  isLate: boolean;
  onPress: () => void;
}

function DayButton({ name, date, isChosen, isOfMonth, isLate, onPress }: DayButtonProps) {
  return (
    <button
      type="button"
      aria-label={name}
      disabled={isLate}
      tabIndex={isChosen ? 0 : -1}
      onClick={onPress}
      className={classNames(
        'tabular min-h-11 w-full rounded-control font-bold disabled:text-ink-3',
        isChosen ? 'bg-ink text-surface' : 'hover:bg-surface-2',
        !isChosen && !isOfMonth && 'font-normal text-ink-2',
      )}
    >
      {Number(date.slice(8))}
    </button>
  );
}
