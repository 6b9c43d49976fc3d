import type { Link, Protocol } from '@fpay/ocpp';
import type { TransactionRow } from './transaction-row.ts';

/** One charge point on one socket of this node. Everything in here may be lost: the rows know better. */
export interface Connection {
  readonly chargePointId: number;
  readonly identity: string;
  /** Which of the charge point's connections this is; a higher one makes it void. */
  readonly epoch: number;
  readonly protocol: Protocol;
  readonly connectedAt: number;
  /** When the connection before was lost; null when there was none. */
  readonly lostAt: number | null;
  /** Has sent BootNotification in this connection. */
  hasBooted: boolean;
  /** Another connection took over, or it was given up: its end changes nothing any more. */
  isVoid: boolean;
  /** Calls of ours may be sent: it has booted, or the quiet time is over. */
  isReady: boolean;
  link: Link<Connection>;
  /**
   * Open transactions as this connection left them, so that a reading costs no query. Void with the connection; what
   * another node or charging did to them shows when they are written.
   */
  transactions: Map<number, TransactionRow> | null;
}
