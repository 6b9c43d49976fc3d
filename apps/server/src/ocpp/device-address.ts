import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** The names that stand for ranges in TRUST_PROXY, the same as for HTTP. */
const ranges: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.1/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** It becomes the key of a limit; what a stranger wrote into a header must not become a long one. */
const longestAddress = 64;

/**
 * Where a device calls from: the socket's other end, or, when that is a proxy of ours, whom the proxy names. The header is
 * read from its end, as far as each name is a trusted proxy: what a caller wrote into it beforehand is never believed.
 */
export function deviceAddress(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const trusted = new BlockList();
  for (const range of trustedProxies.flatMap((name) => ranges[name] ?? name)) {
    const [address = '', bits] = range.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(bits), family);
  }
  const isTrusted = (address: string) => {
    const version = isIP(address);
    return version !== 0 && trusted.check(address, version === 6 ? 'ipv6' : 'ipv4');
  };

  return ({ socket, headers }) => {
    let address = socket.remoteAddress ?? '';
    const named = String(headers['x-forwarded-for'] ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    while (isTrusted(address)) {
      const next = named.pop();
      if (next === undefined) break;
      address = next;
    }
    return address.slice(0, longestAddress);
  };
}
