import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getOperation, newPayment, type Operation } from '@fpay/contract/charging';
import type { ConnectorType } from '@fpay/contract/connectors';
import { kopecks, watts } from '@fpay/contract/money';
import { createSandbox } from '@fpay/sandbox';
import type { Clock as SandboxClock } from '@fpay/sandbox/src/clock.ts';
import { createSimulatedChargePoint } from '@fpay/simulator';
import { createClock, type Clock as SimulatorClock } from '@fpay/simulator/src/clock.ts';
import type { Behaviour, ScenarioName } from '@fpay/simulator/src/scenario.ts';
import { expect, vi } from 'vitest';
import { createChargePointRegistry } from '../network/charge-points.ts';
import { paymentRules } from '../payments/nightly/ledger-rules.ts';
import { checkLedger, ledgerRules } from '../wallet/check.ts';
import type { Client } from './client.ts';
import { createScriptedDevice, type ScriptedDevice } from './scripted-device.ts';
import { freeTestPort, startTestServer, type TestServerOptions } from './server.ts';
import { createTimeline } from './timeline.ts';

export interface StationOptions {
  type?: ConnectorType;
  powerW?: number;
  price?: number;
  scenario?: ScenarioName;
  speed?: number;
  /** A clock shared with other parts, instead of a separate speed. */
  clock?: SimulatorClock;
  behaviour?: Partial<Behaviour>;
  connectors?: number;
}

interface ScriptedStation {
  device: ScriptedDevice;
  number: string;
  connector: number;
  connectors: number[];
  connect(at?: string): Promise<ScriptedDevice>;
  url: string;
  identity: string;
  password: string;
}

