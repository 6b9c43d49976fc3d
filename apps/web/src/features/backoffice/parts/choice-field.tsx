import ChevronDown from 'lucide-react/icons/chevron-down';
import { useId } from 'react';

interface ChoiceFieldProps<Value extends string> {
  label: string;
  options: readonly { value: Value; label: string }[];
  value: Value;
  onChange: (value: Value) => void;
  disabled?: boolean;
}

/** One of many options with its label above, as high as a text field beside it. */
export function ChoiceField<Value extends string>(props: ChoiceFieldProps<Value>) {
  const { label, options, value, onChange, disabled = false } = props;
  const id = useId();
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1.5 block text-note font-bold">
        {label}
      </label>
      <div className="relative flex min-h-14 items-center rounded-control border-[1.5px] border-line-strong bg-surface focus-within:border-focus focus-within:shadow-[0_0_0_3px_color-mix(in_srgb,var(--focus)_24%,transparent)]">
        <select
          id={id}
          value={value}
          disabled={disabled}
          onChange={({ target }) => onChange(target.value as Value)}
          className="min-h-13 w-full cursor-pointer appearance-none truncate rounded-control bg-surface pr-10 pl-4 text-field text-ink outline-none"
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <ChevronDown aria-hidden="true" size={20} className="pointer-events-none absolute right-3 text-ink-2" />
      </div>
    </div>
  );
}
