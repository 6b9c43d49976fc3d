import ChevronDown from 'lucide-react/icons/chevron-down';
import type { ReactNode } from 'react';

interface Option<Value extends string> {
  value: Value;
  label: string;
}

interface SelectProps<Value extends string> {
  /** Announced; the chosen option is visible. */
  label: string;
  icon?: ReactNode;
  options: readonly Option<Value>[];
  value: Value;
  onChange: (value: Value) => void;
}

/** One of many options. It uses the phone's own list, which is easy to use and accessible. */
export function Select<Value extends string>({ label, icon, options, value, onChange }: SelectProps<Value>) {
  return (
    <div className="relative flex min-h-13 items-center rounded-control border-[1.5px] border-line-strong bg-surface focus-within:border-focus focus-within:shadow-[0_0_0_3px_color-mix(in_srgb,var(--focus)_24%,transparent)]">
      {icon && (
        <span aria-hidden="true" className="pointer-events-none absolute left-4 text-ink-2">
          {icon}
        </span>
      )}
      <select
        aria-label={label}
        value={value}
        onChange={({ target }) => onChange(target.value as Value)}
        className={`min-h-13 w-full cursor-pointer appearance-none truncate rounded-control bg-surface pr-12 text-field text-ink outline-none ${icon ? 'pl-12.5' : 'pl-4'}`}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown aria-hidden="true" size={22} className="pointer-events-none absolute right-3.5 text-ink-2" />
    </div>
  );
}
