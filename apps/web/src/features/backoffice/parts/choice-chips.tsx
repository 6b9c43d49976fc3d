import { useId } from 'react';
import { classNames } from '../../../ui/hooks/class-names.ts';

interface ChoiceChipsProps<Value extends string> {
  legend: string;
  choices: readonly { value: Value; label: string }[];
  value: Value;
  onChange: (value: Value) => void;
  /** In several lines where one is too narrow. */
  wraps?: boolean;
}

/** One of several, all visible: in one line that scrolls on a narrow screen, or in several. */
export function ChoiceChips<Value extends string>({
  legend,
  choices,
  value,
  onChange,
  wraps = false,
}: ChoiceChipsProps<Value>) {
  const name = useId();
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-small font-bold text-ink-2">{legend}</legend>
      <div className={classNames('flex gap-1.5 p-0.5', wraps ? 'flex-wrap' : 'overflow-x-auto')}>
        {choices.map((choice) => (
          <label
            key={choice.value}
            className={classNames(
              'relative flex min-h-11 shrink-0 cursor-pointer items-center rounded-control px-3.5 text-note font-bold has-focus-visible:outline-3 has-focus-visible:outline-focus lg:min-h-9',
              choice.value === value ? 'bg-ink text-surface' : 'bg-surface-2 text-ink',
            )}
          >
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
              className="sr-only"
            />
            {choice.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
