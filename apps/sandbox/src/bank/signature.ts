import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Database } from '../database.ts';

/** The key that signs webhooks. It survives restarts and can be replaced. */
export interface SigningKey {
  /** In the format of `/pubkey`: the PEM text in base64. */
  publicKey(): string;
  /** The value of X-Sign: ECDSA on P-256 with SHA-256 over the exact bytes that are sent, DER, in base64. */
  sign(body: string): string;
  rotate(): void;
}

export function createSigningKey(db: Database, clock: Clock): SigningKey {
  db.schema(
    'CREATE TABLE IF NOT EXISTS bank_keys (id INTEGER PRIMARY KEY, created_at INTEGER NOT NULL, pem TEXT NOT NULL)',
  );

  function rotate(): KeyObject {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    db.run('INSERT INTO bank_keys (created_at, pem) VALUES (?, ?)', clock.now(), pem);
    return privateKey;
  }

  const newest = db.get<{ pem: string }>('SELECT pem FROM bank_keys ORDER BY id DESC LIMIT 1');
  let key = newest ? createPrivateKey(newest.pem) : rotate();

  return {
    publicKey: () =>
      Buffer.from(createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString()).toString('base64'),
    sign: (body) => sign('sha256', Buffer.from(body), key).toString('base64'),
    rotate: () => {
      key = rotate();
    },
  };
}
