import { TariffTerms } from '@fpay/contract/admin/network/tariffs';
import { kopecks } from '@fpay/contract/money';
import { useState } from 'react';
import { useText } from '../../../../i18n/use-text.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { decimalOf } from '../../../../ui/form/decimal.ts';
import { Field } from '../../../../ui/form/field.tsx';
import { formatMoney } from '../../../../ui/format/money.tsx';
import { classNames } from '../../../../ui/hooks/class-names.ts';
import { useWide } from '../../../../ui/hooks/use-wide.ts';
import { ChoiceField } from '../../parts/choice-field.tsx';
import { blocksOf, type Selection, type Week, withPrice } from './week.ts';

interface WeekEditorProps {
  week: Week;
  isLocked: boolean;
  onChange: (week: Week) => void;
}

const dayNames = [
  'networkBuild:monday',
  'networkBuild:tuesday',
  'networkBuild:wednesday',
  'networkBuild:thursday',
  'networkBuild:friday',
  'networkBuild:saturday',
  'networkBuild:sunday',
] as const;
const hourText = (hour: number) => String(hour).padStart(2, '0');
const hoursOf = (from: number, to: number) => `${hourText(from)}–${hourText(to)}`;
const range = (a: number, b: number) => Array.from({ length: b - a + 1 }, (_, index) => a + index);

/** The hours of a week: a table to drag over where there is space, a list of blocks on a phone, and one form for both. */
export function WeekEditor({ week, isLocked, onChange }: WeekEditorProps) {
  const text = useText();
  const isWide = useWide();
  const [selection, setSelection] = useState<Selection>({ days: [1, 2, 3, 4, 5], from: 8, to: 20 });
  const [price, setPrice] = useState('');
  const [isWrong, setWrong] = useState(false);
  function set() {
    const value = decimalOf(price);
    const { data } = TariffTerms.shape.price.safeParse(value === '' ? Number.NaN : Math.round(value * 100));
    setWrong(data === undefined);
    if (data !== undefined) onChange(withPrice(week, selection, data));
  }
  return (
    <div className="flex flex-col gap-3">
      {isWide ? (
        <Grid week={week} selection={isLocked ? null : selection} onSelect={setSelection} />
      ) : (
        <Blocks week={week} />
      )}
      {!isLocked && (
        <div className="flex flex-col gap-3 rounded-control bg-surface-2 p-3">
          <fieldset className="min-w-0">
            <legend className="mb-1.5 text-note font-bold">{text('networkBuild:days')}</legend>
            <div className="flex flex-wrap gap-1.5">
              {dayNames.map((name, index) => {
                const day = index + 1;
                const isOn = selection.days.includes(day);
                const days = isOn ? selection.days.filter((one) => one !== day) : [...selection.days, day];
                return (
                  <label
                    key={name}
                    className={classNames(
                      'flex size-11 cursor-pointer items-center justify-center rounded-control text-note font-bold has-focus-visible:outline-3 has-focus-visible:outline-focus',
                      isOn ? 'bg-ink text-surface' : 'bg-surface text-ink',
                    )}
                  >
                    <input
                      type="checkbox"
                      className="sr-only"
                      checked={isOn}
                      onChange={() => setSelection({ ...selection, days })}
                    />
                    {text(name)}
                  </label>
                );
              })}
            </div>
          </fieldset>
          <div className="grid grid-cols-2 items-start gap-3 sm:grid-cols-4">
            <ChoiceField
              label={text('networkBuild:from')}
              value={String(selection.from)}
              options={range(0, 23).map((hour) => ({ value: String(hour), label: `${hourText(hour)}:00` }))}
              onChange={(from) =>
                setSelection({ ...selection, from: Number(from), to: Math.max(selection.to, Number(from) + 1) })
              }
            />
            <ChoiceField
              label={text('networkBuild:to')}
              value={String(selection.to)}
              options={range(selection.from + 1, 24).map((hour) => ({
                value: String(hour),
                label: `${hourText(hour)}:00`,
              }))}
              onChange={(to) => setSelection({ ...selection, to: Number(to) })}
            />
            <Field
              label={text('networkBuild:blockPrice')}
              inputMode="decimal"
              value={price}
              error={isWrong ? text('networkBuild:wrongPrice') : undefined}
              onChange={({ target }) => {
                setPrice(target.value);
                setWrong(false);
              }}
            />
            <Button kind="secondary" className="mt-7" disabled={selection.days.length === 0} onPress={set}>
              {text('networkBuild:setHours', { count: selection.days.length * (selection.to - selection.from) })}
            </Button>
          </div>
        </div>
      )}
    </div>
  );
}

const looks = ['bg-free-tint text-free', 'bg-surface-2 text-ink', 'bg-occupied-tint text-occupied'] as const;

/** From the cheapest to the most expensive price of the week. */
function lookOf(week: Week): (price: number) => string {
  const prices = [...new Set(week.flat())].toSorted((a, b) => a - b);
  return (price) => {
    const place = prices.length < 2 ? 0.34 : prices.indexOf(price) / (prices.length - 1);
    return looks[Math.min(looks.length - 1, Math.floor(place * looks.length))] ?? looks[1];
  };
}

interface GridProps {
  week: Week;
  selection: Selection | null;
  onSelect: (selection: Selection) => void;
}

/** Dragging marks hours of days. The form below does the same with a keyboard, so the table is not in the tab order. */
function Grid({ week, selection, onSelect }: GridProps) {
  const text = useText();
  const [start, setStart] = useState<{ day: number; hour: number } | null>(null);
  const look = lookOf(week);
  const mark = (from: { day: number; hour: number }, day: number, hour: number) =>
    onSelect({
      days: range(Math.min(from.day, day), Math.max(from.day, day)),
      from: Math.min(from.hour, hour),
      to: Math.max(from.hour, hour) + 1,
    });
  return (
    <div
      className="overflow-x-auto select-none"
      onPointerUp={() => setStart(null)}
      onPointerLeave={() => setStart(null)}
    >
      <table
        aria-label={text('networkBuild:week')}
        className="w-full table-fixed border-separate border-spacing-x-0 border-spacing-y-1 text-small"
      >
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
        <tbody>
          {week.map((day, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the days of a week keep their order.
            <tr key={index}>
              <th scope="row" className="text-left font-normal text-ink-2">
                {text(dayNames[index] ?? dayNames[0])}
              </th>
              {blocksOf(day).flatMap(({ from, to, price }) =>
                range(from, to - 1).map((hour) => {
                  const isMarked = selection?.days.includes(index + 1) && selection.from <= hour && hour < selection.to;
                  return (
                    <td
                      key={hour}
                      onPointerDown={() => {
                        if (!selection) return;
                        setStart({ day: index + 1, hour });
                        mark({ day: index + 1, hour }, index + 1, hour);
                      }}
                      onPointerEnter={() => start && mark(start, index + 1, hour)}
                      className={classNames(
                        'relative h-9 cursor-cell overflow-visible p-0 text-center font-bold whitespace-nowrap',
                        look(price),
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
                }),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Blocks({ week }: { week: Week }) {
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
                {hoursOf(from, to)} · {formatMoney(kopecks(price))}
              </span>
            ))}
          </span>
        </li>
      ))}
    </ul>
  );
}
