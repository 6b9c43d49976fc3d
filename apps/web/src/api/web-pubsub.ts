/** Without recovery of missed messages, because a page reads everything again after each join. */
const subprotocol = 'json.webpubsub.azure.v1';
const pingIntervalMs = 20_000;
/** A connection on which nothing arrived for so long, not even the answers to two pings, is lost. */
const longestSilenceMs = 50_000;
const firstPauseMs = 4_000;
const longestPauseMs = 60_000;

export interface PubSubEvents {
  /** The address for one connection, with a new token. Null when this user has none any more. */
  address(): Promise<string | null>;
  onMessage(group: string, data: unknown): void;
  /** After each connect too. */
  onJoined(group: string): void;
  onLost(): void;
}

export interface PubSubClient {
  join(group: string): void;
  stop(): void;
}

type Frame =
  | { type: 'system'; event: string }
  | { type: 'ack'; ackId: number; success: boolean; error?: unknown }
  | { type: 'message'; from: string; group: string; data: unknown }
  | { type: 'pong' };

/**
 * The part of the Web PubSub client protocol that pages need: they join groups and get messages. After a loss it connects
 * again after a random pause that grows, because all pages of a restarted server would otherwise return in the same second.
 */
export function createPubSubClient({ address, onMessage, onJoined, onLost }: PubSubEvents): PubSubClient {
  const groups = new Set<string>();
  const joining = new Map<number, string>();
  let socket: WebSocket | null = null;
  let isConnected = false;
  let isStopped = false;
  let lastAckId = 0;
  let failures = 0;
  let heardAt = 0;
  let pause: ReturnType<typeof setTimeout> | undefined;
  let pings: ReturnType<typeof setInterval> | undefined;

  async function connect(): Promise<void> {
    pause = undefined;
    try {
      const url = await address();
      if (url === null || isStopped) return;
      socket = new WebSocket(url, subprotocol);
      socket.onmessage = ({ data }) => receive(JSON.parse(data as string) as Frame);
      socket.onclose = lose;
      heardAt = Date.now();
      pings = setInterval(ping, pingIntervalMs);
    } catch (error) {
      if (isStopped) return;
      console.warn('real-time connection failed', error);
      connectLater();
    }
  }

  function connectLater(): void {
    const longestMs = Math.min(firstPauseMs * 2 ** failures, longestPauseMs);
    failures += 1;
    pause = setTimeout(connect, longestMs * (0.25 + 0.75 * Math.random()));
  }

  function receive(frame: Frame): void {
    heardAt = Date.now();
    if (frame.type === 'message' && frame.from === 'group') onMessage(frame.group, frame.data);
    else if (frame.type === 'system' && frame.event === 'connected') {
      isConnected = true;
      for (const group of groups) sendJoin(group);
    } else if (frame.type === 'ack') {
      const group = joining.get(frame.ackId);
      joining.delete(frame.ackId);
      if (group === undefined) return;
      if (frame.success) onJoined(group);
      else console.warn('real-time group not joined', group, frame.error);
    } else if (frame.type === 'pong') {
      // Only a connection that has lived for a while shortens the next pause.
      failures = 0;
    }
  }

  function ping(): void {
    if (Date.now() - heardAt > longestSilenceMs) lose();
    else if (isConnected) socket?.send('{"type":"ping"}');
  }

  function sendJoin(group: string): void {
    lastAckId += 1;
    joining.set(lastAckId, group);
    socket?.send(JSON.stringify({ type: 'joinGroup', group, ackId: lastAckId }));
  }

  function close(): void {
    clearInterval(pings);
    joining.clear();
    isConnected = false;
    if (!socket) return;
    socket.onclose = null;
    socket.onmessage = null;
    socket.close();
    socket = null;
  }

  function lose(): void {
    const wasConnected = isConnected;
    close();
    connectLater();
    if (wasConnected) onLost();
  }

  function connectNow(): void {
    if (pause === undefined) return;
    clearTimeout(pause);
    void connect();
  }

  globalThis.addEventListener('online', connectNow);
  void connect();
  return {
    join(group) {
      groups.add(group);
      if (isConnected) sendJoin(group);
    },
    stop() {
      isStopped = true;
      globalThis.removeEventListener('online', connectNow);
      clearTimeout(pause);
      close();
    },
  };
}
