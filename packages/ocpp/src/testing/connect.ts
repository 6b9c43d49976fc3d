import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { createLink, type LinkOptions, type OcppLink, socketOptions } from '../link.ts';
import type { LinkEvent } from '../link-event.ts';
import { type Handlers, handlers } from '../routes.ts';

let server: WebSocketServer;

/**
 * Called by a test file: each of its tests gets a server of its own. Files share this module, so importing it is not
 * enough.
 */
export function serveEachTest(): void {
  beforeEach(async () => {
    server = new WebSocketServer({ port: 0, host: '127.0.0.1', ...socketOptions });
    await once(server, 'listening');
  });

  afterEach(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
}

/** Returns a central system's link, the events that it observed, and the plain socket of a charge point. */
export async function connect(
  table: Handlers<string> = handlers(),
  { isWired = true, ...options }: Partial<LinkOptions<string>> & { isWired?: boolean } = {},
) {
  const events: LinkEvent[] = [];
  const connected = once(server, 'connection');
  const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, 'ocpp1.6');
  const received: unknown[] = [];
  const arrivals: (() => void)[] = [];
  socket.on('message', (data) => {
    received.push(JSON.parse(data.toString()));
    for (const wake of arrivals.splice(0)) wake();
  });
  await once(socket, 'open');
  const [serverSocket, request] = (await connected) as [WebSocket, IncomingMessage];
  const link: OcppLink<string> = createLink(serverSocket, {
    handlers: table,
    context: 'CP1',
    ...(isWired ? { wire: request.socket } : {}),
    observe: (event) => events.push(event),
    ...options,
  });
  const receive = async (count: number) => {
    while (received.length < count) await new Promise<void>((resolve) => arrivals.push(resolve));
    return received;
  };
  return { link, events, socket, received, receive, send: (frame: unknown) => socket.send(JSON.stringify(frame)) };
}
