import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { createLink, type Handlers, type LinkEvent, type Protocol, socketOptions } from '@fpay/ocpp';
import type { Logger } from 'pino';
import { type WebSocket, WebSocketServer } from 'ws';
import { isKey } from '../network/charge-point-key.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Outbox } from '../platform/outbox.ts';
import type { RateLimits } from '../platform/rate-limits.ts';
import type { RowLoops } from '../platform/row-loops.ts';
import type { Steps } from '../platform/step.ts';
import type { DeviceStates } from '../stations/device-states.ts';
import { type AdmittedChargePoint, createAdmission } from './admission.ts';
import { createAfterConnect } from './after-connect.ts';
import { createSender } from './commands/sender.ts';
import type { Commands } from './commands/service.ts';
import type { Connection } from './connection.ts';
import { createDeviceEvents } from './device-events.ts';
import { identityOf, passwordOf, protocolOf } from './handshake.ts';
import { createHolders, linkTopic } from './holders.ts';
import { type ChargingHooks, nobodyExpected } from './hooks.ts';
import { countOddities } from './oddities.ts';
import { pacedSteps } from './paced-steps.ts';
import { createRounds } from './rounds.ts';
import { createSamples } from './samples.ts';
import { type Timings, timingsWith } from './timings.ts';
import { createV16 } from './v16/adapter.ts';

export interface GatewayOptions {
  db: Database;
  steps: Steps;
  rows: RowLoops;
  outbox: Outbox;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  limits: RateLimits;
  /** Of this process alone, and of this start of it. */
  nodeId: string;
  /** Keys of charge points are kept as HMAC with it. */
  secret: string;
  deviceStates: DeviceStates;
  commands: Commands;
  hooks?: ChargingHooks;
  /** Behind a proxy: the address the device came from. */
  addressOf?: (request: IncomingMessage) => string;
  timings?: Partial<Timings>;
}

/** A part of the pool's connections: a storm of devices leaves the rest to drivers. */
const stepsAtOnce = 8;

