import type { WebSocket } from 'ws';
import { HubConnection, type HubContext } from './connection.ts';
import { groupMessage } from './frames.ts';
import type { Group } from './group.ts';
import type { HubLimits } from './limits.ts';
import { type GroupMessage, messageFaultOf } from './message.ts';
import type { HubClock, HubLog, HubMetrics } from './ports.ts';
import type { Pass } from './token.ts';

interface Dependencies {
  limits: HubLimits;
  clock: HubClock;
  log: HubLog;
  metrics: HubMetrics | undefined;
}

/** The sockets of this node and their groups. This state need not outlive the process. */
export function createHub({ limits, clock, log, metrics }: Dependencies) {
  const connections = new Set<HubConnection>();
  const byUser = new Map<number, Set<HubConnection>>();
  const byGroup = new Map<Group, Set<HubConnection>>();
  /** Includes sockets that are still closing, because a shutdown waits for them. */
  const sockets = new Set<WebSocket>();

  const around: HubContext = {
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
    /** The upgrade handler has checked everything; from here on the hub owns the socket. */
    admit(socket: WebSocket, pass: Pass): void {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      const connection = new HubConnection(socket, pass, around);
      connections.add(connection);
      put(byUser, pass.user, connection);
      connection.greet();
    },

    connections: () => connections.size,
    connectionsOf: (user: number) => byUser.get(user)?.size ?? 0,

    publish(group: Group, message: GroupMessage): void {
      const fault = messageFaultOf(message);
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

function put<Key>(index: Map<Key, Set<HubConnection>>, key: Key, connection: HubConnection): void {
  const there = index.get(key);
  if (there) there.add(connection);
  else index.set(key, new Set([connection]));
}

function take<Key>(index: Map<Key, Set<HubConnection>>, key: Key, connection: HubConnection): void {
  const there = index.get(key);
  if (there?.delete(connection) && there.size === 0) index.delete(key);
}
