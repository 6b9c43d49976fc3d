// @vitest-environment node
import { afterEach, describe, expect, it, vi } from 'vitest';
import { hmacSha256, sha256Hex } from './digest.ts';

afterEach(() => vi.unstubAllGlobals());

describe('a page without WebCrypto', () => {
  it('gives the same signature as one with it', async () => {
    const withLibrary = [await sha256Hex('зарядка'), await hmacSha256('token', 'POST\n/api/pay')];
    vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
    expect([await sha256Hex('зарядка'), await hmacSha256('token', 'POST\n/api/pay')]).toEqual(withLibrary);
  });
});
