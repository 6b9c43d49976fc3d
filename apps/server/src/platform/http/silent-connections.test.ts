import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startTestServer } from '../../testing/server.ts';
import { limitSilence, type SilenceLimits } from './silent-connections.ts';

async function listen(limits: Partial<SilenceLimits>) {
  // The check of Node's own timeouts runs at an interval that can only be set here.
  const server = createServer({ connectionsCheckingInterval: 100 }, (_request, response) => response.end('ok'));
  limitSilence(server, { firstRequestMs: 400, headersMs: 400, mostWithoutRequest: 100, ...limits });
  server.on('upgrade', (_request, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port };
}

async function open(port: number): Promise<{ socket: Socket; received: () => string; isClosed: () => boolean }> {
  const socket = connect(port, '127.0.0.1');
  let [received, isClosed] = ['', false];
  socket.on('data', (data) => {
    received += data;
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    isClosed = true;
  });
  await once(socket, 'connect');
  onTestFinished(() => void socket.destroy());
  return { socket, received: () => received, isClosed: () => isClosed };
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('a connection that sends nothing is closed, one that sends a part of a request too', async () => {
  const { port } = await listen({});
  const silent = await open(port);
  const half = await open(port);
  half.socket.write('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ');
  await expect.poll(() => [silent.isClosed(), half.isClosed()], { timeout: 5_000 }).toEqual([true, true]);
});

test('a connection that was upgraded, or that waits for its next request, stays open', async () => {
  const { port } = await listen({});
  const upgraded = await open(port);
  upgraded.socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
  const kept = await open(port);
  kept.socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await wait(1_200);
  expect([upgraded.isClosed(), kept.isClosed()]).toEqual([false, false]);
  expect(upgraded.received()).toContain('101 Switching Protocols');
  kept.socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await expect.poll(() => kept.received().match(/200 OK/g)?.length, { timeout: 5_000 }).toBe(2);
});

test('when there are too many silent connections the oldest are closed, and a request still gets through', async () => {
  const { port } = await listen({ firstRequestMs: 60_000, mostWithoutRequest: 20 });
  const silent: Awaited<ReturnType<typeof open>>[] = [];
  for (let n = 0; n < 50; n += 1) silent.push(await open(port));
  await expect.poll(() => silent.filter(({ isClosed }) => isClosed()).length, { timeout: 5_000 }).toBe(30);
  expect(silent.slice(0, 30).every(({ isClosed }) => isClosed())).toBe(true);
  const asking = await open(port);
  asking.socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await expect.poll(asking.received, { timeout: 5_000 }).toContain('200 OK');
});

test('the whole server closes, within half a minute, a socket that sends nothing and one that never ends its headers', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.close());
  const silent = await open(server.port);
  const half = await open(server.port);
  half.socket.write('GET /api/user HTTP/1.1\r\nHost: x\r\nX-Slow: ');
  await expect
    .poll(() => [silent.isClosed(), half.isClosed()], { timeout: 32_000, interval: 200 })
    .toEqual([true, true]);
}, 40_000);
