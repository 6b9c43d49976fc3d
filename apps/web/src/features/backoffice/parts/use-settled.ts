import { useState } from 'react';
import { useOnChange } from '../../../ui/hooks/use-on-change.ts';

/** A value once it has not changed for a while. The first one counts at once. */
export function useSettled<Value>(value: Value, ms: number): Value {
  const [settled, setSettled] = useState(value);
  const key = JSON.stringify(value);
  // The same content is the same value.
  useOnChange([key, ms], () => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  });
  return settled;
}
