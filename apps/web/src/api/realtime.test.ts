import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import '../testing/render.tsx';
import { RefusedAnswer, serve } from '../testing/server.ts';
import { usePopups } from '../ui/overlay/popups.ts';
import { connectRealtime } from './realtime.ts';

/** The part of the library's client that we use. */
const client = vi.hoisted(() => ({
  address: '',
  groups: [] as string[],
  isStopped: false,
  accessUrl: null as (() => Promise<string>) | null,
  handlers: [] as { event: string; handler: (event: unknown) => void }[],
  joins: async (): Promise<void> => undefined,
}));
vi.mock('@azure/web-pubsub-client', () => ({
  WebPubSubClient: class {
    readonly options: { getClientAccessUrl: () => Promise<string> };
    constructor(options: { getClientAccessUrl: () => Promise<string> }) {
      this.options = options;
      client.accessUrl = options.getClientAccessUrl;
    }
    async start() {
      client.address = await this.options.getClientAccessUrl();
    }
    stop() {
      client.isStopped = true;
    }
    on(event: string, handler: (event: unknown) => void) {
      client.handlers.push({ event, handler });
    }
    async joinGroup(group: string) {
      client.groups.push(group);
      await client.joins();
    }
  },
}));

function happen(event: string, details: unknown = {}): void {
  for (const { handler } of client.handlers.filter((one) => one.event === event)) handler(details);
}

let warn: ReturnType<typeof vi.spyOn>;
beforeEach(() => {
  Object.assign(client, { address: '', groups: [], isStopped: false, handlers: [], joins: async () => undefined });
  warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('the real-time connection', () => {
  it('uses the address from the server, joins the group and gets only its messages [LIVE-02]', async () => {
    serve({ 'GET /api/negotiate': { connectionString: 'wss://fpay.example/realtime?token=t' } });
    const received: unknown[] = [];
    connectRealtime({}).listen(
      'user-7',
      (data) => received.push(data),
      () => undefined,
    );
    await vi.waitFor(() => expect(client.groups).toEqual(['user-7']));
    expect(client.address).toBe('wss://fpay.example/realtime?token=t');
    for (const group of ['user-8', 'user-7']) happen('group-message', { message: { group, data: { type: group } } });
    expect(received).toEqual([{ type: 'user-7' }]);
  });

  it('requests no address again after the session has ended or the connection was stopped', async () => {
    const settled = vi.fn();
    const { times } = serve({ 'GET /api/negotiate': new RefusedAnswer(401, { code: 'unauthenticated' }) });
    connectRealtime({});
    await vi.waitFor(() => expect(times('GET /api/negotiate')).toBe(1));
    // The library would call this again once a second, if the first call had failed.
    void client.accessUrl?.().then(settled, settled);
    await vi.waitFor(() => expect(times('GET /api/negotiate')).toBe(2));

    serve({ 'GET /api/negotiate': { connectionString: 'wss://fpay.example/realtime' } });
    const stopped = connectRealtime({});
    await vi.waitFor(() => expect(client.address).not.toBe(''));
    stopped.stop();
    void client.accessUrl?.().then(settled, settled);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(settled).not.toHaveBeenCalled();
  });

  it('reports when it has joined, also after every reconnect', async () => {
    serve({ 'GET /api/negotiate': { connectionString: 'wss://fpay.example/realtime' } });
    const joined = vi.fn();
    connectRealtime({}).listen('user-7', () => undefined, joined);
    await vi.waitFor(() => expect(joined).toHaveBeenCalledTimes(1));
    happen('connected');
    await vi.waitFor(() => expect(joined).toHaveBeenCalledTimes(2));
    expect(client.groups).toEqual(['user-7', 'user-7']);
  });

  it('that is refused is only logged [ERR-25]', async () => {
    serve({ 'GET /api/negotiate': new RefusedAnswer(500) });
    const connection = connectRealtime({});
    connection.listen(
      'user-7',
      () => undefined,
      () => undefined,
    );
    await vi.waitFor(() =>
      expect(warn).toHaveBeenCalledExactlyOnceWith(
        'real-time connection failed',
        expect.objectContaining({ status: 500 }),
      ),
    );
    connection.stop();
    expect([client.groups, usePopups.getState().waiting]).toEqual([[], []]);
  });

  it('whose group cannot be joined is only logged [ERR-25]', async () => {
    serve({ 'GET /api/negotiate': { connectionString: 'wss://fpay.example/realtime' } });
    client.joins = async () => {
      throw new Error('no right to join');
    };
    connectRealtime({}).listen(
      'user-7',
      () => undefined,
      () => undefined,
    );
    await vi.waitFor(() =>
      expect(warn).toHaveBeenCalledExactlyOnceWith('real-time group not joined', 'user-7', expect.any(Error)),
    );
    expect(usePopups.getState().waiting).toEqual([]);
  });

  it('is closed when the last listener leaves', async () => {
    serve({ 'GET /api/negotiate': { connectionString: 'wss://fpay.example/realtime' } });
    connectRealtime({}).stop();
    await vi.waitFor(() => expect(client.isStopped).toBe(true));
  });
});
