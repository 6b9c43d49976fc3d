import { StatusNotification } from '@fpay/ocpp/v16/status-notification';
import { type Car, randomCar } from './car.ts';
import type { StoredProfile } from './charging-limit.ts';
import { type Clock, createClock, type Timer } from './clock.ts';
import { Configuration } from './configuration.ts';
import type { DeviceTls } from './connection.ts';
import { Connector, type ConnectorSpec } from './connector.ts';
import type { Device } from './device.ts';
import { createRandom, type Random } from './random.ts';
import { startWhenReady, type TapOutcome, tap } from './reader.ts';
import { type Behaviour, behaviourOf, type ScenarioName } from './scenario.ts';
import { TransactionQueue } from './transaction-queue.ts';
import { end, scheduleFaults } from './transactions.ts';
import { Uplink } from './uplink.ts';
import { type ChargePointView, view } from './view.ts';

export interface ChargePointOptions {
  /** The address to which the identity is appended: `ws://host:port/ocpp`. */
  url: string;
  identity: string;
  password?: string;
  tls?: DeviceTls;
  connectors: readonly ConnectorSpec[];
  scenario?: ScenarioName;
  /** Differences from the scenario. */
  behaviour?: Partial<Behaviour>;
  /** The station number that drivers see, and the address; both are only shown to people. */
  station?: string;
  address?: string;
  clock?: Clock;
  random?: Random;
  /** Configuration keys that differ from the factory values. */
  configuration?: Readonly<Record<string, string>>;
}

/** An action of a person at the charge point that is not possible now. */
export class NotPossible extends Error {}

/** How long a soft reset waits for answers to its last messages. */
const SOFT_RESET_TIMEOUT_MS = 10_000;

export function createSimulatedChargePoint(options: ChargePointOptions): ChargePoint {
  return new ChargePoint(options);
}

/**
 * A charge point: connectors with cars and meters, a card reader, an offline queue, and a connection to its central
 * system.
 */
export class ChargePoint implements Device {
  readonly identity: string;
  readonly station: string;
  readonly address: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly configuration: Configuration;
  readonly connectors: readonly Connector[];
  readonly queue: TransactionQueue;
  readonly uplink: Uplink;
  profiles: StoredProfile[] = [];
  scenario: ScenarioName;
  behaviour: Behaviour;
  password: string;
  readonly tls: DeviceTls | undefined;

  readonly #timers = new Set<Timer>();
  readonly #listeners = new Set<() => void>();

  constructor(options: ChargePointOptions) {
    const { identity, connectors, scenario = 'normal' } = options;
    this.identity = identity;
    this.station = options.station ?? identity;
    this.address = options.address ?? '';
    this.password = options.password ?? '';
    this.tls = options.tls;
    this.scenario = scenario;
    this.behaviour = { ...behaviourOf(scenario), ...options.behaviour };
    this.clock = options.clock ?? createClock();
    const random = options.random ?? createRandom(identity);
    this.random = random;
    this.configuration = new Configuration(
      connectors.length,
      options.configuration,
      this.behaviour.profiles !== 'none',
    );
    // Registers count for life, so each connector starts at another value.
    this.connectors = connectors.map((spec) => new Connector(spec, Math.round(random.between(10_000, 9_000_000))));
    for (const connector of this.connectors) connector.isFaulted = this.behaviour.isFaulted;
    this.uplink = new Uplink(this, options.url);
    this.queue = new TransactionQueue({
      clock: this.clock,
      send: (action, payload) => this.uplink.callUnchecked(action, payload),
      isOnline: () => this.uplink.isOnline,
      attempts: () => this.configuration.number('TransactionMessageAttempts'),
      retryIntervalMs: () => this.configuration.ms('TransactionMessageRetryInterval'),
      repeats: () => this.behaviour.repeatsMessages,
    });
  }

  start(): void {
    if (!this.behaviour.isOffline) this.uplink.connect();
  }

