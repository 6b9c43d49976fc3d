import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OperationStatus } from '@fpay/contract/charging';
import { RPCClient } from 'ocpp-rpc';
import { pino } from 'pino';
import { expect } from 'vitest';
import { operationProgressUpdate, writeLastReading } from '../../charging/lifecycle/operation-progress.ts';
import { usualRetention } from '../../config/settings/retention.ts';
import { createAudit } from '../../platform/audit.ts';
import { type Clock, systemClock } from '../../platform/clock.ts';
import { openPlatform } from '../../platform/platform.ts';
import { createDeviceStates } from '../../stations/device-states.ts';
import { testDatabase } from '../../testing/database.ts';
import type { CommandOutcome } from '../commands/command.ts';
import type { WishRules } from '../commands/wishes.ts';
import { keyHash, newKey } from '../connections/charge-point-key.ts';
import {
  type ChargeReading,
  type ChargingPort,
  type EndedTransaction,
  noCharging,
  type OperationTerms,
  type StartedTransaction,
} from '../device/charging-port.ts';
import { createOcpp } from '../feature.ts';
import type { Timings } from '../timings.ts';

export const gatewaySecret = 'a secret of charge-point keys in tests';
/** Long enough that the gateway sends nothing by itself, unless a test is about that. */
const calm: Partial<Timings> = { quietMs: 60_000, settleMs: 60_000 };

export interface GatewayFixtureOptions {
  database?: Awaited<ReturnType<typeof testDatabase>>;
  clock?: Clock;
  hooks?: Partial<ChargingPort>;
  timings?: Partial<Timings>;
  nodeId?: string;
  /** What is decided about the wishes of devices; by default nothing ever. */
  wishes?: Partial<WishRules>;
}

/** Charging as the gateway sees it: which operations it expects, and everything that was reported to it. */
export function fakeCharging(overrides: Partial<ChargingPort> = {}) {
  const expected = new Map<string, number>();
  const started: StartedTransaction[] = [];
  const ended: EndedTransaction[] = [];
  const reckoned: (OperationTerms & ChargeReading)[] = [];
  const changes: { kind: string; ids: readonly number[] }[] = [];
  const hooks: ChargingPort = {
    ...noCharging,
    authorize: async (_step, { idTag }) => (expected.has(idTag) ? 'Accepted' : 'Invalid'),
    async transactionStarted(_step, transaction) {
      started.push(transaction);
      const operationId = expected.get(transaction.idTag) ?? null;
      return { operationId, status: operationId === null ? 'Invalid' : 'Accepted' };
    },
    priceReading(terms, reading) {
      reckoned.push({ ...terms, ...reading });
      return { total: 0, realTotal: 0, isAtLimit: false, stopAt: null, nextAt: null };
    },
    operationUpdate: operationProgressUpdate,
    lastReading: writeLastReading,
    transactionEnded: async (_step, transaction) => void ended.push(transaction),
    chargePointsConnected: async () => {},
    chargePointsOnline: async (_step, ids) => void changes.push({ kind: 'online', ids }),
    chargePointsOffline: async (_step, ids) => void changes.push({ kind: 'offline', ids }),
    ...overrides,
  };
  return { hooks, expected, started, ended, reckoned, changes };
}

