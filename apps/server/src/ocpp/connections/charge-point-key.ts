import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** OCPP's AuthorizationKey at its longest: 20 bytes, written as 40 hex digits. */
const keyBytes = 20;

/** The credential of a device. We generate it at random, so it needs no slow hash against guessing. */
export function newKey(): Buffer {
  return randomBytes(keyBytes);
}

export function keyText(key: Buffer): string {
  return key.toString('hex');
}

/** The stored hash. It is keyed with the server's secret, so a stolen table gives no access. */
export function keyHash(secret: string, key: Buffer): Buffer {
  return createHmac('sha256', secret).update('charge-point-key:').update(key).digest();
}

/**
 * The standard requires the raw bytes as the password, which need not be UTF-8; many devices send the hex text they
 * were configured with. Both are accepted as the same key.
 */
export function isKey(secret: string, hash: Buffer, password: Buffer): boolean {
  const forms = [password];
  const text = password.toString('latin1');
  if (text.length === keyBytes * 2 && /^[0-9a-f]+$/i.test(text)) forms.push(Buffer.from(text, 'hex'));
  return forms.some((form) => timingSafeEqual(keyHash(secret, form), hash));
}
