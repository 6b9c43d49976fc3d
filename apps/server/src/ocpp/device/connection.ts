import type { Link, Protocol } from '@fpay/ocpp';
import type { TransactionRow } from './transaction-row.ts';

/** One charge point on one socket of this node. All of it may be lost, because the rows are authoritative. */
export interface DeviceConnection {
  readonly chargePointId: number;
  readonly identity: string;
  /** The connection number of the charge point; a higher one makes this connection void. */
  readonly epoch: number;
  readonly protocol: Protocol;
  readonly connectedAt: number;
  /** When the previous connection was lost; null when there was none. */
  readonly lostAt: number | null;
  /** True after a BootNotification on this connection. */
  hasBooted: boolean;
  /** Another connection replaced it, or it timed out; its end no longer changes anything. */
  isVoid: boolean;
  /** Calls may be sent: the device has booted, or the quiet time is over. */
  isReady: boolean;
  /** Stops may be sent, which is earlier, because power flows until the device gets them. */
  takesStops: boolean;
  link: Link<DeviceConnection>;
  /**
   * Open transactions as this connection last wrote them, so that a reading costs no query. They are dropped with the
   * connection; changes by another node or by charging are found when they are written.
   */
  transactions: Map<number, TransactionRow> | null;
}

/** Waits up to a second for the messages in progress. */
export async function messagesHandled({ link }: DeviceConnection): Promise<void> {
  for (let tries = 0; tries < 20 && link.openInbound > 0; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
