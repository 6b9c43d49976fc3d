import { expect, it } from 'vitest';
import { isKey, keyHash, keyText, newKey } from './charge-point-key.ts';

const secret = 'a secret of the server, long enough';

it('is 20 random bytes, shown as 40 hex digits', () => {
  const key = newKey();
  expect(key).toHaveLength(20);
  expect(keyText(key)).toMatch(/^[0-9a-f]{40}$/);
  expect(newKey().equals(key)).toBe(false);
});

it('is recognised as raw bytes and as hex text in either case, and nothing else is', () => {
  const key = Buffer.from('00ff80fe0a3a0d2f4b1c9e77d2a1b3c4d5e6f708', 'hex');
  const hash = keyHash(secret, key);
  expect(isKey(secret, hash, key)).toBe(true);
  expect(isKey(secret, hash, Buffer.from(keyText(key)))).toBe(true);
  expect(isKey(secret, hash, Buffer.from(keyText(key).toUpperCase()))).toBe(true);
  for (const wrong of ['', keyText(newKey()), `${keyText(key)}0`, ` ${keyText(key)}`, keyText(key).slice(2)]) {
    expect([wrong, isKey(secret, hash, Buffer.from(wrong))]).toEqual([wrong, false]);
  }
});

it('is not accepted under another secret', () => {
  const key = newKey();
  expect(isKey('another secret of another server', keyHash(secret, key), key)).toBe(false);
  expect(keyHash(secret, key).includes(key)).toBe(false);
});
