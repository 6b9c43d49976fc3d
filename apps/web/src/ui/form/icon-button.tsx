import type { ReactNode } from 'react';
import { classNames } from '../hooks/class-names.ts';
import { Pressable, type PressTarget } from './pressable.tsx';

type IconButtonLook = 'bare' | 'outlined' | 'filled' | 'floating';

interface IconButtonProps extends PressTarget {
  /** For screen readers. */
  label: string;
  icon: ReactNode;
  look?: IconButtonLook;
  disabled?: boolean;
  className?: string;
}

const looks = {
  bare: 'size-11 active:bg-surface-2',
  outlined: 'size-11 bg-surface shadow-card active:bg-surface-2',
  filled: 'size-11 bg-surface-2 active:bg-line',
  floating: 'size-12 bg-surface shadow-float active:bg-surface-2',
} as const satisfies Record<IconButtonLook, string>;

export function IconButton({ label, icon, look = 'bare', className, ...rest }: IconButtonProps) {
  return (
    <Pressable
      {...rest}
      aria-label={label}
      className={classNames(
        'inline-flex shrink-0 items-center justify-center rounded-control text-ink disabled:text-ink-3',
        looks[look],
        className,
      )}
    >
      {icon}
    </Pressable>
  );
}
