import { expect, test } from 'vitest';
import { createSecretBox } from './secret-box.ts';

const secret = '4f1c9e0b7a6d2835c1e0f9b8a7d64352';
const box = createSecretBox(secret, 'cards');

test('a sealed text is opened again and never looks the same twice', () => {
  const [one, two] = [box.seal('token-1'), box.seal('token-1')];
  expect(one.equals(two)).toBe(false);
  expect(one.includes('token-1')).toBe(false);
  expect([box.unseal(one), box.unseal(two)]).toEqual(['token-1', 'token-1']);
});

test('another secret, another purpose or a changed byte opens nothing', () => {
  const sealed = box.seal('token-1');
  const changed = Buffer.from(sealed);
  changed[14] = (changed[14] ?? 0) ^ 1;
  expect(createSecretBox(`${secret}x`, 'cards').unseal(sealed)).toBeNull();
  expect(createSecretBox(secret, 'push').unseal(sealed)).toBeNull();
  expect([box.unseal(changed), box.unseal(Buffer.alloc(3))]).toEqual([null, null]);
});

test('a fingerprint finds the same text again, under the same key only', () => {
  expect(box.fingerprint('a').equals(box.fingerprint('a'))).toBe(true);
  expect(box.fingerprint('a').equals(box.fingerprint('b'))).toBe(false);
  expect(box.fingerprint('a').equals(createSecretBox(secret, 'push').fingerprint('a'))).toBe(false);
});
