import { type PointerEvent, useState } from 'react';
import { classNames } from './class-names.ts';

interface Bar {
  label: string;
  value: number;
  /** Today, or this month. */
  isPresent?: boolean;
}

interface BarChartProps {
  caption: string;
  bars: readonly Bar[];
  formatValue: (value: number) => string;
  /** Numbers above the bars where there is room for them; elsewhere a press on a bar shows its own. */
  showsValues?: boolean;
}

/** Bars for the eye, a table for readers: the same numbers. */
export function BarChart({ caption, bars, formatValue, showsValues = false }: BarChartProps) {
  const [chosen, setChosen] = useState<number | null>(null);
  const top = roundTop(Math.max(...bars.map(({ value }) => value)));
  return (
    <figure className="relative">
      <div aria-hidden="true" className="grid grid-cols-[auto_1fr] gap-x-2 text-small text-ink-2">
        <Scale top={top} formatValue={formatValue} />
        <div
          className={classNames('relative flex h-40 border-y border-line', bars.length > 12 ? 'gap-[3px]' : 'gap-1')}
          onPointerDown={(event) => setChosen(columnUnder(event, bars.length))}
        >
          <span className="absolute inset-x-0 top-1/2 border-t border-line" />
          {bars.map((bar, index) => (
            <Column key={bar.label} bar={bar} top={top}>
              {(showsValues || chosen === index) && bar.value > 0 ? formatValue(bar.value) : null}
            </Column>
          ))}
        </div>
        <span />
        <div className="mt-1.5 flex">
          {bars.map(({ label, isPresent }, index) => (
            <span key={label} className={classNames('flex-1 text-center', isPresent && 'font-bold text-ink')}>
              {bars.length <= 12 || index % 5 === 0 ? label : ''}
            </span>
          ))}
        </div>
      </div>
      {/* A table itself cannot be made one pixel high; what is around it can. */}
      <div className="sr-only">
        <table>
          <caption>{caption}</caption>
          <tbody>
            {bars.map(({ label, value }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{formatValue(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

function Scale({ top, formatValue }: { top: number; formatValue: (value: number) => string }) {
  return (
    <div className="tabular -my-2 flex flex-col justify-between text-right">
      {[top, top / 2, 0].map((mark) => (
        <span key={mark}>{formatValue(mark)}</span>
      ))}
    </div>
  );
}

function Column({ bar, top, children }: { bar: Bar; top: number; children: string | null }) {
  return (
    <div className="relative flex min-w-0 flex-1 flex-col items-center justify-end">
      <span className="tabular mb-1 font-bold whitespace-nowrap text-ink">{children}</span>
      <span
        className={classNames('w-full max-w-[26px]', lookOf(bar))}
        style={bar.value === 0 ? undefined : { height: `${(bar.value / top) * 100}%` }}
      />
    </div>
  );
}

function lookOf({ value, isPresent }: Bar): string {
  // A day without charging is a dash: nothing happened, which is not the same as nothing known.
  if (value === 0) return 'h-1 rounded-full bg-line-strong opacity-40';
  return isPresent
    ? 'rounded-t-[8px] bg-accent shadow-[inset_0_0_0_1.5px_var(--free)]'
    : 'rounded-t-[8px] bg-free-fill';
}

function columnUnder(event: PointerEvent<HTMLElement>, count: number): number {
  const { left, width } = event.currentTarget.getBoundingClientRect();
  return Math.min(count - 1, Math.max(0, Math.floor(((event.clientX - left) / width) * count)));
}

/** The scale ends on a round number: 1, 2 or 5 with zeros. */
export function roundTop(most: number): number {
  if (most <= 0) return 1;
  const unit = 10 ** Math.floor(Math.log10(most));
  const step = [1, 2, 5, 10].find((candidate) => candidate * unit >= most) ?? 10;
  return step * unit;
}
