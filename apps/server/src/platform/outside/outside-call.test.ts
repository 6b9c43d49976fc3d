import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { callOutside, isPublicAddress, refusedUrl } from './outside-call.ts';

const production = { allowsInner: false };

test.each([
  ['93.184.216.34', true],
  ['2606:2800:220:1:248:1893:25c8:1946', true],
  ['127.0.0.1', false],
  ['10.1.2.3', false],
  ['172.31.255.255', false],
  ['172.32.0.1', true],
  ['192.168.0.1', false],
  ['169.254.169.254', false],
  ['100.64.0.1', false],
  ['0.0.0.0', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['::1', false],
  ['::', false],
  ['::ffff:127.0.0.1', false],
  ['::ffff:93.184.216.34', false],
  ['64:ff9b::7f00:1', false],
  ['fe80::1', false],
  ['fd00::1', false],
  ['2002:7f00:1::', false],
  ['2001:db8::1', false],
  ['example.org', false],
])('the address %s is public: %s', (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected);
});

test.each([
  ['https://example.org/hook', null],
  ['https://93.184.216.34/hook', null],
  ['http://example.org/hook', 'must begin with https://'],
  ['https://user:word@example.org/', 'must not contain a password'],
  ['https://localhost/', 'must be a public address'],
  ['https://db.internal/', 'must be a public address'],
  ['https://printer.local./', 'must be a public address'],
  ['https://127.1/', 'must be a public address'],
  ['https://2130706433/', 'must be a public address'],
  ['https://0x7f.0.0.1/', 'must be a public address'],
  ['https://[::1]/', 'must be a public address'],
  ['https://[::ffff:10.0.0.1]/', 'must be a public address'],
  ['no address', 'must be an address'],
])('in production %s is refused with %j', (url, expected) => {
  expect(refusedUrl(url, production)).toBe(expected);
});

test('a name that leads to this machine is refused when it is resolved, before anything is sent', async () => {
  let calls = 0;
  const server = createServer((_, response) => {
    calls += 1;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  // These names have a dot and no reserved ending; a resolver that knows them answers with 127.0.0.1.
  const call = { method: 'GET' as const, headers: {}, timeoutMs: 3_000, mostBytes: 10 };
  for (const host of ['ip6-localhost.', 'localhost.localdomain']) {
    await expect(callOutside({ ...call, url: `https://${host}:${port}/` }, production)).rejects.toThrow();
  }
  await expect(callOutside({ ...call, url: `https://127.0.0.1:${port}/` }, production)).rejects.toThrow(
    'INNER_ADDRESS',
  );
  expect(calls).toBe(0);
  await new Promise((resolve) => server.close(resolve));
});

test('an answer longer than allowed is cut off', async () => {
  const server = createServer((_, response) => void response.end('x'.repeat(1_000)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const call = { method: 'GET' as const, url: `http://127.0.0.1:${port}/`, headers: {}, timeoutMs: 3_000 };
  const policy = { allowsInner: true };
  await expect(callOutside({ ...call, mostBytes: 999 }, policy)).rejects.toThrow('TOO_LARGE');
  expect((await callOutside({ ...call, mostBytes: 1_000 }, policy)).body).toHaveLength(1_000);
  await new Promise((resolve) => server.close(resolve));
});
