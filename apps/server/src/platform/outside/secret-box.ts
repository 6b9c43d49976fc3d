import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts short secrets for the database, so that a copy of the database alone does not reveal them. */
export interface SecretBox {
  seal(text: string): Buffer;
  /** Null when the value was sealed with another key or was changed. */
  unseal(sealed: Buffer): string | null;
  /** Always the same for the same text, so that a sealed value can be found again. */
  fingerprint(text: string): Buffer;
}

/** AES-256-GCM with a key that is derived from the server's secret. Each purpose has a key of its own. */
export function createSecretBox(secret: string, purpose: string): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', secret, 'fpay', `seal\n${purpose}`, 32));
  const hashKey = Buffer.from(hkdfSync('sha256', secret, 'fpay', `fingerprint\n${purpose}`, 32));
  return {
    seal(text) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, body, cipher.getAuthTag()]);
    },
    unseal(sealed) {
      if (sealed.length < nonceBytes + tagBytes) return null;
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes));
      decipher.setAuthTag(sealed.subarray(-tagBytes));
      try {
        const body = sealed.subarray(nonceBytes, -tagBytes);
        return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
      } catch {
        return null;
      }
    },
    fingerprint: (text) => createHmac('sha256', hashKey).update(text).digest(),
  };
}
