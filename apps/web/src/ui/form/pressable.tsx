import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Link } from '../../router/index.ts';

/** The effect of a press: a page of ours, another site, or code. */
export interface PressTarget {
  to?: string;
  href?: string;
  onPress?: () => void;
  type?: 'button' | 'submit';
}

interface PressableProps extends PressTarget, Pick<ButtonHTMLAttributes<HTMLElement>, 'aria-label' | 'aria-current'> {
  children: ReactNode;
  disabled?: boolean;
  busy?: boolean;
  className?: string;
}

/** A link when it navigates and a button when it acts. */
export function Pressable({ to, href, onPress, type = 'button', disabled, busy, children, ...rest }: PressableProps) {
  if (to && !disabled)
    return (
      <Link to={to} onClick={onPress} {...rest}>
        {children}
      </Link>
    );
  if (href && !disabled)
    return (
      <a href={href} target="_blank" rel="noreferrer" onClick={onPress} {...rest}>
        {children}
      </a>
    );
  return (
    <button
      type={type}
      disabled={disabled}
      // A busy button keeps the focus, which a disabled one would lose; it only does not react.
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onPress?.();
      }}
      {...rest}
    >
      {children}
    </button>
  );
}
