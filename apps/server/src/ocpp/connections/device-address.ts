import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** The names of address ranges in TRUST_PROXY, the same as for HTTP. */
const ranges: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.1/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** The address becomes the key of a limit, so a client must not make it long with a header. */
const longestAddress = 64;

/**
 * The address of a device: the other end of the socket, or, when that is a trusted proxy, the address that the proxy
 * reports. The header is read from its end while each address is a trusted proxy, so what a client wrote into it is
 * never used.
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
