import type { RefusalCode } from '@fpay/contract/refusals';
import type { RateLimits } from '../platform/rate-limits.ts';
import { Refusal } from '../platform/refusal.ts';

/** As often as `/api/users/uc` may be asked: both answer whether a phone number has an account. */
const probes = { most: 20, windowMs: 60_000 };

/** Refusals that say whether the recipient exists. */
const telling: readonly RefusalCode[] = ['user_not_found', 'transfer_refused'];

interface Asker {
  user: number;
  address: string;
}

/** Keeps phone numbers from being probed by gifts: per address, and per user because one may have many addresses. */
export function createGiftProbes(limits: RateLimits) {
  const limitsOf = ({ user, address }: Asker) => [
    { key: `gift-probe:address:${address}`, ...probes },
    { key: `gift-probe:user:${user}`, ...probes },
  ];

  async function count(asker: Asker): Promise<void> {
    for (const limit of limitsOf(asker)) await limits.take(limit);
  }

  return {
    /** Before a recipient is looked up by itself: each question counts. */
    count,

    /** Around a gift: only those that tell about a recipient without giving count. */
    async guard<T>(asker: Asker, give: () => Promise<T>): Promise<T> {
      for (const limit of limitsOf(asker)) await limits.check(limit);
      try {
        return await give();
      } catch (error) {
        // Past the limit this refuses by itself, so that calls made at once learn no more than calls one by one.
        if (error instanceof Refusal && telling.includes(error.code)) await count(asker);
        throw error;
      }
    },
  };
}

export type GiftProbes = ReturnType<typeof createGiftProbes>;
