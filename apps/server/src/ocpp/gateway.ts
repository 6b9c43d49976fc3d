import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { createLink, type Handlers, type LinkEvent, type Protocol, socketOptions } from '@fpay/ocpp';
import type { Logger } from 'pino';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Outbox } from '../platform/outbox.ts';
import type { RateLimits } from '../platform/rate-limits.ts';
import type { RowLoops } from '../platform/rows/row-loops.ts';
import type { Steps } from '../platform/step.ts';
import { limitSteps } from '../platform/step-limit.ts';
import type { Metrics } from '../platform/watching/metrics.ts';
import { noTracing, type Tracing } from '../platform/watching/tracing.ts';
import type { DeviceStates } from '../stations/device-states.ts';
import { createSender } from './commands/sender.ts';
import type { Commands } from './commands/service.ts';
import type { Wishes } from './commands/wishes.ts';
import { type AdmittedChargePoint, createAdmission } from './connections/admission.ts';
import { createAfterConnect } from './connections/after-connect.ts';
import { isKey } from './connections/charge-point-key.ts';
import { clientCertificateOf } from './connections/client-certificate.ts';
import { withoutPasswords } from './connections/device-passwords.ts';
import { echoOf, identityOf, passwordOf, protocolOf, refuseKey, refuseUpgrade } from './connections/handshake.ts';
import { createKeepalive } from './connections/keepalive.ts';
import { createLinkMetrics } from './connections/link-metrics.ts';
import { createMessageLog } from './connections/message-log.ts';
import { createRefusedConnections } from './connections/refused-connections.ts';
import { createSocketOwners } from './connections/socket-owners.ts';
import { tracedHandlers } from './connections/traced-handlers.ts';
import { createUnsteadyLinks } from './connections/unsteady-links.ts';
import { type ChargingPort, noCharging } from './device/charging-port.ts';
import { type DeviceConnection, messagesHandled } from './device/connection.ts';
import { createSamples } from './metering/samples.ts';
import { type Timings, timingsWith } from './timings.ts';
import { createDeviceEvents } from './transactions/device-events.ts';
import { createV16 } from './v16/adapter.ts';

/** The charge points' sockets on this node. */
export interface Gateway {
  /** True when the address is a charge point's; the gateway then handles the socket. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  start(): Promise<void>;
  /** One check of all sockets, as the timer does it. */
  look(): void;
  connections(): number;
  connectionOf(chargePointId: number): DeviceConnection | undefined;
  /** Closes the sockets, writes what has arrived, and releases everything that this node held. */
  stop(): Promise<void>;
}

export interface GatewayOptions {
  db: Database;
  steps: Steps;
  rows: RowLoops;
  outbox: Outbox;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  limits: RateLimits;
  tracing?: Tracing;
  /** The id of this process and of this start of it. */
  nodeId: string;
  /** The hashes of charge-point keys are HMACs with it. */
  secret: string;
  deviceStates: DeviceStates;
  commands: Commands;
  wishes: Pick<Wishes, 'connected'>;
  hooks?: ChargingPort;
  /** Behind a proxy: the address of the device. */
  addressOf?: (request: IncomingMessage) => string;
  timings?: Partial<Timings>;
  /** Whether messages are kept for staff. Only a bench turns it off. */
  keepsMessages?: boolean;
}

/** Only a part of the pool's connections, so that a storm of devices leaves the rest to drivers. */
const stepsAtOnce = 8;
/** The database was away; a failover takes seconds. */
const lossRetryMs = 5_000;

