import { describe, expect, test, vi } from 'vitest';
import { createHandClock, openHub, rawSocket } from './testing/loopback.ts';

const soon = { timeout: 5_000, interval: 5 };

async function setUp(options: Parameters<typeof openHub>[0] = {}) {
  const hub = await openHub(options);
  const address = () => hub.realtime.connectionString({ user: 7, groups: ['user-7'] });
  return { ...hub, address };
}

describe('a client that violates the protocol', () => {
  test.each([
    ['a binary frame', Buffer.from('{"type":"ping"}'), 1003],
    ['garbage', 'hello', 1007],
    ['a list', '[{"type":"ping"}]', 1007],
    ['an ackId that is no number', '{"type":"joinGroup","group":"user-7","ackId":"1"}', 1007],
    ['a frame too long', JSON.stringify({ type: 'ping', padding: 'x'.repeat(16 * 1024) }), 1009],
  ])('is disconnected after %s', async (_what, frame, code) => {
    const { address, realtime } = await setUp();
    const { socket, closed } = await rawSocket(await address());
    socket.send(frame);
    expect((await closed).code).toBe(code);
    expect(realtime.connections()).toBe(0);
  });

  test('is disconnected for text that is not UTF-8', async () => {
    const { address } = await setUp();
    const { socket, closed } = await rawSocket(await address());
    socket.send(Buffer.from([0xc3, 0x28]), { binary: false });
    expect((await closed).code).toBe(1007);
  });

  test('is disconnected when it sends without pause, but not for an occasional burst', async () => {
    const clock = createHandClock();
    const { address, seen } = await setUp({ clock, limits: { framesPerWindow: 10, frameWindowMs: 1_000 } });
    const { frames, closed, say } = await rawSocket(await address());
    for (let n = 0; n < 10; n++) say({ type: 'ping' });
    await vi.waitFor(() => expect(frames).toHaveLength(11), soon);
    clock.advance(1_000);
    for (let n = 0; n < 10; n++) say({ type: 'ping' });
    await vi.waitFor(() => expect(frames).toHaveLength(21), soon);
    say({ type: 'ping' });
    expect((await closed).code).toBe(1008);
    expect(seen.cutOff).toEqual(['too-many-frames']);
  });

  test('is ignored once its connection is being closed', async () => {
    const { address, realtime, seen } = await setUp();
    const { frames, closed, say } = await rawSocket(await address());
    await vi.waitFor(() => expect(frames).toHaveLength(1), soon);
    say('no frame');
    say({ type: 'joinGroup', group: 'user-7', ackId: 1 });
    await closed;
    expect(frames.map(({ event }) => event)).toEqual(['connected', 'disconnected']);
    expect(realtime.connections()).toBe(0);
    realtime.publish('user-7', { type: 'user_update' });
    expect(seen.published).toEqual([]);
  });
});

