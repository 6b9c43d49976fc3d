import { type RawBuilder, sql } from 'kysely';
import type { Step } from '../../platform/step.ts';

/** The device and connector an event is about. */
export interface DeviceRef {
  chargePointId: number;
  identity: string;
}

export interface ConnectorRef {
  /** Null when the device has a connector that the network does not have. */
  connectorId: number | null;
  ocppConnector: number;
}

export type TagStatus = 'Accepted' | 'Blocked' | 'Expired' | 'Invalid' | 'ConcurrentTx';

export interface StartedTransaction extends DeviceRef, ConnectorRef {
  ocppTransactionId: number;
  /** Upper case, without separators. */
  idTag: string;
  meterStartWh: number;
  /** By the device's clock where it is plausible, otherwise by ours. */
  startedAt: Date;
  receivedAt: Date;
  isClockSkewed: boolean;
  /**
   * Other transactions that are still open on this connector: their StopTransaction never came, or this start is one
   * too many.
   */
  stillOpen: { ocppTransactionId: number; operationId: number | null }[];
  /** The operation of the running charge that this start reports again, as after a reboot. */
  continuesOperation: number | null;
}

export interface AdmittedTransaction {
  operationId: number | null;
  status: TagStatus;
  /** When it began, if the device's time cannot be right although its clock looks set. */
  startedAt?: Date;
}

/** An operation that waits for its start, locked. */
export interface AwaitedOperation {
  operationId: number;
  chargePointId: number;
  connectorId: number;
  idTag: string;
  energyLimitWh: number | null;
  createdAt: Date;
}

/** The answer to a start. */
export interface Begun {
  ocppTransactionId: number;
  status: TagStatus;
}

/** An awaited operation whose transaction has begun at its connector, where no other one is open. */
export interface BegunOperation extends AwaitedOperation {
  ocppTransactionId: number;
  /** The station of the connector. */
  stationId: number;
  ratedW: number;
  startedAt: Date;
  receivedAt: Date;
}

export interface EndedTransaction extends DeviceRef, ConnectorRef {
  ocppTransactionId: number;
  operationId: number | null;
  /** The tag of the stop; null when it has none, because not every stop uses a card. */
  idTag: string | null;
  reason: string;
  energyWh: number;
  startedAt: Date;
  stoppedAt: Date;
  receivedAt: Date;
  /** The time by which the bill counts, see `billedTime`. */
  billedAt: Date;
  /** The device's values at the end were unusable: the energy is that of the last reading. */
  isFromLastReading: boolean;
  /** The charge had been closed on the last reading, and now the device's own stop has arrived. */
  isCorrection: boolean;
}

/** The last values of a charge that belongs to an operation. Null when the device did not send it. */
export interface LastReading {
  operationId: number;
  energyWh: number;
  stoppedAt: Date;
  billedAt: Date;
  powerW: number | null;
  currentMa: number | null;
  soc: number | null;
}

/** The terms of an operation; none of them changes while it runs. */
export interface OperationTerms {
  isFree: boolean;
  /** Kopecks per kWh. */
  price: number;
  deposit: number;
  energyLimitWh: number | null;
}

export interface ChargeReading {
  energyWh: number;
  /** The present power, as far as it is plausible; null when it is not known. */
  powerW: number | null;
  /** Rated power of the connector; null when it has no description. */
  ratedW: number | null;
  receivedAt: number;
}

/** What is due within this time gets an exact timer; due work polls for the rest once a second. */
export const exactTimerWithinMs = 90_000;

export interface PricedReading {
  total: number;
  realTotal: number;
  isAtLimit: boolean;
  /** When to send the stop, and what is due before it. Null when there is no limit. */
  stopAt: number | null;
  nextAt: number | null;
}

export interface ConnectorStatusChanged extends DeviceRef, ConnectorRef {
  status: string;
  errorCode: string;
  receivedAt: Date;
}

/**
 * What the gateway asks of charging and reports to it, each inside the gateway's own step: what charging writes commits
 * together with the message, before the device is answered. None may wait for anything but the database.
 */
export interface ChargingPort {
  authorize(step: Step, question: DeviceRef & { idTag: string }): Promise<TagStatus>;
  /**
   * The transaction has begun, so it cannot be refused. `Invalid` or `ConcurrentTx` makes the device end it; nothing is
   * billed.
   */
  transactionStarted(step: Step, transaction: StartedTransaction): Promise<AdmittedTransaction>;
  /**
   * The operations with these tags that wait for their start. One that another step has locked is left out, so a batch never
   * waits for it. What is left out is reported by `transactionStarted`.
   */
  awaitedOperations(step: Step, idTags: readonly string[]): Promise<AwaitedOperation[]>;
  /** `transactionStarted` for many operations at once, in the same step as `awaitedOperations`. */
  operationsBegun(step: Step, begun: readonly BegunOperation[]): Promise<void>;
  /** What a reading costs, to be written together with it. It is a pure function, because it runs for every reading. */
  priceReading(terms: OperationTerms, reading: ChargeReading): PricedReading;
  /** The part of the statement for a batch of readings that writes operations; over `reported` and `counted`, see sample-store.ts. */
  operationUpdate: RawBuilder<unknown>;
  /** The values of a StopTransaction, before its transaction ends. */
  lastReading(step: Step, reading: LastReading): Promise<void>;
  /** Called after a reading was committed that made something due at this time. */
  dueAt(at: number): void;
  transactionEnded(step: Step, transaction: EndedTransaction): Promise<void>;
  /** A stop arrived whose start was lost: which operation waits for this tag on this device? */
  expected(step: Step, question: DeviceRef & { idTag: string }): Promise<{ ocppConnector: number } | null>;
  /**
   * The statuses that `connectorStatusChanged` is called for. A change to any other one is written in a single statement,
   * which has no room for a listener.
   */
  wantedStatuses: ReadonlySet<string> | 'all';
  connectorStatusChanged(step: Step, change: ConnectorStatusChanged): Promise<void>;
  /** Sockets were opened, of devices that were away or that had only lost the connection for a moment. */
  chargePointsConnected(step: Step, chargePointIds: readonly number[]): Promise<void>;
  chargePointsOnline(step: Step, chargePointIds: readonly number[]): Promise<void>;
  chargePointsOffline(step: Step, chargePointIds: readonly number[]): Promise<void>;
}

/** No operation is expected: starts are recorded and answered `Invalid`, nothing is billed. */
export const noCharging: ChargingPort = {
  authorize: async () => 'Invalid',
  transactionStarted: async () => ({ operationId: null, status: 'Invalid' }),
  awaitedOperations: async () => [],
  operationsBegun: async () => {},
  priceReading: () => ({ total: 0, realTotal: 0, isAtLimit: false, stopAt: null, nextAt: null }),
  operationUpdate: sql`select null::bigint as id, 0 as is_published where false`,
  lastReading: async () => {},
  dueAt: () => {},
  transactionEnded: async () => {},
  expected: async () => null,
  wantedStatuses: new Set(),
  connectorStatusChanged: async () => {},
  chargePointsConnected: async () => {},
  chargePointsOnline: async () => {},
  chargePointsOffline: async () => {},
};
