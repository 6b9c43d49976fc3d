import type { Device } from '../../platform/http/session.ts';
import { addressKey, type RateLimits } from '../../platform/rate-limits.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const rules = {
  attemptsPerAddress: { most: 30, windowMs: minuteMs },
  failures: { most: 5, windowMs: minuteMs },
  failuresADay: { most: 50, windowMs: dayMs },
  failuresPerPhoneADay: { most: 50, windowMs: dayMs },
} as const;

/** Who signs in to which phone; `knownDevice` is the id of a device that signed in to this account before. */
export interface Attempt {
  phone: string;
  device: Device;
  knownDevice: string | null;
}

/**
 * How often a password may be guessed. Failures are limited per phone and address together, so that a stranger cannot
 * lock the owner out. The sum over all addresses never refuses: above it the right password also needs a code. A known
 * device is counted separately, because a stranger behind the same address must not block it either.
 */
export function createSignInLimits(limits: RateLimits) {
  function failuresOf({ phone, device, knownDevice }: Attempt) {
    const from = knownDevice === null ? `address:${addressKey(device.ip)}` : `device:${knownDevice}`;
    return [
      { key: `sign-in:failures:${phone}:${from}`, ...rules.failures },
      { key: `sign-in:failures-day:${phone}:${from}`, ...rules.failuresADay },
    ];
  }
  const sumOf = (phone: string) => ({ key: `sign-in:phone-day:${phone}`, ...rules.failuresPerPhoneADay });

  return {
    async admit(attempt: Attempt): Promise<void> {
      if (attempt.knownDevice === null) {
        await limits.take({ key: `sign-in:address:${addressKey(attempt.device.ip)}`, ...rules.attemptsPerAddress });
      }
      for (const limit of failuresOf(attempt)) await limits.check(limit);
    },

    async countFailure(attempt: Attempt): Promise<void> {
      for (const limit of failuresOf(attempt)) await limits.count(limit);
      await limits.count(sumOf(attempt.phone));
    },

    /** True when the right password alone does not sign in. */
    async needsCode({ phone, knownDevice }: Attempt): Promise<boolean> {
      return knownDevice === null && (await limits.isReached(sumOf(phone)));
    },

    /** The owner has proven the phone in this browser, so earlier failures no longer count. */
    async forget(phone: string, device: Device): Promise<void> {
      await limits.reset(failuresOf({ phone, device, knownDevice: null }).map(({ key }) => key));
    },
  };
}

export type SignInLimits = ReturnType<typeof createSignInLimits>;
