import CircleAlert from 'lucide-react/icons/circle-alert';
import { useEffect, useId, useRef } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { classNames } from '../hooks/class-names.ts';

interface CodeFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Called when all six digits are entered: typed, pasted or filled in by the phone. */
  onComplete: (code: string) => void;
  disabled?: boolean;
  /** Shown below, and announced. */
  error?: string | undefined;
  /** The only field of its page, so the keyboard may open at once. */
  focusOnArrival?: boolean;
}

const length = 6;

/** Six boxes over one input, so that pasting and the phone's suggestion of the SMS code work. */
export function CodeField({
  label,
  value,
  onChange,
  onComplete,
  disabled = false,
  error,
  focusOnArrival = false,
}: CodeFieldProps) {
  const text = useText();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focusOnArrival) input.current?.focus();
  }, [focusOnArrival]);
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-note font-bold">
        {label}
      </label>
      <div className="group relative flex gap-1.5">
        {Array.from({ length }, (_, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: a box is its place.
            key={index}
            aria-hidden="true"
            className={classNames(
              'tabular flex h-14 min-w-0 flex-1 items-center justify-center rounded-control border-[1.5px] bg-surface text-[1.5rem] font-extrabold',
              error ? 'border-error-fill' : 'border-line-strong',
              index === Math.min(value.length, length - 1) &&
                'group-focus-within:border-focus group-focus-within:shadow-[0_0_0_3px_color-mix(in_srgb,var(--focus)_24%,transparent)]',
            )}
          >
            {value[index]}
          </span>
        ))}
        <input
          ref={input}
          id={id}
          aria-invalid={error ? true : undefined}
          value={value}
          aria-disabled={disabled || undefined}
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="[0-9]*"
          aria-describedby={`${id}-count`}
          onChange={({ target }) => {
            // A disabled input would lose the focus, and with it the phone's keyboard.
            if (disabled) return;
            const code = target.value.replace(/\D/g, '').slice(0, length);
            onChange(code);
            if (code.length === length) onComplete(code);
          }}
          className="absolute inset-0 w-full bg-transparent text-transparent caret-transparent outline-none"
        />
      </div>
      <span id={`${id}-count`} className="sr-only">
        {text('generic:codeDigits', { entered: value.length, total: length })}
      </span>
      <p role="alert" className="mt-1.5 flex items-start gap-2 text-small text-error empty:hidden">
        {error && (
          <>
            <CircleAlert aria-hidden="true" size={16} className="mt-px shrink-0" />
            {error}
          </>
        )}
      </p>
    </div>
  );
}
