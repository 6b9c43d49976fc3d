import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useLanguage, useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { IconButton } from '../../../ui/form/icon-button.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { formatInstant } from '../../../ui/format/number-format.ts';
import { classNames } from '../../../ui/hooks/class-names.ts';
import { PopupFrame } from '../../../ui/overlay/popup-frame.tsx';
import { addDays, addMonths, momentNow, stepMinutes, weeksOf } from './calendar.ts';

const arrowDays: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };
const twoDigits = (count: number, step: number) =>
  Array.from({ length: count / step }, (_, index) => String(index * step).padStart(2, '0'));
const hours = twoDigits(24, 1);
const minutes = twoDigits(60, stepMinutes);

interface CalendarPopupProps {
  title: string;
  /** False when only a day is chosen. */
  hasTime: boolean;
  /** `2026-11-15T14:35`, or a day without a time; empty: now. */
  value: string;
  /** Later times cannot be chosen. */
  max?: string | undefined;
  onChoose: (value: string) => void;
  onClose: () => void;
}

/** A month, and a time in steps of five minutes. */
export function CalendarPopup({ title, hasTime, value, max, onChoose, onClose }: CalendarPopupProps) {
  const text = useText();
  const language = useLanguage();
  const [first] = useState(() => value || momentNow());
  const [day, setDay] = useState(first.slice(0, 10));
  const [month, setMonth] = useState(first.slice(0, 7));
  const [hour, setHour] = useState(first.slice(11, 13));
  const [minute, setMinute] = useState(first.slice(14, 16));
  const grid = useRef<HTMLTableElement>(null);
  const byKey = useRef(false);
  const lastDay = max?.slice(0, 10) ?? '9999-12-31';
  const weeks = weeksOf(month);
  const named = (date: string, options: Intl.DateTimeFormatOptions) =>
    formatInstant(`${date}T12:00:00Z`, options, language);
  function move(event: KeyboardEvent) {
    const days = arrowDays[event.key];
    if (days === undefined) return;
    event.preventDefault();
    const next = addDays(day, days);
    if (next > lastDay) return;
    byKey.current = true;
    setDay(next);
    setMonth(next.slice(0, 7));
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus follows the day that the arrow keys chose.
  useEffect(() => {
    if (byKey.current) grid.current?.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus();
  }, [day]);
  const chosen = hasTime ? `${day}T${hour}:${minute}` : day;
  return (
    <PopupFrame open onClose={onClose} title={title} titleClassName="text-h2" focuses="itself">
      <div>
        <div className="flex items-center justify-between gap-2">
          <IconButton
            label={text('admin:previousMonth')}
            icon={<ChevronLeft aria-hidden="true" size={20} />}
            onPress={() => setMonth(addMonths(month, -1))}
          />
          <span aria-live="polite" className="text-label first-letter:uppercase">
            {named(`${month}-01`, { month: 'long', year: 'numeric' })}
          </span>
          <IconButton
            label={text('admin:nextMonth')}
            icon={<ChevronRight aria-hidden="true" size={20} />}
            onPress={() => setMonth(addMonths(month, 1))}
          />
        </div>
        <table ref={grid} onKeyDown={move} className="w-full table-fixed text-note">
          <thead>
            <tr>
              {weeks[0]?.map((date) => (
                <th key={date} scope="col" className="h-8 text-small text-ink-2">
                  {named(date, { weekday: 'short' }).replace('.', '')}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weeks.map((week) => (
              <tr key={week[0]}>
                {week.map((date) => (
                  <td key={date}>
                    <button
                      type="button"
                      aria-pressed={date === day}
                      aria-label={named(date, { day: 'numeric', month: 'long', year: 'numeric' })}
                      disabled={date > lastDay}
                      tabIndex={date === day ? 0 : -1}
                      onClick={() => setDay(date)}
                      className={classNames(
                        'tabular min-h-11 w-full rounded-control font-bold disabled:text-ink-3',
                        date === day ? 'bg-ink text-surface' : 'hover:bg-surface-2',
                        date !== day && !date.startsWith(month) && 'font-normal text-ink-2',
                      )}
                    >
                      {Number(date.slice(8))}
                    </button>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {hasTime && (
        <div className="grid grid-cols-[1fr_auto_1fr] items-center gap-2">
          <Select
            label={text('admin:hours')}
            value={hour}
            onChange={setHour}
            options={hours.map((each) => ({ value: each, label: each }))}
          />
          <span aria-hidden="true">:</span>
          <Select
            label={text('admin:minutesOfHour')}
            value={minute}
            onChange={setMinute}
            options={minutes.map((each) => ({ value: each, label: each }))}
          />
        </div>
      )}
      <div className="grid grid-cols-2 gap-2">
        <Button onPress={() => onChoose('')}>{text('admin:clear')}</Button>
        <Button kind="main" onPress={() => onChoose(max !== undefined && chosen > max ? max : chosen)}>
          {text('generic:ok')}
        </Button>
      </div>
    </PopupFrame>
  );
}
