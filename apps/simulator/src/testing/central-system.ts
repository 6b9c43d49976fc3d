import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  conforms,
  createLink,
  handlers,
  type Link,
  type Message,
  on,
  type ReadRequestOf,
  socketOptions,
  v16,
} from '@fpay/ocpp';
import { type WebSocket, WebSocketServer } from 'ws';

interface ReceivedMessage {
  identity: string;
  action: string;
  messageId: string | number;
  /** The payload as received, for tests that check its form. */
  payload: unknown;
  isConforming: boolean;
  repairs: readonly string[];
}

/**
 * A central system for tests. It accepts every charge point with the right password, records messages, and gives the
 * configured answers.
 */
export interface CentralSystem {
  readonly url: string;
  readonly received: ReceivedMessage[];
  /** How many times each identity has connected. */
  readonly connects: Map<string, number>;
  /** How many pings all charge points have sent. */
  pings: number;
  /** The requests of one action after tolerant reading. */
  requests<M extends Message>(message: M): ReadRequestOf<M>[];
  actions(): string[];
  link(identity?: string): Link<string>;
  /** Cards that are refused. */
  readonly blockedTags: Set<string>;
  bootStatus: 'Accepted' | 'Pending' | 'Rejected';
  /** This many of the next messages of an action are answered with an error. */
  readonly failures: Map<string, number>;
  readonly password: string;
  stop(): Promise<void>;
}

export async function startCentralSystem({ port = 0, password = 'secret-key' } = {}): Promise<CentralSystem> {
  const server = new WebSocketServer({
    port,
    host: '127.0.0.1',
    ...socketOptions,
    verifyClient: ({ req }, done) => done(isKnown(req), 401),
  });
  await once(server, 'listening');
  const links = new Map<string, Link<string>>();
  const read: { action: string; request: unknown }[] = [];
  let lastTransactionId = 100;

  const isKnown = (request: IncomingMessage) => {
    const [, user, key] =
      /^([^:]*):(.*)$/s.exec(Buffer.from((request.headers.authorization ?? '').slice(6), 'base64').toString()) ?? [];
    return user === identityOf(request) && key === password;
  };

  function record<M extends Message>(message: M, answer: (request: ReadRequestOf<M>) => object) {
    return on<Message, string>(message, (request, { context, action, messageId, payload, repairs }) => {
      const isConforming = conforms(message.request, payload);
      system.received.push({ identity: context, action, messageId, payload, isConforming: isConforming, repairs });
      read.push({ action, request });
      const left = system.failures.get(action) ?? 0;
      system.failures.set(action, Math.max(0, left - 1));
      if (left > 0) throw new Error('configured failure');
      return answer(request as ReadRequestOf<M>);
    });
  }

  const currentTime = () => new Date().toISOString();
  const tagInfo = (idTag: string | null) => ({
    idTagInfo: { status: idTag !== null && system.blockedTags.has(idTag) ? 'Invalid' : 'Accepted' },
  });
  const nothing = () => ({});
  const table = handlers<string>(
    record(v16.BootNotification, () => ({ status: system.bootStatus, currentTime: currentTime(), interval: 300 })),
    record(v16.Heartbeat, () => ({ currentTime: currentTime() })),
    record(v16.StatusNotification, nothing),
    record(v16.Authorize, ({ idTag }) => tagInfo(idTag)),
    record(v16.StartTransaction, ({ idTag }) => ({ transactionId: ++lastTransactionId, ...tagInfo(idTag) })),
    record(v16.MeterValues, nothing),
    record(v16.StopTransaction, nothing),
    record(v16.DiagnosticsStatusNotification, nothing),
    record(v16.FirmwareStatusNotification, nothing),
  );

  const system: CentralSystem = {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ocpp`,
    received: [],
    connects: new Map(),
    pings: 0,
    blockedTags: new Set(),
    bootStatus: 'Accepted',
    failures: new Map(),
    password,
    requests: <M extends Message>({ action }: M) =>
      read.filter((one) => one.action === action).map(({ request }) => request as ReadRequestOf<M>),
    actions: () => system.received.map(({ action }) => action),
    link(identity = 'CP1') {
      const link = links.get(identity);
      if (link === undefined) throw new Error(`${identity} is not connected`);
      return link;
    },
    async stop() {
      for (const client of server.clients) client.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  server.on('connection', (socket: WebSocket, request: IncomingMessage) => {
    const identity = identityOf(request);
    system.connects.set(identity, (system.connects.get(identity) ?? 0) + 1);
    socket.on('ping', () => {
      system.pings += 1;
    });
    links.set(identity, createLink(socket, { handlers: table, context: identity }));
  });
  return system;
}

function identityOf({ url = '' }: IncomingMessage): string {
  return decodeURIComponent(url.slice(url.lastIndexOf('/') + 1));
}
