/**
 * The signature field of every POST, PATCH and DELETE body. It provides idempotency and integrity, not authentication.
 * Client and server build the signed text here, so that they cannot differ; each has its own HMAC implementation.
 */
export const signatureVersion = 'v1';
/** A request older than this by the server's clock is refused; the client corrects its clock and signs again. */
export const signatureMaxAgeMs = 5 * 60_000;
/** 128 bits are enough for a value that must be unique per user within two days. */
export const nonceBytes = 16;

export interface SignedParts {
  method: string;
  path: string;
  unixMs: number;
  nonce: string;
  /** Hex SHA-256 of the canonical JSON of the body without its signature. */
  bodyHash: string;
}

export function textToSign({ method, path, unixMs, nonce, bodyHash }: SignedParts): string {
  return `${method}\n${path}\n${unixMs}\n${nonce}\n${bodyHash}`;
}

export function formatSignature(unixMs: number, nonce: string, mac: string): string {
  return `${signatureVersion}.${unixMs}.${nonce}.${mac}`;
}

const shape = /^v1\.(\d{1,15})\.([A-Za-z0-9_-]{8,64})\.([A-Za-z0-9_-]{43})$/;

export function parseSignature(text: unknown): { unixMs: number; nonce: string; mac: string } | null {
  const match = typeof text === 'string' ? shape.exec(text) : null;
  if (!match) return null;
  const [, unixMs = '', nonce = '', mac = ''] = match;
  return { unixMs: Number(unixMs), nonce, mac };
}

/**
 * Keys are sorted by code unit, without spaces and without undefined members, so that client and server get the same
 * bytes.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value))
    return `[${value.map((item) => canonicalJson(item === undefined ? null : item)).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
    return `{${members.join(',')}}`;
  }
  return JSON.stringify(value);
}
