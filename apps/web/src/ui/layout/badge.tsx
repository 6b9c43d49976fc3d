import type { ReactNode } from 'react';
import { classNames } from '../hooks/class-names.ts';

const tones = {
  free: 'bg-free-tint text-free',
  ready: 'bg-ready-tint text-ready',
  charging: 'bg-charging-tint text-charging',
  occupied: 'bg-occupied-tint text-occupied',
  offline: 'bg-offline-tint text-offline',
  error: 'bg-error-tint text-error',
  promo: 'bg-promo-tint text-promo',
} as const;

export type Tone = keyof typeof tones;

interface BadgeProps {
  tone: Tone;
  icon?: ReactNode;
  children: ReactNode;
}

/** A text in the colour of its meaning, because a colour alone is not accessible. */
export function Badge({ tone, icon, children }: BadgeProps) {
  return (
    <span
      className={classNames(
        'inline-flex min-h-[26px] items-center gap-1.5 rounded-badge px-2 text-small font-bold whitespace-nowrap',
        tones[tone],
      )}
    >
      {icon}
      {children}
    </span>
  );
}
