import type { Message, ReadResponseOf, RequestOf } from '@fpay/ocpp';
import type { StoredProfile } from './charging-limit.ts';
import type { Clock, Timer } from './clock.ts';
import type { Configuration } from './configuration.ts';
import type { DeviceTls } from './connection.ts';
import type { Connector } from './connector.ts';
import type { Random } from './random.ts';
import type { Behaviour, ScenarioName } from './scenario.ts';
import type { TransactionQueue } from './transaction-queue.ts';

/** The way to the central system, as the other parts of a charge point use it. */
interface DeviceUplink {
  readonly isConnected: boolean;
  /** True when connected and accepted, so that transactions may be reported. */
  readonly isOnline: boolean;
  isBooted: boolean;
  /** The time of the charge point's own clock, which may be wrong. */
  timestamp(): string;
  boot(): Promise<void>;
  heartbeat(): Promise<void>;
  call<M extends Message>(message: M, request: RequestOf<M>): Promise<ReadResponseOf<M>>;
  callUnchecked(action: string, payload: object): Promise<unknown>;
}

/** A charge point as its own parts see it: its state, and what one part does through another. */
export interface Device {
  readonly identity: string;
  readonly station: string;
  readonly address: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly configuration: Configuration;
  readonly connectors: readonly Connector[];
  readonly queue: TransactionQueue;
  readonly uplink: DeviceUplink;
  readonly scenario: ScenarioName;
  readonly behaviour: Behaviour;
  readonly password: string;
  readonly tls: DeviceTls | undefined;
  profiles: StoredProfile[];
  connector(id: number): Connector;
  unplug(id: number): void;
  loseConnection(): void;
  restart(reason: 'PowerLoss' | 'HardReset' | 'SoftReset'): void;
  softReset(): Promise<void>;
  setOperative(connector: Connector, isOperative: boolean): 'Accepted' | 'Scheduled';
  applyConfiguration(key: string, value: string): void;
  cameOnline(): void;
  reportStatus(connector: Connector): void;
  reportOwnStatus(): void;
  /** Sends changed statuses to the central system and notifies listeners. */
  changed(): void;
  after(delayMs: number, run: () => void): Timer;
  delay(ms: number): Promise<void>;
}
