import { type PointerEvent, useState } from 'react';
import { classNames } from '../hooks/class-names.ts';

interface Bar {
  /** Below the bar, as short as possible. */
  label: string;
  /** In the table, which has more space; by default the label. */
  name?: string;
  value: number;
  /** Today, or this month. */
  isPresent?: boolean;
}

interface BarChartProps {
  caption: string;
  bars: readonly Bar[];
  formatValue: (value: number) => string;
  /** The scale's numbers are round and may be shorter. */
  formatMark?: (value: number) => string;
  /** Numbers above the bars where there is space; otherwise a press on a bar shows its number. */
  showsValues?: boolean;
}

/** Seven labels or values fit beside each other, also with text of twice the size on a narrow phone. */
const fitting = 'text-[min(1em,5.5cqi)]';

/** Visible bars, and a table with the same numbers for screen readers. */
export function BarChart({ caption, bars, formatValue, formatMark = formatValue, showsValues = false }: BarChartProps) {
  const [chosen, setChosen] = useState<number | null>(null);
  const top = roundTop(Math.max(...bars.map(({ value }) => value)));
  return (
    <figure className="relative pt-5">
      <div aria-hidden="true" className="grid grid-cols-[auto_1fr] gap-x-2 text-small text-ink-2">
        <Scale top={top} formatMark={formatMark} />
        <div
          className={classNames(
            '@container relative flex h-40 border-y border-line',
            bars.length > 12 ? 'gap-[3px]' : 'gap-1',
          )}
          onPointerDown={(event) => setChosen(columnUnder(event, bars.length))}
        >
          <span className="absolute inset-x-0 top-1/2 border-t border-line" />
          {bars.map((bar, index) => (
            <Column key={nameOf(bar)} bar={bar} top={top} isNarrow={bars.length > 12}>
              {(showsValues || chosen === index) && bar.value > 0 ? formatValue(bar.value) : null}
            </Column>
          ))}
        </div>
        <span />
        <div className="@container mt-1.5 flex">
          {bars.map((bar, index) => (
            <span
              key={nameOf(bar)}
              className={classNames('flex w-0 flex-1 justify-center', bar.isPresent && 'font-bold text-ink')}
            >
              <span className={classNames('whitespace-nowrap', fitting)}>
                {bars.length <= 12 || index % 5 === 4 || index === 0 ? bar.label : ''}
              </span>
            </span>
          ))}
        </div>
      </div>
      {/* A table itself cannot be one pixel high; its container can. */}
      <div className="sr-only">
        <table>
          <caption>{caption}</caption>
          <tbody>
            {bars.map((bar) => (
              <tr key={nameOf(bar)}>
                <th scope="row">{nameOf(bar)}</th>
                <td>{formatValue(bar.value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

function Scale({ top, formatMark }: { top: number; formatMark: (value: number) => string }) {
  return (
    <div className="tabular -my-2 flex flex-col justify-between text-right">
      {[top, top / 2, 0].map((mark) => (
        <span key={mark}>{formatMark(mark)}</span>
      ))}
    </div>
  );
}

interface ColumnProps {
  bar: Bar;
  top: number;
  isNarrow: boolean;
  /** The number above the bar. */
  children: string | null;
}

/** SVG shapes instead of coloured boxes, because high-contrast modes remove backgrounds. */
function Column({ bar: { value, isPresent }, top, isNarrow, children }: ColumnProps) {
  const height = (value / top) * 100;
  // The bar continues below the picture's edge, so that only its upper corners are round.
  const shape = { y: `${100 - height}%`, width: '100%', height: '100%', rx: isNarrow ? 3 : 8 };
  return (
    <div className="relative flex min-w-0 flex-1 justify-center">
      <svg aria-hidden="true" width="100%" height="100%" className="max-w-[26px]">
        {/* A day without charging is a dash, which differs from missing data. */}
        {value === 0 && <rect y="100%" width="100%" height={4} rx={2} className="-translate-y-1 fill-line-strong/40" />}
        {value > 0 && <rect {...shape} data-bar className={isPresent ? 'fill-free' : 'fill-free-fill'} />}
        {value > 0 && isPresent && (
          <rect {...shape} x={1.5} className="w-[calc(100%-3px)] translate-y-[1.5px] fill-accent" />
        )}
      </svg>
      {children && (
        <span
          className={classNames(
            'tabular absolute left-1/2 mb-1 -translate-x-1/2 rounded-badge bg-surface px-0.5 font-bold whitespace-nowrap text-ink',
            fitting,
          )}
          style={{ bottom: `${height}%` }}
        >
          {children}
        </span>
      )}
    </div>
  );
}

function nameOf({ name, label }: Bar): string {
  return name ?? label;
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