describe('a client that does not read', () => {
  test('is cut off when too much waits for it; another client misses nothing', async () => {
    const { address, realtime, seen } = await setUp({ limits: { pendingBytes: 64 * 1024 } });
    const slow = await rawSocket(await address());
    const quick = await rawSocket(await address());
    for (const { say } of [slow, quick]) say({ type: 'joinGroup', group: 'user-7' });
    // The pong shows that the join before it was processed.
    for (const { say } of [slow, quick]) say({ type: 'ping' });
    await vi.waitFor(() => expect([slow.frames.length, quick.frames.length]).toEqual([2, 2]), soon);
    slow.socket.pause();

    let sent = 0;
    const padding = 'x'.repeat(250);
    // The kernel buffers some megabytes before anything waits in this process.
    while (seen.cutOff.length === 0 && sent < 200_000) {
      for (let n = 0; n < 100; n++) realtime.publish('user-7', { type: 'tick', n: sent++, a: padding, b: padding });
      await vi.waitFor(() => expect(quick.frames.length).toBe(sent + 2), { timeout: 5_000, interval: 0 });
    }
    expect(seen.cutOff).toEqual(['slow-reader']);
    expect(realtime.connections()).toBe(1);
    const ticks = quick.frames.slice(2).map(({ data }) => (data as { n: number }).n);
    expect(ticks).toEqual(Array.from({ length: sent }, (_, n) => n));
  });

  test('is cut off when two pings in a row are not answered', async () => {
    const { address, seen, realtime } = await setUp({ limits: { heartbeatMs: 20 } });
    const silent = await rawSocket(await address(), { autoPong: false });
    const alive = await rawSocket(await address());
    let pings = 0;
    alive.socket.on('ping', () => pings++);
    expect((await silent.closed).code).toBe(1006);
    expect(seen.cutOff).toEqual(['silent']);
    await vi.waitFor(() => expect(pings).toBeGreaterThan(4), soon);
    expect(realtime.connections()).toBe(1);
  });

  test('is cut off when it does not answer a close', async () => {
    const { address, realtime } = await setUp({ limits: { closeMs: 30 } });
    const deaf = await rawSocket(await address());
    deaf.socket.pause();
    realtime.disconnectUser(7);
    const startedAt = performance.now();
    await realtime.close();
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    deaf.socket.resume();
    expect(await deaf.closed).toEqual({ code: 1008, reason: 'Signed out or rights changed' });
  });
});

describe('a connection', () => {
  test('answers every ping of the client', async () => {
    const { address } = await setUp();
    const { frames, say } = await rawSocket(await address());
    say({ type: 'ping' });
    say({ type: 'ping' });
    await vi.waitFor(() => expect(frames.slice(1)).toEqual([{ type: 'pong' }, { type: 'pong' }]), soon);
  });

  test('has to be renewed after an hour, so that rights are checked again', async () => {
    const clock = createHandClock();
    const { address, realtime } = await setUp({ clock, limits: { heartbeatMs: 10 } });
    const { closed, frames, say, socket } = await rawSocket(await address());
    let pings = 0;
    socket.on('ping', () => pings++);
    clock.advance(54 * 60_000 - 1);
    await vi.waitFor(() => expect(pings).toBeGreaterThan(1), soon);
    say({ type: 'ping' });
    await vi.waitFor(() => expect(frames.at(-1)).toEqual({ type: 'pong' }), soon);
    clock.advance(6 * 60_000 + 1);
    expect((await closed).code).toBe(1000);
    expect(frames.at(-1)).toEqual({ type: 'system', event: 'disconnected', message: 'Time to renew the token' });
    expect(realtime.connections()).toBe(0);
  });

  test('is notified of a shutdown before it is closed with 1001', async () => {
    const { address, realtime } = await setUp();
    const { closed, frames } = await rawSocket(await address());
    await realtime.close();
    expect(await closed).toEqual({ code: 1001, reason: 'The server is shutting down' });
    expect(frames.at(-1)).toEqual({ type: 'system', event: 'disconnected', message: 'The server is shutting down' });
  });

  test('that is closed is in no group any more', async () => {
    const { address, realtime, seen } = await setUp();
    const { frames, say, socket } = await rawSocket(await address());
    say({ type: 'joinGroup', group: 'user-7', ackId: 1 });
    await vi.waitFor(() => expect(frames).toHaveLength(2), soon);
    socket.terminate();
    await vi.waitFor(() => expect(realtime.connections()).toBe(0), soon);
    realtime.publish('user-7', { type: 'user_update' });
    expect(seen.published).toEqual([]);
  });

  test('that joins a group twice gets each message once', async () => {
    const { address, realtime, seen } = await setUp();
    const { frames, say } = await rawSocket(await address());
    say({ type: 'joinGroup', group: 'user-7', ackId: 1 });
    say({ type: 'joinGroup', group: 'user-7', ackId: 2 });
    await vi.waitFor(() => expect(frames).toHaveLength(3), soon);
    realtime.publish('user-7', { type: 'user_update' });
    await vi.waitFor(() => expect(frames).toHaveLength(4), soon);
    expect(seen.published).toEqual([1]);
  });
});
