import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { canonicalJson, parseSignature, signatureMaxAgeMs, textToSign } from '@fpay/contract/signature';
import { isTooDeep } from '@fpay/contract/text';
import { Refusal } from '../refusal.ts';

export interface SignedRequest {
  nonce: string;
  /** Hash of the request that used the nonce: the same nonce for another request is refused. */
  requestHash: string;
  /** The body as its schema parsed it. */
  body: Record<string, unknown>;
  isExpired: boolean;
}

/**
 * Checks the signature field. The age is only returned, not checked, because a repeat of an old request still gets its
 * stored answer.
 */
export function verifySignature(
  method: string,
  path: string,
  body: unknown,
  csrfToken: string,
  nowMs: number,
): SignedRequest {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) throw new Refusal('invalid_signature');
  // The canonical form below is built by recursion, which would overflow the stack.
  if (isTooDeep(body)) throw new Refusal('malformed_json');
  const { signature, ...rest } = body as Record<string, unknown>;
  const parsed = parseSignature(signature);
  if (!parsed) throw new Refusal('invalid_signature');
  const bodyHash = sha256Hex(canonicalJson(rest));
  const text = textToSign({ method, path, unixMs: parsed.unixMs, nonce: parsed.nonce, bodyHash });
  const expected = createHmac('sha256', csrfToken).update(text).digest();
  const given = Buffer.from(parsed.mac, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new Refusal('invalid_signature');
  return {
    nonce: parsed.nonce,
    requestHash: sha256Hex(`${method}\n${path}\n${bodyHash}`),
    body: rest,
    isExpired: Math.abs(nowMs - parsed.unixMs) > signatureMaxAgeMs,
  };
}

export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(createHash('sha256').update(given).digest(), createHash('sha256').update(expected).digest());
}

function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