/** The whole product with the sandbox's bank and simulated charge points, all over real sockets. */
export async function startStack(options: TestServerOptions & { sandboxClock?: SandboxClock } = {}) {
  const sandboxPort = await freeTestPort();
  const dir = mkdtempSync(join(tmpdir(), 'fpay-stack-'));
  const { sandboxClock } = options;
  const sandbox = await createSandbox({ dataDir: dir, ...(sandboxClock && { clock: sandboxClock }) });
  await sandbox.listen({ port: sandboxPort, host: '127.0.0.1' });
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  const bankUrl = `${sandboxUrl}/bank`;
  // SMS and Telegram are the sandbox's too.
  const env = { SANDBOX_PORT: String(sandboxPort), ...options.env, BANK_URL: bankUrl };
  const server = await startTestServer({ ...options, env });
  const { clock } = server;
  const registry = createChargePointRegistry({ ...server, secret: server.config.secret });
  const started: { stop(): void }[] = [];
  let count = 0;
  let giverId: number | undefined;
  /** Staff may credit only other users, so a separate staff account does it. */
  const giver = async () => {
    giverId ??= (await server.addUser('Admin')).id;
    return giverId;
  };

  return {
    ...server,
    sandboxUrl,
    bankUrl,
    giver,

    /** A station with its charge point, online, with a car plugged in at connector 1. */
    async addStation({
      type = 'ccstype2',
      powerW = 60_000,
      price = 15_00,
      scenario = 'normal',
      speed = 60,
      clock = createClock({ speed }),
      behaviour = {},
      connectors = 1,
    }: StationOptions = {}) {
      count += 1;
      const added = await registry.add({
        identity: `CP-${count}`,
        station: `F${2000 + count}`,
        connectors: Array.from({ length: connectors }, () => ({ type, power: watts(powerW), price: kopecks(price) })),
      });
      const device = createSimulatedChargePoint({
        url: `ws://127.0.0.1:${server.port}/ocpp`,
        identity: added.identity,
        password: added.password,
        connectors: added.connectors.map(({ api_address }) => ({ id: Number(api_address), type, powerW })),
        scenario,
        behaviour,
        clock,
      });
      started.push(device);
      device.start();
      const ids = added.connectors.map(({ id }) => id);
      return { device, number: added.station, connector: ids[0] ?? 0, connectors: ids };
    },

    /** A station whose device does only what the test says; connected, with its first connector ready. */
    async addScripted({
      type = 'ccstype2',
      powerW = 60_000,
      price = 15_00,
      connectors = 1,
    }: Pick<StationOptions, 'type' | 'powerW' | 'price' | 'connectors'> = {}): Promise<ScriptedStation> {
      count += 1;
      const added = await registry.add({
        identity: `CP-${count}`,
        station: `F${2000 + count}`,
        connectors: Array.from({ length: connectors }, () => ({ type, power: watts(powerW), price: kopecks(price) })),
      });
      const url = `ws://127.0.0.1:${server.port}/ocpp`;
      const connect = async (at = url) => {
        const device = createScriptedDevice({ url: at, identity: added.identity, password: added.password, clock });
        started.push({ stop: () => void device.close() });
        await device.connect();
        return device;
      };
      const device = await connect();
      for (const { api_address } of added.connectors) await device.status(Number(api_address), 'Preparing');
      const ids = added.connectors.map(({ id }) => id);
      const { identity, password } = added;
      return {
        device,
        number: added.station,
        connector: ids[0] ?? 0,
        connectors: ids,
        connect,
        url,
        identity,
        password,
      };
    },

    /** A running charge at a scripted station whose meter started at `meterStart`. */
    async startCharge(deposit = '150', meterStart = 1_000, place: Parameters<typeof this.addScripted>[0] = {}) {
      return this.startChargeAt(await this.addScripted(place), deposit, meterStart);
    },

    async startChargeAt(station: ScriptedStation, deposit = '150', meterStart = 1_000) {
      const asked = await this.askedToStartAt(station, deposit);
      const { transactionId, idTagInfo } = await asked.device.start(1, asked.idTag, meterStart);
      expect(idTagInfo.status).toBe('Accepted');
      await this.until(asked.client, asked.id, 'ongoing');
      return { ...asked, transactionId };
    },

    /** A driver with a secured deposit at a scripted station that has received the start command. */
    async askedToStart(deposit = '150', place: Parameters<typeof this.addScripted>[0] = {}) {
      return this.askedToStartAt(await this.addScripted(place), deposit);
    },

    async askedToStartAt(station: ScriptedStation, deposit = '150') {
      const driver = await this.driver(1000_00);
      const { body } = await this.pay(driver.client, { connector: station.connector, amount: deposit });
      const { idTag } = await station.device.asked('RemoteStartTransaction');
      const id = Number(body.page_url.slice(2));
      return { ...station, client: driver.client, userId: driver.id, id, idTag: String(idTag) };
    },

    async plugIn(
      station: { device: ReturnType<typeof createSimulatedChargePoint>; connector: number },
      ocppConnector = 1,
    ): Promise<void> {
      station.device.plug(ocppConnector);
      await vi.waitFor(
        async () => {
          const row = await server.db
            .selectFrom('connectors')
            .select('ocpp_status')
            .where('id', '=', station.connector)
            .executeTakeFirst();
          expect(row?.ocpp_status).toBe('Preparing');
        },
        { timeout: 15_000, interval: 50 },
      );
    },

    /** A signed-in driver with money on the balance. */
    async driver(balance = 0, role: 'User' | 'Guest' = 'User') {
      const driver = await server.signedIn(role);
      if (balance > 0) {
        const money = {
          staff: await giver(),
          user: driver.id,
          amount: kopecks(balance),
          requestKey: `test:${driver.id}`,
        };
        await server.staffMoney.increase(money);
      }
      return driver;
    },

    async pay(
      client: Client,
      body: { connector: number; amount: string; payment_type?: 'card' | 'balance'; target?: 'kwh' | 'uah' },
    ) {
      return client.call(newPayment, { body: { payment_type: 'balance', target: 'uah', ...body } });
    },

    /** The driver pays on the bank's page. */
    async payAtBank(pageUrl: string, how: 'pay' | 'decline' | 'cancel' = 'pay'): Promise<void> {
      const invoice = new URL(pageUrl).pathname.split('/').at(-1);
      const answer = await fetch(`${bankUrl}/invoices/${invoice}/${how}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      });
      expect(answer.status).toBeLessThan(300);
    },

    /** The bank's record of the payment. */
    async atBank(pageUrl: string): Promise<{ status: string; finalAmount: number; createdDate: string }> {
      const answer = await fetch(`${bankUrl}/invoices/${new URL(pageUrl).pathname.split('/').at(-1)}`);
      return answer.json() as never;
    },

    /** Sets how the bank behaves from here on; null for the usual behaviour. */
    async switchBank(switches: Record<string, unknown>): Promise<void> {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${bankUrl}/switches`, { method: 'POST', headers, body: JSON.stringify(switches) });
      expect(answer.status).toBeLessThan(300);
    },

    async until(client: Client, id: number, status: Operation['status'], timeout = 20_000): Promise<Operation> {
      return vi.waitFor(
        async () => {
          const { body } = await client.call(getOperation, { params: { id: String(id) } });
          expect(body.status).toBe(status);
          return body;
        },
        { timeout, interval: 100 },
      );
    },

    /** Checks that the ledger and the bank agree to the kopeck. */
    async checkBooks(): Promise<void> {
      expect(await checkLedger(server.db, [...ledgerRules, ...paymentRules])).toEqual([]);
    },

    async close(): Promise<void> {
      for (const device of started) device.stop();
      await server.close();
      await sandbox.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

export type Stack = Awaited<ReturnType<typeof startStack>>;

/** Longer than a test runs, and short enough for a timer. */
const neverMs = 2 ** 31 - 1;

/**
 * A stack whose time a test moves ahead instead of setting rows back. No device speaks during a jump, so open sockets are not
 * checked for silence; a charge point whose socket is closed still goes offline by this clock, as soon as a node looks.
 */
export async function startMovedStack(options: Omit<TestServerOptions, 'clock'> = {}) {
  const { server: clock, sandbox: sandboxClock, ahead } = createTimeline();
  const timings = { tickMs: neverMs, nodeHeartbeatMs: 250, ...options.timings };
  return { ...(await startStack({ ...options, clock, sandboxClock, timings })), ahead };
}

export type MovedStack = Awaited<ReturnType<typeof startMovedStack>>;