/** The endpoint of charge points: `/ocpp/<identity>`. Holds sockets and nothing else that could not be lost. */
export function createGateway(options: GatewayOptions) {
  const { db, outbox, rows, clock, log, metrics, nodeId, secret, deviceStates, commands } = options;
  const steps = pacedSteps(options.steps, stepsAtOnce);
  const { hooks = nobodyExpected, addressOf = (request) => request.socket.remoteAddress ?? '' } = options;
  const timings = timingsWith(options.timings);

  const connections = new Map<number, Connection>();
  const server = new WebSocketServer({ noServer: true, clientTracking: false, ...socketOptions, handleProtocols });
  const admission = createAdmission({
    db,
    clock,
    limits: options.limits,
    isKey: (presented, hash) => isKey(secret, hash, presented),
  });
  const holders = createHolders({ db, steps, rows, clock, deviceStates, hooks, nodeId, timings });
  const samples = createSamples({ steps, hooks, clock, timings, wakeOutbox: outbox.wake });
  const sender = createSender({
    store: commands.store,
    steps,
    clock,
    log,
    nodeId,
    connectionOf: (id) => connections.get(id),
  });
  const afterConnect = createAfterConnect({
    steps,
    clock,
    db,
    log,
    timings,
    onReady: sender.ready,
  });
  const events = createDeviceEvents({
    steps,
    clock,
    hooks,
    samples,
    timings,
    wakeOutbox: outbox.wake,
    onBooted: afterConnect.booted,
  });
  const adapters: Partial<Record<Protocol, Handlers<Connection>>> = { 'ocpp1.6': createV16(events, clock, timings) };
  const spoken = Object.keys(adapters) as Protocol[];
  const oddities = countOddities(metrics, log, clock);
  const rounds = createRounds({ connections, holders, samples, rows, clock, log, timings, giveUp });
  let isStopping = false;

  metrics.gauge('fpay_ocpp_connections', 'Charge points connected to this node', () => connections.size);
  commands.onQueued((chargePointId) => sender.wake(chargePointId));
  outbox.subscribe(({ topic, ref }) => {
    if (topic === linkTopic) void letGoIfOlder(Number(ref));
  });

  /** ws echoes what is returned; nothing is echoed to a device that offered nothing, or nothing of ours. */
  function handleProtocols(offered: Set<string>): string | false {
    return [...offered].find((word) => spoken.includes(word.toLowerCase() as Protocol)) ?? false;
  }

  function refuse(socket: Duplex, status: string, headers: readonly string[] = []): void {
    socket.end(
      ['HTTP/1.1 ', status, '\r\n', ...headers.map((line) => `${line}\r\n`), 'connection: close\r\n\r\n'].join(''),
    );
  }

  /** Key first, then the epoch, then the upgrade: a stranger never displaces a socket, and no frame comes before its epoch. */
  async function admit(identity: string, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const admitted = await admission.admit(
      identity,
      passwordOf(request.headers.authorization, identity),
      addressOf(request),
    );
    if ('refused' in admitted) {
      if (admitted.refused === 'tooMany') {
        refuse(socket, '429 Too Many Requests', [`retry-after: ${admitted.retryAfter}`]);
      } else {
        refuse(socket, '401 Unauthorized', ['www-authenticate: Basic realm="ocpp"']);
        const { isKnown } = admitted;
        log.warn({ chargePoint: identity, address: addressOf(request), isKnown }, 'charge point refused');
      }
      return;
    }
    const protocol = protocolOf(request, spoken);
    if (protocol === null) {
      // The standard: finish the handshake without the header, then close at once.
      server.handleUpgrade(request, socket, head, (webSocket) => webSocket.close(1002, 'no common sub-protocol'));
      return;
    }
    const opened = await holders.open(admitted.chargePoint.id);
    const lost = { chargePointId: admitted.chargePoint.id, epoch: opened.epoch };
    if (socket.destroyed || isStopping) {
      socket.destroy();
      await holders.lose({ ...lost, heardAt: clock.now().getTime() });
      return;
    }
    server.handleUpgrade(request, socket, head, (webSocket) =>
      take(webSocket, socket, admitted.chargePoint, protocol, opened),
    );
  }

  function take(
    webSocket: WebSocket,
    wire: Duplex,
    { id, identity }: AdmittedChargePoint,
    protocol: Protocol,
    opened: { epoch: number; connectedAt: number; lostAt: number | null },
  ): void {
    const connection: Connection = {
      chargePointId: id,
      identity,
      epoch: opened.epoch,
      protocol,
      connectedAt: opened.connectedAt,
      lostAt: opened.lostAt,
      hasBooted: false,
      isVoid: false,
      isReady: false,
      transactions: null,
      // Set in the next statement: the link hands the connection to its handlers.
      link: undefined as never,
    };
    const handlers = adapters[protocol] as Handlers<Connection>;
    connection.link = createLink(webSocket, { handlers, context: connection, protocol, wire, observe, now });
    const older = connections.get(id);
    if (older && older.epoch > connection.epoch) {
      // Two came at the same moment and this one was overtaken on the way.
      connection.isVoid = true;
      connection.link.close(1000, 'replaced by a newer connection');
      return;
    }
    connections.set(id, connection);
    if (older) displace(older);
    afterConnect.connected(connection);
  }

  const now = () => clock.now().getTime();

  function displace(older: Connection): void {
    older.isVoid = true;
    older.link.close(1000, 'replaced by a newer connection');
    // A line that is dead does not say goodbye back.
    setTimeout(() => older.link.terminate(), 5_000).unref();
  }

  function observe(event: LinkEvent, { context: connection }: { context: Connection }): void {
    oddities(event, connection);
    if (event.kind === 'closed') lose(connection);
  }

  /** Only the newest connection's end counts. An older one that closes late, or never knew, changes nothing. */
  function lose(connection: Connection): void {
    if (connections.get(connection.chargePointId) === connection) connections.delete(connection.chargePointId);
    if (connection.isVoid) return;
    connection.isVoid = true;
    const { chargePointId, epoch } = connection;
    holders.lose({ chargePointId, epoch, heardAt: connection.link.heardAt }).catch((error: unknown) => {
      // The sweep of dead nodes would not find it while this node lives, so it is tried until it is written.
      log.warn({ err: error, chargePoint: connection.identity }, 'a lost connection is not noted yet');
      setTimeout(() => void holders.lose({ chargePointId, epoch, heardAt: now() }).catch(() => {}), 5_000).unref();
    });
  }

  function giveUp(connection: Connection): void {
    log.info({ chargePoint: connection.identity }, 'a silent charge point was given up');
    connection.link.terminate();
    lose(connection);
  }

  async function letGoIfOlder(chargePointId: number): Promise<void> {
    const connection = connections.get(chargePointId);
    if (!connection) return;
    const epoch = await holders.epochOf(chargePointId).catch(() => null);
    if (epoch === null || epoch <= connection.epoch) return;
    connections.delete(chargePointId);
    displace(connection);
  }

  return {
    /** True: the address is a charge point's, and the socket is taken care of. */
    handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
      if (!request.url?.startsWith('/ocpp/')) return false;
      socket.on('error', () => socket.destroy());
      const identity = identityOf(request.url);
      if (identity === null || isStopping) {
        refuse(socket, isStopping ? '503 Service Unavailable' : '404 Not Found');
        return true;
      }
      admit(identity, request, socket, head).catch((error: unknown) => {
        log.warn({ err: error, chargePoint: identity }, 'a charge point could not be let in');
        refuse(socket, '503 Service Unavailable', ['retry-after: 10']);
      });
      return true;
    },
    async start(): Promise<void> {
      await holders.beat();
      rounds.start();
    },
    /** One look at all sockets, as the timer does it. */
    look: rounds.look,
    connections: () => connections.size,
    connectionOf: (chargePointId: number): Connection | undefined => connections.get(chargePointId),
    /** Sockets are closed, what arrived is written, and the node's name is taken off everything it held. */
    async stop(): Promise<void> {
      isStopping = true;
      rounds.stop();
      const ending = [...connections.values()];
      for (const connection of ending) connection.link.close(1001, 'the server is going down');
      await Promise.all(ending.map((connection) => quiet(connection)));
      await events.drain();
      for (const connection of ending) {
        lose(connection);
        connection.link.terminate();
      }
      await sender.idle();
      await holders.leave();
    },
  };
}

export type Gateway = ReturnType<typeof createGateway>;

/** Up to a second for the messages that are being handled. */
async function quiet({ link }: Connection): Promise<void> {
  for (let tries = 0; tries < 20 && link.openInbound > 0; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
