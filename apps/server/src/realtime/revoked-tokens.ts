import type { HubClock } from './ports.ts';
import type { Pass } from './token.ts';

/**
 * Users whose tokens from before a certain time are invalid. Memory is enough, because tokens live for a minute and
 * every node receives every disconnect. A node that may have missed some (it has just started, or was cut off from the
 * others) calls `addAll` and then accepts no earlier token.
 */
export function createRevokedTokens({ clock, keepMs }: { clock: HubClock; keepMs: number }) {
  let allBeforeMs = clock.now().getTime();
  const sentAwayAtMs = new Map<number, number>();

  return {
    add(user: number): void {
      const now = clock.now().getTime();
      // Deleting first moves the entry to the end, so the map stays in the order of time with the oldest entries in
      // front.
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

export type RevokedTokens = ReturnType<typeof createRevokedTokens>;
