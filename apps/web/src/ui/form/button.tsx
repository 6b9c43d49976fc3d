import type { ReactNode } from 'react';
import { classNames } from '../hooks/class-names.ts';
import { Pressable, type PressTarget } from './pressable.tsx';
import { Spinner } from './spinner.tsx';

export type ButtonKind = 'main' | 'secondary' | 'quiet' | 'text' | 'stop' | 'danger';
type ButtonSize = 'l' | 'm' | 's';

export interface ButtonProps extends PressTarget {
  children: ReactNode;
  kind?: ButtonKind;
  size?: ButtonSize;
  icon?: ReactNode;
  /** In progress: the button shows that and cannot be pressed twice. */
  busy?: boolean;
  disabled?: boolean;
  /** Shown while the button is disabled, to explain what is missing. */
  disabledLabel?: ReactNode;
  className?: string;
}

const kinds = {
  main: 'bg-accent text-on-accent active:bg-accent-press uppercase',
  secondary: 'bg-surface text-ink border-[1.5px] border-line-strong active:bg-surface-2 uppercase',
  quiet: 'bg-surface-2 text-ink active:bg-line uppercase',
  text: 'text-ink active:bg-surface-2 font-[650] tracking-normal',
  stop: 'bg-stop-bg text-stop-ink uppercase',
  danger: 'bg-danger text-on-danger uppercase',
} as const satisfies Record<ButtonKind, string>;

const sizes = {
  l: 'min-h-14 px-5 text-button',
  m: 'min-h-12 px-4 text-button text-[0.875rem]',
  s: 'min-h-11 px-3.5 text-button text-[0.8125rem]',
} as const satisfies Record<ButtonSize, string>;

/** Every button with a text. The main one is `MainButton`, of which a screen has one. */
export function Button({
  children,
  kind = 'quiet',
  size = 'l',
  icon,
  busy = false,
  disabled = false,
  disabledLabel,
  className,
  ...target
}: ButtonProps) {
  const look = disabled ? 'bg-surface-2 text-ink-3 uppercase' : kinds[kind];
  return (
    <Pressable
      {...target}
      disabled={disabled}
      busy={busy}
      className={classNames(
        'inline-flex items-center justify-center gap-2.5 rounded-control py-2 text-center transition-colors duration-[80ms] *:[svg]:shrink-0',
        sizes[size],
        look,
        className,
      )}
    >
      {busy ? <Spinner /> : (icon ?? (kind === 'stop' && <StopSquare />))}
      <span>{disabled && disabledLabel ? disabledLabel : children}</span>
    </Pressable>
  );
}

/** The only red on the driver's screens that is not an error. */
function StopSquare() {
  return <span aria-hidden="true" className="size-4 shrink-0 rounded-[4px] bg-error-fill" />;
}
