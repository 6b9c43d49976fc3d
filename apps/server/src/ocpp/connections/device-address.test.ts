import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createChargePointRegistry, readConnector } from '../../network/charge-points.ts';
import { startTestServer } from '../../testing/server.ts';
import { deviceAddress } from './device-address.ts';

describe('the address of a device', () => {
  const from = (remoteAddress: string, forwarded?: string) =>
    ({
      socket: { remoteAddress },
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    }) as unknown as IncomingMessage;

  test.each([
    ['without a proxy the header of a stranger is not believed', [], from('203.0.113.9', '10.0.0.1'), '203.0.113.9'],
    ['a caller past the proxies is not believed either', ['10.0.0.0/8'], from('203.0.113.9', '1.1.1.1'), '203.0.113.9'],
    ['behind a proxy it is whom the proxy names', ['loopback'], from('127.0.0.1', '198.51.100.7'), '198.51.100.7'],
    [
      'what the caller wrote before that is left out',
      ['loopback'],
      from('::1', '6.6.6.6, 198.51.100.7'),
      '198.51.100.7',
    ],
    ['two proxies of ours', ['loopback', '10.0.0.0/8'], from('::ffff:127.0.0.1', '9.9.9.9, 10.1.2.3'), '9.9.9.9'],
    ['nothing but proxies', ['loopback', '10.0.0.5'], from('127.0.0.1', '10.0.0.5'), '10.0.0.5'],
    ['a proxy that names no client', ['127.0.0.1'], from('127.0.0.1'), '127.0.0.1'],
    ['nonsense is kept short', ['loopback'], from('127.0.0.1', 'x'.repeat(500)), 'x'.repeat(64)],
  ])('%s', (_, trusted, request, address) => {
    expect(deviceAddress(trusted)(request)).toBe(address);
  });
});

test('behind a trusted proxy wrong keys are counted by the device’s own address or IPv6 network, not by the proxy’s', async () => {
  const server = await startTestServer({ env: { TRUST_PROXY: 'loopback' } });
  try {
    const registry = createChargePointRegistry({ ...server, secret: server.config.secret });
    const { identity } = await registry.add({
      identity: 'CP-PROXY',
      station: 'F9001',
      connectors: [readConnector('ccstype2:60000:1500')],
    });
    const tryFrom = (address: string) =>
      new Promise<number>((resolve) => {
        const authorization = `Basic ${Buffer.from(`${identity}:wrong`).toString('base64')}`;
        const headers = { authorization, 'x-forwarded-for': address };
        const socket = new WebSocket(`ws://127.0.0.1:${server.port}/ocpp/${identity}`, ['ocpp1.6'], { headers });
        socket.on('error', () => {});
        socket.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
      });
    const statuses: number[] = [];
    for (let n = 0; n < 11; n += 1) statuses.push(await tryFrom('198.51.100.7'));
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
    expect(await tryFrom('198.51.100.8')).toBe(401);
    // One IPv6 customer has a whole /64.
    const ofOneNetwork: number[] = [];
    for (let n = 0; n < 11; n += 1) ofOneNetwork.push(await tryFrom(`2001:db8:0:1::${n + 1}`));
    expect(ofOneNetwork).toEqual([...Array(10).fill(401), 429]);
    expect(await tryFrom('2001:db8:0:2::1')).toBe(401);
  } finally {
    await server.close();
  }
});
