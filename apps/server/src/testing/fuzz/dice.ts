/** Random choices that a seed repeats. */
export function createDice(seed: number) {
  let state = seed >>> 0;
  // Mulberry32: small, and good enough to spread choices evenly.
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  return {
    next,
    chance: (probability: number) => next() < probability,
    upTo: (most: number) => Math.floor(next() * (most + 1)),
    pick<T>(list: readonly T[]): T {
      return list[Math.floor(next() * list.length)] as T;
    },
  };
}

export type Dice = ReturnType<typeof createDice>;
