import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, verify } from 'node:crypto';

/** What a browser keeps of its subscription, base64url. */
export interface BrowserKeys {
  privateKey: string;
  auth: string;
}

/** A request that a push service would refuse, with the HTTP status of the answer. */
export class PushRefusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const saltBytes = 16;
const keyIdAt = 20;
const pointBytes = 65;
const tagBytes = 16;
const lastRecord = 2;

export function publicKeyOf(privateKey: string): string {
  return curveWith(privateKey).getPublicKey('base64url');
}

/** Decrypts a message as a browser does (RFC 8188 and RFC 8291): one record, encoded with aes128gcm. */
export function decryptPush(body: Buffer, receiver: BrowserKeys): string {
  const head = keyIdAt + 1;
  if (body.length < head + pointBytes + tagBytes || body[keyIdAt] !== pointBytes) {
    throw new PushRefusal(400, 'the body is not aes128gcm');
  }
  const salt = body.subarray(0, saltBytes);
  const sender = body.subarray(head, head + pointBytes);
  const sealed = body.subarray(head + pointBytes);
  const curve = curveWith(receiver.privateKey);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), curve.getPublicKey(), sender]);
  const ikm = derive(curve.computeSecret(sender), Buffer.from(receiver.auth, 'base64url'), info, 32);
  const key = derive(ikm, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(ikm, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  try {
    const plain = Buffer.concat([decipher.update(sealed.subarray(0, -tagBytes)), decipher.final()]);
    return plain.subarray(0, plain.lastIndexOf(lastRecord)).toString('utf8');
  } catch {
    throw new PushRefusal(400, 'the message was encrypted for another browser');
  }
}

/** Checks the sender's signature (RFC 8292) and returns the public key of the sender. */
export function senderOf(authorization: string | undefined, origin: string, nowMs: number): string {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization ?? '') ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  if (point.length !== pointBytes) throw new PushRefusal(401, 'there is no VAPID key');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) throw new PushRefusal(401, 'the VAPID signature is wrong');
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as Record<string, unknown>;
  const now = nowMs / 1000;
  if (aud !== origin) throw new PushRefusal(403, 'the VAPID audience is another push service');
  if (typeof exp !== 'number' || exp <= now || exp > now + 86_400) throw new PushRefusal(403, 'the VAPID token is old');
  if (!/^(mailto:|https:)/.test(String(sub))) throw new PushRefusal(403, 'the VAPID token has no contact');
  return key;
}

function curveWith(privateKey: string): ECDH {
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(Buffer.from(privateKey, 'base64url'));
  return curve;
}

function derive(secret: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, bytes));
}
