import type { WebSocket } from 'ws';
import { Connection, type Surroundings } from './connection.ts';
import { groupMessage } from './frames.ts';
import type { Group } from './group.ts';
import type { Limits } from './limits.ts';
import { faultOf, type GroupMessage } from './message.ts';
import type { Pass } from './token.ts';
import type { Clock, Log, Metrics } from './watch.ts';

interface Dependencies {
  limits: Limits;
  clock: Clock;
  log: Log;
  metrics: Metrics | undefined;
}

/** The sockets of this node and who of them is in which group. Nothing here outlives the process, nor needs to. */
export function createHub({ limits, clock, log, metrics }: Dependencies) {
  const connections = new Set<Connection>();
  const byUser = new Map<number, Set<Connection>>();
  const byGroup = new Map<Group, Set<Connection>>();
  /** Those that are still saying goodbye too: a shutdown waits for them. */
  const sockets = new Set<WebSocket>();

  const around: Surroundings = {
    limits,
    clock,
    join(connection, group) {
      connection.groups.add(group);
      put(byGroup, group, connection);
    },
    leave(connection, group) {
      connection.groups.delete(group);
      take(byGroup, group, connection);
    },
    onEnd(connection, cutOff) {
      connections.delete(connection);
      take(byUser, connection.user, connection);
      for (const group of connection.groups) take(byGroup, group, connection);
      if (!cutOff) return;
      metrics?.cutOff(cutOff);
      log.info({ user: connection.user, connection: connection.id, reason: cutOff }, 'real-time connection cut off');
    },
  };

  const heartbeat = setInterval(() => {
    for (const connection of connections) connection.beat();
  }, limits.heartbeatMs).unref();

  return {
    /** The gate has checked everything; from here on the socket is ours. */
    admit(socket: WebSocket, pass: Pass): void {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      const connection = new Connection(socket, pass, around);
      connections.add(connection);
      put(byUser, pass.user, connection);
      connection.greet();
    },

    connections: () => connections.size,
    connectionsOf: (user: number) => byUser.get(user)?.size ?? 0,

    publish(group: Group, message: GroupMessage): void {
      const fault = faultOf(message);
      if (fault) log.error({ group, type: message.type, fault }, 'real-time message not sent');
      const members = byGroup.get(group);
      if (fault || !members) return;
      metrics?.published(members.size);
      const frame = Buffer.from(groupMessage(group, message));
      for (const member of members) member.send(frame);
    },

    disconnectUser(user: number): void {
      for (const connection of [...(byUser.get(user) ?? [])]) connection.dismiss(1008, 'Signed out or rights changed');
    },

    disconnectAll(): void {
      for (const connection of [...connections]) connection.dismiss(1000, 'Messages may have been missed');
    },

    /** Resolves when every socket is closed, at the latest when the last one has been cut off. */
    async close(): Promise<void> {
      clearInterval(heartbeat);
      for (const connection of [...connections]) connection.dismiss(1001, 'The server is shutting down');
      await Promise.all([...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))));
    },
  };
}

export type Hub = ReturnType<typeof createHub>;

function put<Key>(index: Map<Key, Set<Connection>>, key: Key, connection: Connection): void {
  const there = index.get(key);
  if (there) there.add(connection);
  else index.set(key, new Set([connection]));
}

function take<Key>(index: Map<Key, Set<Connection>>, key: Key, connection: Connection): void {
  const there = index.get(key);
  if (there?.delete(connection) && there.size === 0) index.delete(key);
}