/** A gateway on its own port with everything real around it except charging. */
export async function startGateway(options: GatewayFixtureOptions = {}) {
  const { clock = systemClock, nodeId = `node-${randomBytes(4).toString('hex')}` } = options;
  const database = options.database ?? (await testDatabase());
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' });
  const { platform, close: closePlatform } = openPlatform({ databaseUrl: database.appUrl, log, clock, poolSize: 8 });
  const { db, steps, outbox, dueWork, metrics } = platform;
  const charging = fakeCharging(options.hooks);
  const outcomes: CommandOutcome[] = [];
  const ocpp = createOcpp({
    ...platform,
    outcomes: { charging: async (_step, outcome) => void outcomes.push(outcome) },
    wishes: () => ({
      stop: { decide: async () => 'keep' },
      profile: { decide: async () => 'keep' },
      ...options.wishes,
    }),
    nodeId,
    secret: gatewaySecret,
    takesCertificates: false,
    audit: createAudit(clock),
    deviceStates: createDeviceStates(),
    retention: usualRetention,
    timings: { ...calm, ...options.timings },
  });
  const { commands, stuckConnectors: stuck } = ocpp;
  const gateway = ocpp.createGateway(charging.hooks);
  const server = createServer();
  server.on('upgrade', (request, socket, head) => {
    if (!gateway.handleUpgrade(request, socket, head)) socket.end('HTTP/1.1 404 Not Found\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  await outbox.start();
  await gateway.start();
  dueWork.start();
  const { port } = server.address() as AddressInfo;
  const clients: RPCClient[] = [];

  return {
    ...charging,
    db,
    steps,
    outbox,
    dueWork,
    commands,
    wishes: ocpp.wishes,
    outcomes,
    stuck,
    gateway,
    metrics,
    database,
    nodeId,
    port,
    url: `ws://127.0.0.1:${port}/ocpp`,

    /** A charge point with its station; `connectors` are their rated watts. */
    async addChargePoint({ connectors = [60_000], identity = `CP-${randomBytes(4).toString('hex')}` } = {}) {
      const key = newKey();
      const now = clock.now();
      const chargePoint = await db
        .insertInto('charge_points')
        .values({ identity, key_hash: keyHash(gatewaySecret, key), created_at: now })
        .returning('id')
        .executeTakeFirstOrThrow();
      const station = await db
        .insertInto('stations')
        .values({ number: `F${identity}`, address: 'A', address_uk: 'А', lat: 48.46, lon: 35.04, created_at: now })
        .returning('id')
        .executeTakeFirstOrThrow();
      const rows = await db
        .insertInto('connectors')
        .values(
          connectors.map((power_w, index) => ({
            station_id: station.id,
            charge_point_id: chargePoint.id,
            ocpp_connector: index + 1,
            type: 'ccstype2',
            power_w,
          })),
        )
        .returning('id')
        .execute();
      return {
        id: chargePoint.id,
        identity,
        key,
        password: key.toString('hex'),
        stationId: station.id,
        connectorIds: rows.map(({ id }) => id),
      };
    },

    /** An operation that waits for its start on this connector; charging knows its tag. */
    async addOperation(
      chargePoint: { id: number; stationId: number },
      connectorId: number,
      status: OperationStatus = 'ongoing',
    ) {
      const tag = randomBytes(8).toString('hex').toUpperCase();
      const user = await db
        .insertInto('users')
        .values({ name: 'A driver', phone_number: `+38067${tag.slice(0, 9)}`, created_at: clock.now() })
        .returning('id')
        .executeTakeFirstOrThrow();
      const operation = await db
        .insertInto('operations')
        .values({
          user_id: user.id,
          station_id: chargePoint.stationId,
          connector_id: connectorId,
          charge_point_id: chargePoint.id,
          status,
          payment_type: 'bank',
          target: 'uah',
          price: 15_00,
          deposit: 300_00,
          energy_limit_wh: 20_000,
          id_tag: tag,
          created_at: clock.now(),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      charging.expected.set(tag, operation.id);
      return { id: operation.id, tag };
    },

    /** An independent implementation as the charge point. It is connected when this resolves. */
    async connect(chargePoint: { identity: string; password: string }, more: Record<string, unknown> = {}) {
      const client = new RPCClient({
        endpoint: `ws://127.0.0.1:${port}/ocpp`,
        identity: chargePoint.identity,
        password: chargePoint.password,
        protocols: ['ocpp1.6'],
        reconnect: false,
        callTimeoutMs: 10_000,
        ...more,
      } as ConstructorParameters<typeof RPCClient>[0]);
      clients.push(client);
      await client.connect();
      return client;
    },

    async boot(client: RPCClient, firmwareVersion = '1.0'): Promise<Record<string, unknown>> {
      const boot = { chargePointVendor: 'Vendor', chargePointModel: 'Model', firmwareVersion };
      return (await client.call('BootNotification', boot)) as Record<string, unknown>;
    },

    transaction: (id: number) =>
      db.selectFrom('ocpp_transactions').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    transactionsOf: (chargePointId: number) =>
      db
        .selectFrom('ocpp_transactions')
        .selectAll()
        .where('charge_point_id', '=', chargePointId)
        .orderBy('id')
        .execute(),
    operation: (id: number) => db.selectFrom('operations').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    samplesOf: (id: number) =>
      db.selectFrom('meter_samples').selectAll().where('ocpp_transaction_id', '=', id).orderBy('sampled_at').execute(),
    async anomaliesOf(chargePointId: number): Promise<string[]> {
      const rows = await db
        .selectFrom('charge_point_anomalies')
        .select('kind')
        .where('charge_point_id', '=', chargePointId)
        .orderBy('id')
        .execute();
      return rows.map(({ kind }) => kind);
    },
    chargePoint: (id: number) =>
      db.selectFrom('charge_points').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    link: (id: number) =>
      db.selectFrom('charge_point_links').selectAll().where('charge_point_id', '=', id).executeTakeFirstOrThrow(),

    async stop(): Promise<void> {
      for (const client of clients) await client.close({ force: true } as never).catch(() => {});
      await gateway.stop();
      await dueWork.stop();
      await outbox.stop();
      await closePlatform();
      await new Promise((resolve) => server.close(resolve));
      if (!options.database) await database.drop();
    },
  };
}

export type GatewayFixture = Awaited<ReturnType<typeof startGateway>>;

/** One reading of the import register, as most devices send it. */
export function reading(at: Date | string, register: number | string, more: Record<string, unknown> = {}) {
  const timestamp = typeof at === 'string' ? at : at.toISOString();
  return { timestamp, sampledValue: [{ value: String(register), unit: 'Wh', ...more }] };
}

export async function eventually(check: () => unknown | Promise<unknown>): Promise<void> {
  await expect.poll(check, { timeout: 10_000, interval: 20 }).toBeTruthy();
}

export const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);

/** The device's answer to each of our calls; throwing makes a CALLERROR, a promise that stays open is silence. */
export function answerCalls(
  client: RPCClient,
  answer: (action: string, payload: Record<string, string>) => object | Promise<object>,
): void {
  const handle = async ({ method, params }: { method: string; params: Record<string, string> }) =>
    answer(method, params);
  client.handle(handle as never);
}
