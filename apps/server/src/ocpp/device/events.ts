import type { MeterSample } from '@fpay/ocpp';
import type { TagStatus } from './charging-port.ts';
import type { DeviceConnection } from './connection.ts';

/**
 * All events of a device, independent of the protocol version: 1.6 has a message for each, 2.0.1 and 2.1 report charges
 * by TransactionEvent. One adapter per version translates; the handling is the same for all.
 */
export interface DeviceEvents {
  booted(connection: DeviceConnection, boot: Booted): Promise<void>;
  connectorStatus(connection: DeviceConnection, status: ConnectorStatusReport): Promise<void>;
  authorize(connection: DeviceConnection, idTag: string): Promise<TagStatus>;
  transactionStarted(
    connection: DeviceConnection,
    start: TransactionStart,
  ): Promise<{ ocppTransactionId: number; status: TagStatus }>;
  samples(connection: DeviceConnection, samples: ReportedSamples): Promise<void>;
  transactionEnded(connection: DeviceConnection, stop: TransactionStop): Promise<void>;
  notice(connection: DeviceConnection, notice: Notice): Promise<void>;
}

export interface Booted {
  vendor: string;
  model: string;
  serialNumber: string | null;
  firmwareVersion: string | null;
}

export interface ConnectorStatusReport {
  /** 0 is the device as a whole. */
  ocppConnector: number;
  status: string;
  errorCode: string;
  /** Null when it sent no usable time. */
  deviceAt: number | null;
  receivedAt: number;
}

export interface TransactionStart {
  /** Null when it did not send one. */
  ocppConnector: number | null;
  idTag: string | null;
  meterStartWh: number | null;
  deviceAt: number;
  /** The timestamp as text: a repeat of the same start has the same one. Null when it had none. */
  stamp: string | null;
  receivedAt: number;
}

export interface ReportedSamples {
  ocppConnector: number | null;
  /** Null when it has none, or one that cannot be ours. */
  ocppTransactionId: number | null;
  samples: MeterSample[];
  receivedAt: number;
}

export interface TransactionStop {
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
  /** The parsed payload. */
  payload: object;
  /** The received payload; stored as text beside the reading, because parsing turns unknown words into `Unknown`. */
  raw: unknown;
  receivedAt: number;
}
