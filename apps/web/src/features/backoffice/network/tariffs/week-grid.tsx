import { kopecks } from '@fpay/contract/money';
import { useState } from 'react';
import { useText } from '../../../../i18n/use-text.ts';
import { formatMoney } from '../../../../ui/format/money.tsx';
import { classNames } from '../../../../ui/hooks/class-names.ts';
import { dayNames } from './day-names.ts';
import { type Block, blocksOf, hourText, range, type Selection, type Week } from './week.ts';

const looks = ['bg-free-tint text-free', 'bg-surface-2 text-ink', 'bg-occupied-tint text-occupied'] as const;

/** From the cheapest to the most expensive price of the week. */
function lookOf(week: Week): (price: number) => string {
  const prices = [...new Set(week.flat())].toSorted((a, b) => a - b);
  return (price) => {
    const place = prices.length < 2 ? 0.34 : prices.indexOf(price) / (prices.length - 1);
    return looks[Math.min(looks.length - 1, Math.floor(place * looks.length))] ?? looks[1];
  };
}

interface WeekGridProps {
  week: Week;
  selection: Selection | null;
  onSelect: (selection: Selection) => void;
}

/** Dragging marks hours of days. The form below does the same with a keyboard, so the table is not in the tab order. */
export function WeekGrid({ week, selection, onSelect }: WeekGridProps) {
  const text = useText();
  const [start, setStart] = useState<{ day: number; hour: number } | null>(null);
  const look = lookOf(week);
  const mark = (from: { day: number; hour: number }, day: number, hour: number) =>
    onSelect({
      days: range(Math.min(from.day, day), Math.max(from.day, day)),
      from: Math.min(from.hour, hour),
      to: Math.max(from.hour, hour) + 1,
    });
  const isMarked = (day: number, hour: number) =>
    selection?.days.includes(day) === true && selection.from <= hour && hour < selection.to;
  return (
    <div
      className="overflow-x-auto select-none"
      onPointerUp={() => setStart(null)}
      onPointerLeave={() => setStart(null)}
    >
      <table
        aria-label={text('networkTariffs:week')}
        className="w-full table-fixed border-separate border-spacing-x-0 border-spacing-y-1 text-small"
      >
        <HourNames />
        <tbody>
          {week.map((day, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the days of a week keep their order.
            <tr key={index}>
              <th scope="row" className="text-left font-normal text-ink-2">
                {text(dayNames[index] ?? dayNames[0])}
              </th>
              {blocksOf(day).flatMap(({ from, to, price }) =>
                range(from, to - 1).map((hour) => (
                  <HourCell
                    key={hour}
                    hour={hour}
                    block={{ from, to, price }}
                    look={look(price)}
                    isMarked={isMarked(index + 1, hour)}
                    onPress={() => {
                      if (!selection) return;
                      setStart({ day: index + 1, hour });
                      mark({ day: index + 1, hour }, index + 1, hour);
                    }}
                    onEnter={() => start && mark(start, index + 1, hour)}
                  />
                )),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function HourNames() {
  return (
    <thead>
      <tr>
        <td className="w-9" />
        {range(0, 23).map((hour) => (
          <th key={hour} scope="col" className="font-normal text-ink-2">
            {hourText(hour)}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface HourCellProps {
  hour: number;
  /** Equal hours beside it, with one price that the first of them shows. */
  block: Block;
  look: string;
  isMarked: boolean;
  onPress: () => void;
  onEnter: () => void;
}

function HourCell({ hour, block: { from, to, price }, look, isMarked, onPress, onEnter }: HourCellProps) {
  return (
    <td
      onPointerDown={onPress}
      onPointerEnter={onEnter}
      className={classNames(
        'relative h-9 cursor-cell overflow-visible p-0 text-center font-bold whitespace-nowrap',
        look,
        hour === from && 'rounded-l-badge border-l-2 border-surface',
        hour === to - 1 && 'rounded-r-badge',
        isMarked && 'shadow-[inset_0_2px_0_var(--focus),inset_0_-2px_0_var(--focus)]',
      )}
    >
      <span className="sr-only">{formatMoney(kopecks(price))}</span>
      {hour === from && (
        <span
          aria-hidden="true"
          style={{ width: `${(to - from) * 100}%` }}
          className="pointer-events-none absolute inset-y-0 left-0 z-10 flex items-center justify-center text-[0.6875rem]"
        >
          {(price / 100).toFixed(2).replace('.', ',')}
        </span>
      )}
    </td>
  );
}

/** The same on a phone. */
export function WeekBlocks({ week }: { week: Week }) {
  const text = useText();
  const look = lookOf(week);
  return (
    <ul className="flex flex-col gap-2">
      {week.map((day, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the days of a week keep their order.
        <li key={index} className="flex gap-2">
          <span className="w-8 pt-1.5 text-note font-bold">{text(dayNames[index] ?? dayNames[0])}</span>
          <span className="flex flex-1 flex-wrap gap-1.5">
            {blocksOf(day).map(({ from, to, price }) => (
              <span key={from} className={classNames('rounded-badge px-2 py-1.5 text-small font-bold', look(price))}>
                {hourText(from)}–{hourText(to)} · {formatMoney(kopecks(price))}
              </span>
            ))}
          </span>
        </li>
      ))}
    </ul>
  );
}
