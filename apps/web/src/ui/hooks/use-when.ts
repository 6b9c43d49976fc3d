import type { EffectCallback } from 'react';
import { useOnChange } from './use-on-change.ts';

/** Runs after the first render, and never again. What it returns runs when the component goes. */
export function useOnce(act: EffectCallback): void {
  useOnChange([], act);
}

/** Runs each time that there is a value where there was none before. */
export function useWhen<Value>(value: Value | false | null | undefined, act: (value: Value) => void): void {
  const isThere = value !== false && value !== null && value !== undefined;
  useOnChange([isThere], () => {
    if (isThere) act(value);
  });
}
