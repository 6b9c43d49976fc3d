import type { Pass } from './token.ts';
import type { Clock } from './watch.ts';

/**
 * Users whose tokens of before a moment are void. Memory is enough: tokens live a minute, and every node hears of
 * every disconnect. A node that may have missed some (it has just started, or was cut off from the others) calls
 * `addAll` and so trusts no token of before.
 */
export function createSentAway({ clock, keepMs }: { clock: Clock; keepMs: number }) {
  let allBeforeMs = clock.now().getTime();
  const sentAwayAtMs = new Map<number, number>();

  return {
    add(user: number): void {
      const now = clock.now().getTime();
      // Set anew, the entry moves to the end, so the map stays in the order of time and the old ones are in front.
      sentAwayAtMs.delete(user);
      sentAwayAtMs.set(user, now);
      for (const [other, at] of sentAwayAtMs) {
        if (at > now - keepMs) break;
        sentAwayAtMs.delete(other);
      }
    },

    addAll(): void {
      allBeforeMs = clock.now().getTime() + 1;
      sentAwayAtMs.clear();
    },

    covers({ user, grantedAtMs }: Pick<Pass, 'user' | 'grantedAtMs'>): boolean {
      const at = sentAwayAtMs.get(user);
      return grantedAtMs < allBeforeMs || (at !== undefined && grantedAtMs <= at);
    },

    /** How many are remembered. */
    size: () => sentAwayAtMs.size,
  };
}

export type SentAway = ReturnType<typeof createSentAway>;
