import { classNames } from '../../../ui/hooks/class-names.ts';

interface CheckListProps<Value extends string> {
  legend: string;
  choices: readonly { value: Value; label: string }[];
  chosen: readonly Value[];
  onChange: (chosen: Value[]) => void;
  error?: string | undefined;
  /** Beside each other. */
  inLine?: boolean;
}

/** Any number of several. */
export function CheckList<Value extends string>({
  legend,
  choices,
  chosen,
  onChange,
  error,
  inLine,
}: CheckListProps<Value>) {
  return (
    <fieldset className={classNames('min-w-0', inLine && 'flex flex-wrap gap-x-5')}>
      <legend className="mb-1 text-small font-bold text-ink-2">{legend}</legend>
      {choices.map(({ value, label }) => (
        <label key={value} className="flex min-h-11 cursor-pointer items-center gap-3 text-body lg:min-h-9">
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, value] : chosen.filter((other) => other !== value))
            }
            className="size-5 shrink-0 accent-free-fill"
          />
          {label}
        </label>
      ))}
      {error && (
        <p role="alert" className="text-small text-error">
          {error}
        </p>
      )}
    </fieldset>
  );
}
