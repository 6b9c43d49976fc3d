import argon2 from '@node-rs/argon2';

/** OWASP's middle setting for argon2id: 19 MiB, two passes. It takes about 35 ms, outside the event loop. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export function hashPassword(password: string): Promise<string> {
  return argon2.hash(password, cost);
}

// The hash of a random password, so that an unknown phone costs the same time as a wrong password.
const unknownUser = hashPassword(`no user ${Math.random()}`);

export async function isPassword(password: string, passwordHash: string | null): Promise<boolean> {
  const isRight = await argon2.verify(passwordHash ?? (await unknownUser), password);
  return isRight && passwordHash !== null;
}
