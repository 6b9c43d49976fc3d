import CircleAlert from 'lucide-react/icons/circle-alert';
import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react';
import { classNames } from '../hooks/class-names.ts';

export interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'id'> {
  label: string;
  hint?: string | undefined;
  /** Replaces the hint. The input stays. */
  error?: string | undefined;
  icon?: ReactNode;
  /** At the end of the box: a button that shows the password, a unit. */
  trailing?: ReactNode;
  /** Opposite the label: "Forgot the password?" */
  action?: ReactNode;
  ref?: Ref<HTMLInputElement>;
}

export function Field({ label, hint, error, icon, trailing, action, ...input }: FieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const note = error ?? hint;
  return (
    <div className="grid grid-cols-[1fr_auto] gap-x-3">
      <label htmlFor={id} className="mb-1.5 self-center text-note font-bold">
        {label}
      </label>
      <div
        className={classNames(
          'col-span-2 row-start-2 flex min-h-14 items-center gap-3 rounded-control border-[1.5px] bg-surface px-4 focus-within:border-focus focus-within:shadow-[0_0_0_3px_color-mix(in_srgb,var(--focus)_24%,transparent)]',
          error ? 'border-error-fill' : 'border-line-strong',
        )}
      >
        {icon && <span className="text-ink-2">{icon}</span>}
        <input
          {...input}
          id={id}
          aria-invalid={error ? true : undefined}
          aria-describedby={note ? noteId : undefined}
          className="min-w-0 flex-1 self-stretch bg-transparent text-field outline-none"
        />
        {trailing}
      </div>
      {/* After the input, so that the keyboard reaches the input first. */}
      {action && <div className="col-start-2 row-start-1 mb-1.5">{action}</div>}
      {note && (
        <p
          id={noteId}
          className={classNames(
            'col-span-2 mt-1.5 flex items-start gap-2 text-small',
            error ? 'text-error' : 'text-ink-2',
          )}
        >
          {error && <CircleAlert aria-hidden="true" size={16} className="mt-px shrink-0" />}
          {note}
        </p>
      )}
    </div>
  );
}
