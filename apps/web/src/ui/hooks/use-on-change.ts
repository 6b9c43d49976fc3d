import { type DependencyList, type EffectCallback, useEffect } from 'react';

/** Runs after the first render and after each change of these values, whatever else it reads. */
export function useOnChange(values: DependencyList, act: EffectCallback): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller names the values.
  useEffect(act, values);
}
