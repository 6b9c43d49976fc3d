import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** A regular client sends its request at once; over a slow mobile line that takes seconds. */
const firstRequestMs = 20_000;
/** From the first byte of a request to the last of its headers. */
const headersMs = 15_000;
/** A browser opens six connections and uses some of them later. A proxy in front has its own limits and many users. */
const mostWithoutRequest = 2_000;
/** Interval of the check for slow requests. */
const checkEveryMs = 2_000;

export interface SilenceLimits {
  firstRequestMs: number;
  headersMs: number;
  mostWithoutRequest: number;
}

/**
 * Closes connections that have not sent a complete request: after a while, and the oldest first when there are too many.
 * Sockets that were upgraded (charge points, pages) have sent one and are watched by their own pings.
 */
export function limitSilence(
  server: Server,
  limits: SilenceLimits = { firstRequestMs, headersMs, mostWithoutRequest },
): void {
  server.headersTimeout = limits.headersMs;
  // Node checks both timeouts in one pass, by default every half minute.
  Object.assign(server, { connectionsCheckingInterval: Math.min(checkEveryMs, limits.headersMs) });
  /** A map keeps the order of arrival. */
  const silent = new Map<Socket, NodeJS.Timeout>();

  function spoke(socket: Socket): void {
    clearTimeout(silent.get(socket));
    silent.delete(socket);
  }

  server.on('connection', (socket: Socket) => {
    const timer = setTimeout(() => socket.destroy(), limits.firstRequestMs);
    timer.unref();
    silent.set(socket, timer);
    socket.once('close', () => spoke(socket));
    if (silent.size <= limits.mostWithoutRequest) return;
    const [oldest] = silent.keys();
    oldest?.destroy();
  });
  server.on('request', ({ socket }) => spoke(socket));
  server.on('upgrade', ({ socket }) => spoke(socket));
}
