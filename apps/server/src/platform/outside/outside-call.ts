import { type LookupAddress, lookup } from 'node:dns';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Addresses that the internet does not route to us: loopback, private networks, metadata services of clouds, multicast. */
const inner = new BlockList();
const inner4: [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
for (const [net, bits] of inner4) inner.addSubnet(net, bits, 'ipv4');
/** Only 2000::/3 is routed. In it, 6to4, Teredo and documentation addresses can stand for inner ones. */
const routed6 = new BlockList();
routed6.addSubnet('2000::', 3, 'ipv6');
for (const [net, bits] of [
  ['2001::', 32],
  ['2001:db8::', 32],
  ['2002::', 16],
] as const)
  inner.addSubnet(net, bits, 'ipv6');

export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !inner.check(address, 'ipv4');
  return family === 6 && routed6.check(address, 'ipv6') && !inner.check(address, 'ipv6');
}

export interface OutsidePolicy {
  /** Outside production: plain http and addresses of this machine. */
  allowsInner: boolean;
}

/** Why an address that somebody typed may not be called, as far as its text says; null when it may. */
export function refusedUrl(text: string, { allowsInner }: OutsidePolicy): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null) return 'must be an address';
  if (url.username !== '' || url.password !== '') return 'must not contain a password';
  if (allowsInner) return null;
  if (url.protocol !== 'https:') return 'must begin with https://';
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIP(host) !== 0) return isPublicAddress(host) ? null : 'must be a public address';
  if (!host.includes('.') || /\.(local|localhost|internal|lan|home\.arpa)$/i.test(host))
    return 'must be a public address';
  return null;
}

class InnerAddressError extends Error {
  readonly code = 'INNER_ADDRESS';
}

/** The connection is made to the address that was checked, so a name that changes its address in between gains nothing. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
    const [first] = found ?? [];
    if (error || !first) return callback(error ?? new Error('no address'), '', 4);
    if (!found.every(({ address }) => isPublicAddress(address))) {
      return callback(new InnerAddressError('the name leads to an inner address'), '', 4);
    }
    if (options.all) return callback(null, found);
    return callback(null, first.address, first.family);
  });
};

export interface OutsideCall {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: string;
  timeoutMs: number;
  /** How much of the answer is read; with 0 only its status is awaited. */
  mostBytes: number;
}

export interface OutsideAnswer {
  status: number;
  body: string;
}

/**
 * Calls an address that staff or a partner has given. Redirects are not followed, because they could lead inside.
 * Rejects with a short reason: `timeout`, `INNER_ADDRESS`, `TOO_LARGE`, or the code of the connection's error.
 */
export function callOutside(call: OutsideCall, policy: OutsidePolicy): Promise<OutsideAnswer> {
  const refused = refusedUrl(call.url, policy);
  if (refused !== null) return Promise.reject(new OutsideError('INNER_ADDRESS'));
  const url = new URL(call.url);
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(error instanceof OutsideError ? error : new OutsideError(reasonOf(error)));
    const request = send(url, {
      method: call.method,
      headers: {
        ...call.headers,
        ...(call.body !== undefined && { 'content-length': String(Buffer.byteLength(call.body)) }),
      },
      agent: false,
      signal: AbortSignal.timeout(call.timeoutMs),
      ...(!policy.allowsInner && { lookup: publicLookup }),
    });
    request.on('error', fail);
    request.on('response', (response) => {
      response.on('error', fail);
      const status = response.statusCode ?? 0;
      if (call.mostBytes === 0) {
        resolve({ status, body: '' });
        response.destroy();
        return;
      }
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size > call.mostBytes) response.destroy(new OutsideError('TOO_LARGE'));
      });
      response.on('end', () => resolve({ status, body: Buffer.concat(chunks).toString('utf8') }));
    });
    request.end(call.body);
  });
}

/** The message is the reason. */
export class OutsideError extends Error {}

function reasonOf(error: unknown): string {
  const { name, code } = error as { name?: string; code?: unknown };
  if (name === 'AbortError' || name === 'TimeoutError') return 'timeout';
  return typeof code === 'string' ? code : 'failed';
}
