import type { RefusalCode } from '@fpay/contract/refusals';
import { addressKey, type RateLimits } from '../platform/rate-limits.ts';
import { Refusal } from '../platform/refusal.ts';

/** The same limit as for `/api/users/uc`, because both disclose whether a phone number has an account. */
const probes = { most: 20, windowMs: 60_000 };

/** Refusals that disclose whether the recipient exists. */
const telling: readonly RefusalCode[] = ['user_not_found', 'transfer_refused'];

interface GiftCaller {
  user: number;
  address: string;
}

/**
 * Keeps phone numbers from being probed by gifts: per address, and per user because one user may have many addresses.
 */
export function createGiftProbes(limits: Pick<RateLimits, 'take' | 'check'>) {
  const limitsOf = ({ user, address }: GiftCaller) => [
    { key: `gift-probe:address:${addressKey(address)}`, ...probes },
    { key: `gift-probe:user:${user}`, ...probes },
  ];

  async function count(caller: GiftCaller): Promise<void> {
    for (const limit of limitsOf(caller)) await limits.take(limit);
  }

  return {
    /** For a separate lookup of a recipient: each request counts. */
    count,

    /** Around a gift: only refusals that disclose something about a recipient count. */
    async guard<T>(caller: GiftCaller, give: () => Promise<T>): Promise<T> {
      for (const limit of limitsOf(caller)) await limits.check(limit);
      try {
        return await give();
      } catch (error) {
        // Above the limit this refuses by itself, so that parallel calls learn no more than sequential ones.
        if (error instanceof Refusal && telling.includes(error.code)) await count(caller);
        throw error;
      }
    },
  };
}

export type GiftProbes = ReturnType<typeof createGiftProbes>;
