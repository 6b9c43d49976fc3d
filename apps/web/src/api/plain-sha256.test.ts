// @vitest-environment node
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hmac, sha256 } from './plain-sha256.ts';

describe('SHA-256 without WebCrypto', () => {
  it.each([0, 1, 55, 56, 63, 64, 65, 119, 120, 1000])('gives the same result as the library for %i bytes', (length) => {
    const bytes = randomBytes(length);
    expect(Buffer.from(sha256(bytes)).toString('hex')).toBe(createHash('sha256').update(bytes).digest('hex'));
  });

  it.each([1, 43, 64, 65, 200])('gives the same HMAC with a key of %i bytes', (length) => {
    const key = randomBytes(length);
    const message = randomBytes(180);
    expect(Buffer.from(hmac(key, message)).toString('hex')).toBe(
      createHmac('sha256', key).update(message).digest('hex'),
    );
  });
});
