import type { Step } from '../platform/step.ts';

/** The device and connector an event is about. */
export interface DeviceRef {
  chargePointId: number;
  identity: string;
}

export interface ConnectorRef {
  /** Null: the device has a connector that we were not told of. */
  connectorId: number | null;
  ocppConnector: number;
}

export type TagStatus = 'Accepted' | 'Blocked' | 'Expired' | 'Invalid' | 'ConcurrentTx';

export interface SessionStarted extends DeviceRef, ConnectorRef {
  ocppTransactionId: number;
  /** Upper case, without separators. */
  idTag: string;
  meterStartWh: number;
  /** By the device's clock where it can be believed, else by ours. */
  startedAt: Date;
  receivedAt: Date;
  isClockSkewed: boolean;
  /** Others that are still open on this connector: their StopTransaction never came, or this start is one too many. */
  stillOpen: { ocppTransactionId: number; operationId: number | null }[];
  /** The operation of the running charge that this start reports again, as after a reboot. */
  continuesOperation: number | null;
}

export interface SessionAdmitted {
  operationId: number | null;
  status: TagStatus;
  /** When it began, where the device's time cannot be right although its clock looks set. */
  startedAt?: Date;
}

export interface SessionEnded extends DeviceRef, ConnectorRef {
  ocppTransactionId: number;
  operationId: number | null;
  /** Of the stop, null when it has none: not every stop is done with a card. */
  idTag: string | null;
  reason: string;
  energyWh: number;
  startedAt: Date;
  stoppedAt: Date;
  receivedAt: Date;
  /** The time that the bill counts by, see `billedTime`. */
  billedAt: Date;
  /** What the device said at the end was of no use: the energy is that of the last reading. */
  isFromLastReading: boolean;
  /** It had been closed on the last reading; this is the device's own word after all. */
  isCorrection: boolean;
}

/** What an operation was opened with; none of it changes while it runs. */
export interface OperationTerms {
  isFree: boolean;
  /** Kopecks per kWh. */
  price: number;
  deposit: number;
  energyLimitWh: number | null;
}

export interface Reading {
  energyWh: number;
  /** What flows now, as far as it can be believed; null when it is not known. */
  powerW: number | null;
  /** Of the connector; null when it has no description. */
  ratedW: number | null;
  receivedAt: number;
}

/** What is due within this gets a timer that is exact; due work looks at the rest once a second. */
export const exactWithinMs = 90_000;

export interface Reckoning {
  total: number;
  realTotal: number;
  isAtLimit: boolean;
  /** When to send the stop, and what is due first on the way there. Null: there is no limit. */
  stopAt: number | null;
  nextAt: number | null;
}

export interface ConnectorStatusChanged extends DeviceRef, ConnectorRef {
  status: string;
  errorCode: string;
  receivedAt: Date;
}

/**
 * What the gateway asks and tells of charging, each inside the gateway's own step: what charging writes and the message it
 * is about become certain together, before the device is answered. None may wait for anything but the database.
 */
export interface ChargingHooks {
  authorize(step: Step, question: DeviceRef & { idTag: string }): Promise<TagStatus>;
  /** A fact, not a question: it has begun. `Invalid` or `ConcurrentTx` makes the device end it; nothing is billed. */
  sessionStarted(step: Step, session: SessionStarted): Promise<SessionAdmitted>;
  /** What a reading comes to, to be written together with it. Values in, values out: it is asked for every one. */
  reckon(terms: OperationTerms, reading: Reading): Reckoning;
  /** A reading was written, and is certain, that made something due then. */
  dueAt(at: number): void;
  sessionEnded(step: Step, session: SessionEnded): Promise<void>;
  /** A stop came whose start was lost: which operation waits for this tag on this device? */
  expected(step: Step, question: DeviceRef & { idTag: string }): Promise<{ ocppConnector: number } | null>;
  /**
   * The statuses that `connectorStatusChanged` is called for. A change to any other one is written in a single statement,
   * which has no room for a listener.
   */
  statusesHeard: ReadonlySet<string> | 'all';
  connectorStatusChanged(step: Step, change: ConnectorStatusChanged): Promise<void>;
  /** Sockets were opened: of devices that were away, or that had only lost the line for a moment. */
  chargePointsConnected(step: Step, chargePointIds: readonly number[]): Promise<void>;
  chargePointsOnline(step: Step, chargePointIds: readonly number[]): Promise<void>;
  chargePointsOffline(step: Step, chargePointIds: readonly number[]): Promise<void>;
}

/** Nobody is expected: starts are taken down and answered `Invalid`, nothing is billed. */
export const nobodyExpected: ChargingHooks = {
  authorize: async () => 'Invalid',
  sessionStarted: async () => ({ operationId: null, status: 'Invalid' }),
  reckon: () => ({ total: 0, realTotal: 0, isAtLimit: false, stopAt: null, nextAt: null }),
  dueAt: () => {},
  sessionEnded: async () => {},
  expected: async () => null,
  statusesHeard: new Set(),
  connectorStatusChanged: async () => {},
  chargePointsConnected: async () => {},
  chargePointsOnline: async () => {},
  chargePointsOffline: async () => {},
};
