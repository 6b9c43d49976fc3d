import argon2 from '@node-rs/argon2';

/**
 * For users that a test adds itself. A stored hash carries its own cost, so a sign-in with it takes 1 ms of a core instead of the 35
 * that the product chooses; hundreds of tests sign in. What the product hashes costs as much as everywhere.
 */
export const cheapPasswordHash = (password: string): Promise<string> =>
  argon2.hash(password, { memoryCost: 64, timeCost: 1, parallelism: 1 });