/** The endpoint of charge points: `/ocpp/<identity>`. It holds sockets and no other state that must not be lost. */
export function createGateway(options: GatewayOptions): Gateway {
  const { db, outbox, rows, clock, log, metrics, nodeId, secret, deviceStates, commands, wishes } = options;
  const steps = limitSteps(options.steps, stepsAtOnce);
  const {
    hooks = noCharging,
    tracing = noTracing,
    addressOf = (request) => request.socket.remoteAddress ?? '',
  } = options;
  const timings = timingsWith(options.timings);
  const refusals = createRefusedConnections({ db, clock, log });
  const unsteadyLinks = createUnsteadyLinks({ steps, clock, log });
  const messageLog = options.keepsMessages === false ? null : createMessageLog({ db, clock, log });
  const connections = new Map<number, DeviceConnection>();
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    ...socketOptions,
    handleProtocols: (offered) => echoOf(offered, supported),
  });
  const isOurKey = (presented: Buffer, hash: Buffer) => isKey(secret, hash, presented);
  const admission = createAdmission({ db, clock, limits: options.limits, isKey: isOurKey });
  const socketOwners = createSocketOwners({ db, steps, rows, clock, deviceStates, hooks, wishes, nodeId, timings });
  const samples = createSamples({ steps, hooks, clock, timings, wakeOutbox: outbox.wake });
  const connectionOf = (id: number) => connections.get(id);
  const shared = { db, steps, clock, log, timings };
  const sender = createSender({ ...shared, store: commands.store, nodeId, tracing, connectionOf });
  const afterConnect = createAfterConnect({ ...shared, onMaySend: sender.maySend });
  const onBooted = afterConnect.booted;
  const events = createDeviceEvents({ ...shared, hooks, samples, wakeOutbox: outbox.wake, onBooted });
  const adapters: Partial<Record<Protocol, Handlers<DeviceConnection>>> = {
    'ocpp1.6': tracedHandlers(createV16(events, clock, timings), tracing),
  };
  const supported = Object.keys(adapters) as Protocol[];
  const oddities = createLinkMetrics(metrics, log, clock);
  const keepalive = createKeepalive({ connections, socketOwners, samples, rows, clock, log, timings, giveUp });
  let isStopping = false;

  metrics.gauge('fpay_ocpp_connections', 'Charge points connected to this node', () => connections.size);
  commands.onQueued((chargePointId) => sender.wake(chargePointId));
  outbox.subscribe('charge-point-link', (ref) => void letGoIfOlder(Number(ref)));

  /**
   * The key is checked first, then the epoch is taken, then the socket is upgraded. A stranger therefore never
   * displaces a socket, and no frame arrives before its epoch.
   */
  async function admit(identity: string, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const address = addressOf(request);
    const password = passwordOf(request.headers.authorization, identity);
    const certificate = clientCertificateOf(socket);
    const admitted = await admission.admit({ identity, password, certificate, address });
    if ('refused' in admitted) {
      if (admitted.refused === 'tooMany') {
        refuseUpgrade(socket, '429 Too Many Requests', [`retry-after: ${admitted.retryAfter}`]);
      } else {
        refuseKey(socket, request, supported);
        const { reason } = admitted;
        log.warn({ chargePoint: identity, address, reason }, 'charge point refused');
        refusals.note({ identity, address, reason });
      }
      return;
    }
    const protocol = protocolOf(request, supported);
    if (protocol === null) {
      refusals.note({ identity, address, reason: 'no_subprotocol' });
      // The standard requires to finish the handshake without the header and then to close at once.
      server.handleUpgrade(request, socket, head, (webSocket) => webSocket.close(1002, 'no common sub-protocol'));
      return;
    }
    const opened = await socketOwners.open(admitted.chargePoint.id);
    const lost = { chargePointId: admitted.chargePoint.id, epoch: opened.epoch };
    if (socket.destroyed || isStopping) {
      socket.destroy();
      await socketOwners.lose({ ...lost, lastFrameAt: clock.now().getTime() });
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
    const connection: DeviceConnection = {
      chargePointId: id,
      identity,
      epoch: opened.epoch,
      protocol,
      connectedAt: opened.connectedAt,
      lostAt: opened.lostAt,
      hasBooted: false,
      isVoid: false,
      isReady: false,
      takesStops: false,
      transactions: null,
      // Set in the next statement, because the link passes the connection to its handlers.
      link: undefined as never,
    };
    const handlers = adapters[protocol] as Handlers<DeviceConnection>;
    connection.link = createLink(webSocket, {
      handlers,
      context: connection,
      protocol,
      wire,
      observe,
      now,
      answered: withoutPasswords,
      ...messageLog?.link,
    });
    const older = connections.get(id);
    unsteadyLinks.opened(id, { epoch: opened.epoch, isReplacing: older !== undefined });
    if (older && older.epoch > connection.epoch) {
      // Two connections came at the same time, and a newer one has replaced this one already.
      connection.isVoid = true;
      connection.link.close(1000, 'replaced by a newer connection');
      return;
    }
    connections.set(id, connection);
    if (older) displace(older);
    afterConnect.connected(connection);
  }

  const now = () => clock.now().getTime();

  function displace(older: DeviceConnection): void {
    older.isVoid = true;
    refusals.note({ identity: older.identity, address: '', reason: 'replaced' });
    older.link.close(1000, 'replaced by a newer connection');
    // A dead connection does not answer the close.
    setTimeout(() => older.link.terminate(), 5_000).unref();
  }

  function observe(event: LinkEvent, { context: connection }: { context: DeviceConnection }): void {
    oddities(event, connection);
    if (event.kind === 'closed') lose(connection);
  }

  /** Only the end of the newest connection counts. An older one that closes late changes nothing. */
  function lose(connection: DeviceConnection): void {
    if (connections.get(connection.chargePointId) === connection) connections.delete(connection.chargePointId);
    if (connection.isVoid) return;
    connection.isVoid = true;
    const { chargePointId, epoch } = connection;
    recordLoss({ chargePointId, epoch, lastFrameAt: connection.link.heardAt });
  }

  /** Repeated until it is written, because the sweep of dead nodes does not find it while this node lives. */
  function recordLoss(lost: Parameters<typeof socketOwners.lose>[0]): void {
    socketOwners.lose(lost).catch((error: unknown) => {
      log.warn({ err: error, chargePointId: lost.chargePointId }, 'connection loss unrecorded');
      if (!isStopping) setTimeout(recordLoss, lossRetryMs, lost).unref();
    });
  }

  function giveUp(connection: DeviceConnection): void {
    log.info({ chargePoint: connection.identity }, 'charge point timed out');
    connection.link.terminate();
    lose(connection);
  }

  async function letGoIfOlder(chargePointId: number): Promise<void> {
    const connection = connections.get(chargePointId);
    if (!connection) return;
    const epoch = await socketOwners.epochOf(chargePointId).catch(() => null);
    if (epoch === null || epoch <= connection.epoch) return;
    connections.delete(chargePointId);
    displace(connection);
  }

  return {
    handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
      if (!request.url?.startsWith('/ocpp/')) return false;
      socket.on('error', () => socket.destroy());
      const identity = identityOf(request.url);
      if (identity === null || isStopping) {
        refuseUpgrade(socket, isStopping ? '503 Service Unavailable' : '404 Not Found');
        return true;
      }
      admit(identity, request, socket, head).catch((error: unknown) => {
        log.warn({ err: error, chargePoint: identity }, 'charge point admission failed');
        refuseUpgrade(socket, '503 Service Unavailable', ['retry-after: 10']);
      });
      return true;
    },
    async start(): Promise<void> {
      await socketOwners.beat();
      keepalive.start();
    },
    look: keepalive.look,
    connections: () => connections.size,
    connectionOf,
    async stop(): Promise<void> {
      isStopping = true;
      keepalive.stop();
      const ending = [...connections.values()];
      for (const connection of ending) connection.link.close(1001, 'the server is going down');
      await Promise.all(ending.map(messagesHandled));
      await events.drain();
      for (const connection of ending) {
        lose(connection);
        connection.link.terminate();
      }
      await sender.idle();
      await messageLog?.drain();
      await refusals.drain();
      await socketOwners.leave();
    },
  };
}
