import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSignatures } from './signature.ts';

function keyPair(namedCurve = 'prime256v1') {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve });
  const published = Buffer.from(publicKey.export({ type: 'spki', format: 'pem' })).toString('base64');
  return { published, sign: (body: Buffer) => sign('sha256', body, privateKey).toString('base64') };
}

const body = Buffer.from('{"invoiceId":"2210012MPLYwJjVUzchj","status":"hold"}');

test('the key is fetched once, and again when the bank has changed it', async () => {
  let now = 0;
  let fetched = 0;
  let key = keyPair();
  const signatures = createSignatures({
    fetchKey: async () => {
      fetched += 1;
      return key.published;
    },
    clock: { now: () => new Date(now) },
  });
  for (const _ of [1, 2, 3]) expect(await signatures.isGenuine(body, key.sign(body))).toBe(true);
  expect(fetched).toBe(1);

  key = keyPair();
  now += 61_000;
  expect(await signatures.isGenuine(body, key.sign(body))).toBe(true);
  expect(fetched).toBe(2);
});

test('one changed byte, no signature, or a key of another curve is no signature of the bank', async () => {
  const key = keyPair();
  const other = keyPair('secp256k1');
  const clock = { now: () => new Date(0) };
  const signatures = createSignatures({ fetchKey: async () => key.published, clock });
  const changed = Buffer.from(body.toString().replace('hold', 'bold'));
  expect(await signatures.isGenuine(changed, key.sign(body))).toBe(false);
  expect(await signatures.isGenuine(body, undefined)).toBe(false);
  const personal = createSignatures({ fetchKey: async () => other.published, clock });
  expect(await personal.isGenuine(body, other.sign(body))).toBe(false);
});

test('while the key cannot be fetched nothing is accepted, and it is fetched again, but not for every forgery', async () => {
  const key = keyPair();
  let now = 0;
  let asked = 0;
  let isAway = true;
  const fetchKey = async () => {
    asked += 1;
    return isAway ? null : key.published;
  };
  const signatures = createSignatures({ fetchKey, clock: { now: () => new Date(now) } });
  for (let count = 0; count < 20; count += 1) expect(await signatures.isGenuine(body, key.sign(body))).toBe(false);
  expect(asked).toBe(1);
  isAway = false;
  now += 5_000;
  expect(await signatures.isGenuine(body, key.sign(body))).toBe(true);
});
