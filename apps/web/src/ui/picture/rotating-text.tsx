import { type ReactNode, useEffect, useState } from 'react';
import { useReducedMotion } from '../hooks/use-reduced-motion.ts';

interface RotatingTextProps {
  /** Two variants of one text: a name and a car, a number and an address. */
  variants: readonly [ReactNode, ReactNode];
  everyMs: number;
}

/** Cross-fades between its variants. With reduced motion both are shown, one below the other. */
export function RotatingText({ variants, everyMs }: RotatingTextProps) {
  const isStill = useReducedMotion();
  const [shown, setShown] = useState(0);
  useEffect(() => {
    if (isStill) return;
    const timer = setInterval(() => setShown((face) => 1 - face), everyMs);
    return () => clearInterval(timer);
  }, [isStill, everyMs]);

  if (isStill)
    return (
      <span className="block">
        <span className="block truncate">{variants[0]}</span>
        <span className="block truncate text-small text-ink-2">{variants[1]}</span>
      </span>
    );
  return (
    <span key={shown} className="block animate-fade-in truncate">
      {variants[shown]}
    </span>
  );
}
