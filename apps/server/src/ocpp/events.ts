import type { MeterSample } from '@fpay/ocpp';
import type { Connection } from './connection.ts';
import type { TagStatus } from './hooks.ts';

/**
 * Everything a device can tell, in words of no version of the protocol: 1.6 has a message for each, 2.0.1 and 2.1 tell the
 * sessions by TransactionEvent. One adapter per version translates; what happens then is the same for all.
 */
export interface DeviceEvents {
  booted(connection: Connection, boot: Booted): Promise<void>;
  connectorStatus(connection: Connection, status: ConnectorStatus): Promise<void>;
  authorize(connection: Connection, idTag: string): Promise<TagStatus>;
  sessionStarted(
    connection: Connection,
    start: SessionStart,
  ): Promise<{ ocppTransactionId: number; status: TagStatus }>;
  samples(connection: Connection, told: SamplesTold): Promise<void>;
  sessionEnded(connection: Connection, stop: SessionStop): Promise<void>;
  notice(connection: Connection, notice: Notice): Promise<void>;
}

export interface Booted {
  vendor: string;
  model: string;
  serialNumber: string | null;
  firmwareVersion: string | null;
}

export interface ConnectorStatus {
  /** 0 is the device as a whole. */
  ocppConnector: number;
  status: string;
  errorCode: string;
  /** Null: it told no time of use. */
  deviceAt: number | null;
  receivedAt: number;
}

export interface SessionStart {
  /** Null: it did not say. */
  ocppConnector: number | null;
  idTag: string | null;
  meterStartWh: number | null;
  deviceAt: number;
  /** The stamp as it was written: the same start sent again has the same one. Null: it had none. */
  stamp: string | null;
  receivedAt: number;
}

export interface SamplesTold {
  ocppConnector: number | null;
  /** Null: it has none, or one that cannot be ours. */
  ocppTransactionId: number | null;
  samples: MeterSample[];
  receivedAt: number;
}

export interface SessionStop {
  ocppTransactionId: number | null;
  idTag: string | null;
  meterStopWh: number | null;
  reason: string;
  deviceAt: number;
  stamp: string | null;
  samples: MeterSample[];
  receivedAt: number;
}

export interface Notice {
  kind: string;
  /** As it was read. */
  payload: object;
  /** As it came; kept as text beside the reading, because reading turns unknown words into `Unknown`. */
  raw: unknown;
  receivedAt: number;
}
