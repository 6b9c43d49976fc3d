import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import '../testing/render.tsx';
import { RefusedAnswer, serve } from '../testing/server.ts';
import { usePopups } from '../ui/overlay/popups.ts';
import { connectRealtime, type RealtimeConnection } from './realtime.ts';

const address = 'wss://fpay.example/realtime?token=t';

/** The browser's end of a socket; a test plays the server's. */
class Socket {
  static opened: Socket[] = [];
  readonly sent: { type: string; group?: string; ackId?: number }[] = [];
  isClosed = false;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  readonly url: string;
  readonly protocol: string;
  constructor(url: string, protocol: string) {
    this.url = url;
    this.protocol = protocol;
    Socket.opened.push(this);
  }
  send(text: string) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.isClosed = true;
  }
  says(frame: object) {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }
  connects() {
    this.says({ type: 'system', event: 'connected', connectionId: 'c', userId: '7' });
  }
  acknowledges(success = true) {
    const { ackId } = this.sent.findLast(({ type }) => type === 'joinGroup') ?? {};
    this.says({ type: 'ack', ackId, success, ...(!success && { error: { name: 'Forbidden', message: 'no' } }) });
  }
  breaks() {
    this.isClosed = true;
    this.onclose?.();
  }
}
const newest = () => Socket.opened.at(-1) as Socket;
const socket = async (count = 1) => {
  await vi.waitFor(() => expect(Socket.opened).toHaveLength(count));
  return newest();
};
const nothing = () => undefined;

let warn: ReturnType<typeof vi.spyOn>;
let connections: RealtimeConnection[] = [];
function connect(rights: Parameters<typeof connectRealtime>[0] = {}) {
  const connection = connectRealtime(rights);
  connections.push(connection);
  return connection;
}
beforeEach(() => {
  Socket.opened = [];
  vi.stubGlobal('WebSocket', Socket);
  warn = vi.spyOn(console, 'warn').mockImplementation(nothing);
  vi.useFakeTimers({
    shouldAdvanceTime: true,
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
  });
});
afterEach(() => {
  for (const connection of connections) connection.stop();
  connections = [];
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('the real-time connection', () => {
  it('uses the address from the server, joins the group and gets only its messages [LIVE-02]', async () => {
    serve({ 'GET /api/negotiate': { connectionString: address } });
    const received: unknown[] = [];
    connect().listen('user-7', (data) => received.push(data), nothing);
    const server = await socket();
    expect([server.url, server.protocol]).toEqual([address, 'json.webpubsub.azure.v1']);
    server.connects();
    expect(server.sent).toEqual([{ type: 'joinGroup', group: 'user-7', ackId: 1 }]);
    for (const group of ['user-8', 'user-7']) {
      server.says({ type: 'message', from: 'group', group, dataType: 'json', data: { type: group } });
    }
    expect(received).toEqual([{ type: 'user-7' }]);
  });

  it('reports when it has joined and when it is lost, also after every reconnect with a new token', async () => {
    const { times } = serve({ 'GET /api/negotiate?operation=12': { connectionString: address } });
    const [joined, lost] = [vi.fn(), vi.fn()];
    connect({ operation: 12 }).listen('operation-12', nothing, joined, lost);
    const first = await socket();
    first.connects();
    expect(joined).not.toHaveBeenCalled();
    first.acknowledges();
    expect(joined).toHaveBeenCalledTimes(1);
    first.breaks();
    expect(lost).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(4_000);
    const second = await socket(2);
    second.connects();
    second.acknowledges();
    expect([joined.mock.calls.length, lost.mock.calls.length, times('GET /api/negotiate?operation=12')]).toEqual([
      2, 1, 2,
    ]);
  });

  it('returns after a random pause that grows, so that pages do not return together', async () => {
    serve({ 'GET /api/negotiate': { connectionString: address } });
    const random = vi.spyOn(Math, 'random');
    connect().listen('user-7', nothing, nothing);
    await socket();
    for (const [lot, pauseMs] of [
      [0, 1_000],
      [1, 8_000],
      [0.5, 10_000],
      [0, 8_000],
      [1, 60_000],
      [1, 60_000],
    ] as const) {
      random.mockReturnValue(lot);
      const before = Socket.opened.length;
      newest().breaks();
      await vi.advanceTimersByTimeAsync(pauseMs - 50);
      expect(Socket.opened).toHaveLength(before);
      await vi.advanceTimersByTimeAsync(100);
      await socket(before + 1);
    }
    // A connection that lived for a ping begins with the short pause again.
    newest().connects();
    newest().says({ type: 'pong' });
    random.mockReturnValue(0);
    const before = Socket.opened.length;
    newest().breaks();
    await vi.advanceTimersByTimeAsync(1_050);
    await socket(before + 1);
  });

  it('returns at once when the network of the device is back', async () => {
    serve({ 'GET /api/negotiate': { connectionString: address } });
    connect().listen('user-7', nothing, nothing);
    (await socket()).breaks();
    window.dispatchEvent(new Event('online'));
    await socket(2);
  });

  it('pings, and gives a connection up on which nothing arrives any more', async () => {
    serve({ 'GET /api/negotiate': { connectionString: address } });
    const lost = vi.fn();
    connect().listen('user-7', nothing, nothing, lost);
    const first = await socket();
    first.connects();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(first.sent.at(-1)).toEqual({ type: 'ping' });
    first.says({ type: 'pong' });
    await vi.advanceTimersByTimeAsync(40_000);
    expect(lost).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(20_000);
    expect([lost.mock.calls.length, first.isClosed]).toEqual([1, true]);
  });

  it('requests no address again after the session has ended or the connection was stopped', async () => {
    const { times } = serve({ 'GET /api/negotiate': new RefusedAnswer(401, { code: 'unauthenticated' }) });
    connect();
    await vi.waitFor(() => expect(times('GET /api/negotiate')).toBe(1));
    await vi.advanceTimersByTimeAsync(120_000);
    expect(times('GET /api/negotiate')).toBe(1);

    const next = serve({ 'GET /api/negotiate': { connectionString: address } });
    const stopped = connect();
    const server = await socket();
    stopped.stop();
    expect(server.isClosed).toBe(true);
    server.breaks();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(next.times('GET /api/negotiate')).toBe(1);
  });

  it('that is refused is only logged, and tried again later [ERR-25]', async () => {
    const { times } = serve({ 'GET /api/negotiate': new RefusedAnswer(500) });
    const connection = connect();
    connection.listen('user-7', nothing, nothing);
    await vi.waitFor(() =>
      expect(warn).toHaveBeenCalledWith('real-time connection failed', expect.objectContaining({ status: 500 })),
    );
    await vi.waitFor(() => expect(times('GET /api/negotiate')).toBeGreaterThan(1), { timeout: 8_000 });
    connection.stop();
    expect([Socket.opened, usePopups.getState().waiting]).toEqual([[], []]);
  });

  it('whose group cannot be joined is only logged [ERR-25]', async () => {
    serve({ 'GET /api/negotiate': { connectionString: address } });
    const joined = vi.fn();
    connect().listen('user-7', nothing, joined);
    const server = await socket();
    server.connects();
    server.acknowledges(false);
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      'real-time group not joined',
      'user-7',
      expect.objectContaining({ name: 'Forbidden' }),
    );
    expect([joined.mock.calls.length, usePopups.getState().waiting]).toEqual([0, []]);
  });

  it('is closed when the last listener leaves', async () => {
    serve({ 'GET /api/negotiate': { connectionString: address } });
    const connection = connect();
    const server = await socket();
    connection.stop();
    expect(server.isClosed).toBe(true);
  });
});
