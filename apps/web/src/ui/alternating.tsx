import { type ReactNode, useEffect, useState } from 'react';
import { useReducedMotion } from './use-reduced-motion.ts';

interface AlternatingProps {
  /** Two faces of one thing: a name and a car, a number and an address. */
  faces: readonly [ReactNode, ReactNode];
  everyMs: number;
}

/** Cross-fades between its faces. Whoever asked for less motion sees both, one under the other. */
export function Alternating({ faces, everyMs }: AlternatingProps) {
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
        <span className="block truncate">{faces[0]}</span>
        <span className="block truncate text-small text-ink-2">{faces[1]}</span>
      </span>
    );
  return (
    <span key={shown} className="block animate-fade-in truncate">
      {faces[shown]}
    </span>
  );
}