  /** Switches it off permanently. */
  stop(): void {
    this.uplink.close();
    this.queue.stop();
    for (const timer of [...this.#timers]) timer.cancel();
    this.#listeners.clear();
  }

  connector(id: number): Connector {
    const connector = this.connectors.find(({ spec }) => spec.id === id);
    if (connector === undefined) throw new NotPossible(`${this.identity} has no connector ${id}`);
    return connector;
  }

  /** `isHidden`: the car is behind a passive adapter, so the charge point does not detect it before it charges. */
  plug(id: number, { car, isHidden = false }: { car?: Car | undefined; isHidden?: boolean } = {}): void {
    const connector = this.connector(id);
    if (connector.car !== null) throw new NotPossible('a car is plugged in already');
    connector.car = car ?? randomCar(this.random);
    connector.isHidden = isHidden;
    connector.isUnplugPending = false;
    this.changed();
    startWhenReady(this, connector);
  }

  unplug(id: number): void {
    const connector = this.connector(id);
    if (connector.car === null) throw new NotPossible('no car is plugged in');
    const endsCharge = this.configuration.flag('StopTransactionOnEVSideDisconnect');
    if (connector.transaction !== null && endsCharge) end(this, connector, 'EVDisconnected');
    connector.car = null;
    connector.isHidden = false;
    connector.isUnplugPending = false;
    this.changed();
  }

  tap(card: string, connectorId?: number): Promise<TapOutcome> {
    return tap(this, card, connectorId);
  }

  /**
   * Changes the behaviour from now on. Faults that a scenario schedules for a transaction also apply to a running one.
   */
  setScenario(name: ScenarioName): void {
    this.scenario = name;
    this.behaviour = behaviourOf(name);
    for (const connector of this.connectors) {
      if (this.behaviour.isFaulted) end(this, connector, 'Other');
      connector.isFaulted = this.behaviour.isFaulted;
      if (connector.transaction !== null) scheduleFaults(this, connector, connector.transaction);
    }
    if (this.behaviour.isOffline) this.uplink.cut();
    else this.uplink.connect();
    this.changed();
  }

  /** Breaks the connection, which is restored later. Messages that are due meanwhile stay in the queue. */
  loseConnection(): void {
    this.uplink.cut();
    this.after(this.behaviour.offlineForMs, () => this.start());
  }

  /** Loses power at once. Transactions end here and are reported after the boot. */
  restart(reason: 'PowerLoss' | 'HardReset' | 'SoftReset'): void {
    // The connection is cut first, so that nothing is sent before the boot.
    this.uplink.cut();
    this.uplink.isBooted = false;
    for (const connector of this.connectors) end(this, connector, reason);
    this.after(this.behaviour.bootMs, () => this.start());
    this.changed();
  }

  async softReset(): Promise<void> {
    for (const connector of this.connectors) end(this, connector, 'SoftReset');
    await Promise.race([this.queue.drained(), this.delay(SOFT_RESET_TIMEOUT_MS)]);
    this.restart('SoftReset');
  }

  setOperative(connector: Connector, isOperative: boolean): 'Accepted' | 'Scheduled' {
    connector.isClosing = !isOperative && connector.transaction !== null;
    if (connector.isClosing) return 'Scheduled';
    connector.isOperative = isOperative;
    this.changed();
    return 'Accepted';
  }

  /** Some keys take effect at once. */
  applyConfiguration(key: string, value: string): void {
    if (key === 'HeartbeatInterval' || key === 'WebSocketPingInterval') this.uplink.startKeepalive();
    if (key === 'AuthorizationKey') this.password = value;
  }

  /** Statuses are not queued: only the present one is sent, and it may overtake queued messages. */
  cameOnline(): void {
    this.reportOwnStatus();
    for (const connector of this.connectors) this.reportStatus(connector);
    void this.queue.flush();
    this.changed();
  }

  reportStatus(connector: Connector): void {
    connector.reported = connector.status;
    this.#sendStatus(connector.spec.id, connector.status, connector.isFaulted);
  }

  reportOwnStatus(): void {
    this.#sendStatus(0, 'Available', false);
  }

  #sendStatus(connectorId: number, status: Connector['status'], isFaulted: boolean): void {
    if (!this.uplink.isConnected) return;
    const errorCode = isFaulted ? 'GroundFailure' : 'NoError';
    const request = { connectorId, status, errorCode, timestamp: this.uplink.timestamp() } as const;
    // A status that cannot be sent is lost; the next connection begins by sending all of them.
    void this.uplink.call(StatusNotification, request).catch(() => {});
  }

  /** Sends changed statuses to the central system and notifies listeners. */
  changed(): void {
    const minimumDurationMs = this.configuration.ms('MinimumStatusDuration');
    for (const connector of this.connectors) {
      const { status } = connector;
      if (!this.uplink.isOnline || status === connector.reported) continue;
      if (minimumDurationMs === 0) this.reportStatus(connector);
      else {
        this.after(minimumDurationMs, () => {
          if (connector.status === status && connector.reported !== status) this.reportStatus(connector);
        });
      }
    }
    for (const listener of [...this.#listeners]) listener();
  }

  view(): ChargePointView {
    return view(this);
  }

  /** Resolves when the condition is true, for tests and scripts. The timeout is in real milliseconds. */
  async until(condition: (state: ChargePointView) => boolean, timeoutMs = 10_000): Promise<ChargePointView> {
    return new Promise((resolve, reject) => {
      const finish = () => {
        clearTimeout(timeout);
        this.#listeners.delete(look);
      };
      const timeout = setTimeout(() => {
        finish();
        reject(new Error(`not within ${timeoutMs} ms: ${JSON.stringify(this.view())}`));
      }, timeoutMs);
      const look = () => {
        const state = this.view();
        if (!condition(state)) return;
        finish();
        resolve(state);
      };
      this.#listeners.add(look);
      look();
    });
  }

  after(delayMs: number, run: () => void): Timer {
    const timer = this.clock.after(delayMs, () => {
      this.#timers.delete(entry);
      run();
    });
    const entry: Timer = {
      cancel: () => {
        this.#timers.delete(entry);
        timer.cancel();
      },
    };
    this.#timers.add(entry);
    return entry;
  }

  delay(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }
}
