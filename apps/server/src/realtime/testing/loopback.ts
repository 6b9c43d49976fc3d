import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebPubSubClient, type WebPubSubClientOptions } from '@azure/web-pubsub-client';
import { onTestFinished } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import { createRealtime, type RealtimeOptions } from '../service.ts';

export const hubSecret = 'a secret of at least thirty-two bytes';
export const reliable = 'json.reliable.webpubsub.azure.v1';

/** A log that tests can read. */
export function createLogbook() {
  const lines: Array<{ level: string; fields: object; message: string }> = [];
  const at = (level: string) => (fields: object, message: string) => void lines.push({ level, fields, message });
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** A clock that only moves when the test moves it. */
export function createHandClock(startMs = Date.now()) {
  let nowMs = startMs;
  return {
    now: () => new Date(nowMs),
    advance(ms: number) {
      nowMs += ms;
    },
  };
}

/** The hub behind a real HTTP server on loopback, as the program runs it; paths that are not the hub's get a 404. */
export async function openHub(overrides: Partial<RealtimeOptions> & { port?: number } = {}) {
  const { port: wantedPort = 0, ...options } = overrides;
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(wantedPort, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const publicUrl = `http://127.0.0.1:${port}`;
  const log = createLogbook();
  const seen = { refused: [] as string[], cutOff: [] as string[], published: [] as number[] };
  const metrics = {
    refused: (reason: string) => void seen.refused.push(reason),
    cutOff: (reason: string) => void seen.cutOff.push(reason),
    published: (receivers: number) => void seen.published.push(receivers),
  };
  const realtime = createRealtime({ secret: hubSecret, publicUrl, log, metrics, ...options });
  server.on('upgrade', (request, socket, head) => {
    if (!realtime.handleUpgrade(request, socket, head)) socket.end('HTTP/1.1 404 Not Found\r\n\r\n');
  });

  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    await realtime.close();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(close);
  return { realtime, server, port, publicUrl, log, seen, close };
}

/** The official client with short retry delays and without pings, stopped at the end of the test. */
export function officialClient(address: () => Promise<string>, options: WebPubSubClientOptions = {}) {
  const client = new WebPubSubClient(
    { getClientAccessUrl: address },
    {
      keepAliveIntervalInMs: 0,
      keepAliveTimeoutInMs: 0,
      messageRetryOptions: { maxRetries: 0 },
      reconnectRetryOptions: { retryDelayInMs: 20 },
      ...options,
    },
  );
  const received: Array<{ group: string; data: unknown }> = [];
  const connectedAs: string[] = [];
  const partings: Array<string | undefined> = [];
  client.on('group-message', ({ message }) => void received.push({ group: message.group, data: message.data }));
  client.on('connected', ({ connectionId }) => void connectedAs.push(connectionId));
  client.on('disconnected', ({ message }) => void partings.push(message?.message));
  onTestFinished(() => client.stop());
  return { client, heard: received, connectedAs, partings };
}

/** A plain socket that sends exactly the given frames. */
export async function rawSocket(address: string, options: ClientOptions & { protocol?: string } = {}) {
  const { protocol = reliable, ...rest } = options;
  const socket = new WebSocket(address, protocol === '' ? [] : protocol, rest);
  const frames: Array<Record<string, unknown>> = [];
  socket.on('message', (data) => void frames.push(JSON.parse(data.toString())));
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  onTestFinished(() => socket.terminate());
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  socket.on('error', () => {});
  return { socket, frames, closed, say: (frame: unknown) => socket.send(JSON.stringify(frame)) };
}

/** The HTTP status with which an upgrade was refused, or 101 when it was not. */
export function upgradeStatusOf(address: string, options: ClientOptions & { protocol?: string } = {}): Promise<number> {
  const { protocol = reliable, ...rest } = options;
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address, protocol === '' ? [] : protocol, rest);
    onTestFinished(() => socket.terminate());
    socket.once('unexpected-response', (_request, response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    socket.once('open', () => resolve(101));
    socket.once('error', reject);
  });
}
