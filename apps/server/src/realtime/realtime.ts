import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Group } from './group.ts';
import type { GroupMessage } from './message.ts';
import type { Grant } from './token.ts';

/** Messages to pages, from the embedded hub or from Azure. */
export interface Realtime {
  /** A WebSocket address, valid for one connection within a minute, with exactly the granted rights. */
  connectionString(grant: Grant): Promise<string>;
  /** True when the path was the hub's; the hub then handles the socket, admitted or not. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Never throws and never waits, because it is called in the middle of a batch of events. */
  publish(group: Group, message: GroupMessage): void;
  /** Sign-out, ban, a new role or password: sockets close with 1008 and addresses issued before are refused. */
  disconnectUser(user: number): void;
  /**
   * All clients must reconnect with new addresses. For a node that may have missed events, sign-outs among them: pages
   * then refetch, and rights are checked again.
   */
  disconnectAll(): void;
  close(): Promise<void>;
  connections(): number;
  /**
   * Which clients a publish or a disconnect reaches. The embedded hub knows only its own node's sockets, so every node
   * must handle every event. Azure reaches all clients, so only one node may call it, or pages get each event many
   * times.
   */
  readonly reach: 'this-node' | 'everyone';
  /** Where pages connect, for the page's `connect-src`. */
  readonly origin: string;
}
