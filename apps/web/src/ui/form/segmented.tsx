import { type ReactNode, useId } from 'react';
import { classNames } from '../hooks/class-names.ts';

interface Segment<Value extends string> {
  value: Value;
  label: string;
  /** Shown instead of the label, which is then only announced. */
  icon?: ReactNode;
  /** Shown instead of the label, which is then only announced. */
  short?: string;
}

interface SegmentedProps<Value extends string> {
  legend: string;
  /** Whether the legend is visible or only announced. */
  showsLegend?: boolean;
  segments: readonly Segment<Value>[];
  value: Value;
  onChange: (value: Value) => void;
}

/** One of a few options, all visible. Radio buttons underneath make the arrow keys and screen readers work. */
export function Segmented<Value extends string>({
  legend,
  showsLegend = false,
  segments,
  value,
  onChange,
}: SegmentedProps<Value>) {
  const name = useId();
  return (
    <fieldset className="min-w-0">
      <legend className={showsLegend ? 'mb-2 text-note text-ink-2' : 'sr-only'}>{legend}</legend>
      <div className="flex min-h-12 flex-wrap rounded-control bg-surface-2 p-1">
        {segments.map((segment) => (
          <label
            key={segment.value}
            className={classNames(
              'flex min-h-10 min-w-fit flex-1 cursor-pointer items-center justify-center rounded-thumb px-2 text-center text-label has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
              segment.value === value ? 'bg-thumb text-ink shadow-thumb' : 'text-ink-2',
            )}
          >
            <input
              type="radio"
              name={name}
              value={segment.value}
              checked={segment.value === value}
              onChange={() => onChange(segment.value)}
              className="sr-only"
            />
            {segment.icon}
            {segment.short && <span aria-hidden="true">{segment.short}</span>}
            <span className={segment.icon || segment.short ? 'sr-only' : undefined}>{segment.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
