import { canonicalJson, formatSignature, nonceBytes, textToSign } from '@fpay/contract/signature';
import { base64Url, hmacSha256, sha256Hex } from './digest.ts';

interface Request {
  method: string;
  /** As sent, without the query. */
  path: string;
  bodyHash: string;
  nonce: string;
  unixMs: number;
}

export async function signatureOf({ method, path, bodyHash, nonce, unixMs }: Request, key: string): Promise<string> {
  const mac = await hmacSha256(key, textToSign({ method, path, unixMs, nonce, bodyHash }));
  return formatSignature(unixMs, nonce, mac);
}

export function hashOfBody(body: object): Promise<string> {
  return sha256Hex(canonicalJson(body));
}

export function newNonce(): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(nonceBytes)));
}
