import { connect } from 'node:net';
import { SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, test, vi } from 'vitest';
import { openDatabase } from '../platform/database.ts';
import { testDatabase } from '../testing/database.ts';
import { hubPath } from './service.ts';
import { hubSecret, officialClient, openHub, rawSocket, upgradeStatusOf } from './testing/loopback.ts';
import { createUsedTokens } from './used-tokens.ts';

async function setUp(options: Parameters<typeof openHub>[0] = {}) {
  const hub = await openHub(options);
  const address = await hub.realtime.connectionString({ user: 7, groups: ['user-7'] });
  return { ...hub, address, bare: address.split('?')[0] ?? '' };
}

describe('the address', () => {
  test('is the public one, for WebSockets', async () => {
    const { address, port, realtime } = await setUp();
    expect(address).toMatch(
      new RegExp(`^ws://127\\.0\\.0\\.1:${port}/realtime/client/hubs/fpay\\?access_token=[\\w.-]+$`),
    );
    expect(realtime.origin).toBe(`ws://127.0.0.1:${port}`);
    expect(realtime.reach).toBe('this-node');
  });

  test('is wss behind https, whatever path the public address has', async () => {
    const { realtime } = await openHub({ publicUrl: 'https://pay.example/app/' });
    const address = await realtime.connectionString({ user: 7, groups: [] });
    expect(address).toMatch(/^wss:\/\/pay\.example\/realtime\/client\/hubs\/fpay\?access_token=/);
  });
});

describe('several nodes', () => {
  test('an address made by one node opens at another, because they share the secret and the public address', async () => {
    const publicUrl = 'http://pay.example';
    const one = await openHub({ publicUrl });
    const other = await openHub({ publicUrl });
    const address = await one.realtime.connectionString({ user: 7, groups: ['user-7'] });
    expect(await upgradeStatusOf(address.replace('pay.example', `127.0.0.1:${other.port}`))).toBe(101);
    expect([one.realtime.connections(), other.realtime.connections()]).toEqual([0, 1]);
  });
});

describe('a token', () => {
  test('opens one connection: the same address again is refused while the first one stays open', async () => {
    const { address, realtime, seen } = await setUp();
    const { socket } = await rawSocket(address);
    expect(await upgradeStatusOf(address)).toBe(401);
    expect(seen.refused).toEqual(['token']);
    expect(realtime.connections()).toBe(1);
    socket.terminate();
  });

  test('that was used at one node counts as used at every node', async () => {
    const database = await testDatabase();
    const opened = openDatabase({ url: database.appUrl, poolSize: 2 });
    const options = { publicUrl: 'http://pay.example', usedTokens: createUsedTokens(opened.db) };
    const one = await openHub(options);
    const other = await openHub(options);
    const address = await one.realtime.connectionString({ user: 7, groups: ['user-7'] });
    const at = (hub: { port: number }) => upgradeStatusOf(address.replace('pay.example', `127.0.0.1:${hub.port}`));
    const outcomes = await Promise.all([at(one), at(other), at(one), at(other)]);
    expect(outcomes.toSorted()).toEqual([101, 401, 401, 401]);
    await Promise.all([one.close(), other.close()]);
    await opened.close();
    await database.drop();
  });

  test('is fetched again by the official client for each reconnect', async () => {
    const hub = await openHub();
    const address = vi.fn(() => hub.realtime.connectionString({ user: 7, groups: ['user-7'] }));
    const { client } = officialClient(address);
    await client.start();
    hub.realtime.disconnectUser(7);
    await vi.waitFor(() => expect(address).toHaveBeenCalledTimes(2));
    await vi.waitFor(() => expect(hub.realtime.connections()).toBe(1));
  });
});

describe('the upgrade is refused for', () => {
  test.each(['/realtime/client/hubs/other', '/realtime/client/hubs/fpay/', '/realtime', '/', '/client/hubs/fpay'])(
    'the path %s, which is not the hub: other handlers get it',
    async (path) => {
      const { address, seen } = await setUp();
      expect(await upgradeStatusOf(address.replace(hubPath, path))).toBe(404);
      expect(seen.refused).toEqual([]);
    },
  );

  test.each(['https://evil.example', 'http://127.0.0.1', 'null', ''])('the origin "%s"', async (origin) => {
    const { address, seen } = await setUp();
    expect(await upgradeStatusOf(address, { headers: { Origin: origin } })).toBe(403);
    expect(seen.refused).toEqual(['origin']);
  });

  test('not for the origin of the page itself', async () => {
    const { address, publicUrl } = await setUp();
    expect(await upgradeStatusOf(address, { headers: { Origin: publicUrl } })).toBe(101);
  });

  test.each(['', 'protobuf.webpubsub.azure.v1', 'ocpp1.6'])('the sub-protocol "%s"', async (protocol) => {
    const { address } = await setUp();
    expect(await upgradeStatusOf(address, { protocol })).toBe(400);
  });

  test('a token that is missing or garbage', async () => {
    const { bare } = await setUp();
    expect(await upgradeStatusOf(bare)).toBe(401);
    expect(await upgradeStatusOf(`${bare}?access_token=`)).toBe(401);
    expect(await upgradeStatusOf(`${bare}?access_token=abc`)).toBe(401);
  });

  const claims = (audience: string) => ({
    sub: '7',
    aud: audience,
    role: ['webpubsub.joinLeaveGroup.user-7'],
    iat: Date.now() / 1000 + 1,
    exp: Math.floor(Date.now() / 1000) + 60,
    jti: 'one',
  });
  const sign = (payload: Record<string, unknown>, by = hubSecret) =>
    new SignJWT(payload).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(by));

  test('a token of another signature, audience, age or of none at all [LIVE-14]', async () => {
    const { bare, publicUrl } = await setUp();
    const good = claims(publicUrl + hubPath);
    const tried = {
      good: await sign(good),
      signature: await sign(good, 'another secret of at least 32 bytes'),
      audience: await sign({ ...good, aud: 'https://pay.example/realtime/client/hubs/fpay' }),
      expired: await sign({ ...good, exp: Math.floor(Date.now() / 1000) - 1 }),
      none: new UnsecuredJWT(good).encode(),
    };
    const statuses: Record<string, number> = {};
    for (const [name, token] of Object.entries(tried))
      statuses[name] = await upgradeStatusOf(`${bare}?access_token=${token}`);
    expect(statuses).toEqual({ good: 101, signature: 401, audience: 401, expired: 401, none: 401 });
  });

  test('more connections of one user than allowed, and of all users', async () => {
    const { address, realtime, seen } = await setUp({ limits: { connectionsPerUser: 2, connections: 3 } });
    const grant = (user: number) => realtime.connectionString({ user, groups: [] });
    const first = await rawSocket(address);
    await rawSocket(await grant(7));
    const third = await grant(7);
    expect(await upgradeStatusOf(third)).toBe(429);
    await rawSocket(await grant(8));
    expect(await upgradeStatusOf(await grant(8))).toBe(503);
    expect(seen.refused).toEqual(['user-full', 'node-full']);
    first.socket.close();
    await vi.waitFor(() => expect(realtime.connections()).toBe(2));
    // This address has not opened a connection yet, so it still works.
    expect(await upgradeStatusOf(third)).toBe(101);
  });

  test('all clients once the server is shutting down', async () => {
    const { address, realtime } = await setUp();
    await realtime.close();
    expect(await upgradeStatusOf(address)).toBe(503);
  });

  test.each([
    ['is sent away', 401, 'sent-away'],
    ['finds the server shutting down', 503, 'shutting-down'],
  ] as const)('a user who, while the token is read, %s [LIVE-14]', async (_what, status, reason) => {
    const { address, realtime, server, seen } = await setUp();
    // Runs right after the hub has taken the socket, before the token is parsed.
    server.on('upgrade', () => (reason === 'sent-away' ? realtime.disconnectUser(7) : void realtime.close()));
    expect(await upgradeStatusOf(address)).toBe(status);
    expect(seen.refused).toEqual([reason]);
    expect(realtime.connections()).toBe(0);
  });

  test('a request that is no WebSocket handshake', async () => {
    const { address, port } = await setUp();
    const socket = connect(port, '127.0.0.1');
    const { pathname, search } = new URL(address);
    socket.write(
      `GET ${pathname}${search} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        'Sec-WebSocket-Protocol: json.webpubsub.azure.v1\r\n\r\n',
    );
    const answer = await new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())));
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    socket.destroy();
  });

  test('a peer that disconnects while its token is read affects no other client', async () => {
    const { address, port, realtime } = await setUp();
    for (let n = 0; n < 20; n++) {
      const { pathname, search } = new URL(await realtime.connectionString({ user: 7, groups: ['user-7'] }));
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(
          `GET ${pathname}${search} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
            'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n' +
            'Sec-WebSocket-Protocol: json.webpubsub.azure.v1\r\n\r\n',
          () => socket.resetAndDestroy(),
        );
      });
      socket.on('error', () => {});
    }
    expect(await upgradeStatusOf(address)).toBe(101);
    await vi.waitFor(() => expect(realtime.connections()).toBe(1));
  });

  test('and a token is never written to the log', async () => {
    const { address, log } = await setUp();
    await upgradeStatusOf(address, { headers: { Origin: 'https://evil.example' } });
    const [, token = ''] = address.split('access_token=');
    expect(log.lines).toHaveLength(1);
    expect(JSON.stringify(log.lines)).not.toContain(token);
  });
});

describe('a request to resume a session', () => {
  test('is answered with an open socket and 1008, even with a used token', async () => {
    const { address, bare, realtime } = await setUp();
    for (const base of [`${address}&`, `${bare}?access_token=old&`]) {
      const { closed, frames } = await rawSocket(`${base}awps_connection_id=abc&awps_reconnection_token=def`);
      expect((await closed).code).toBe(1008);
      expect(frames).toEqual([]);
    }
    expect(realtime.connections()).toBe(0);
  });

  test('is never offered: the hub sends neither a reconnection token nor sequence numbers', async () => {
    const { address, realtime } = await setUp();
    const { frames, say, socket } = await rawSocket(address);
    say({ type: 'joinGroup', group: 'user-7', ackId: 1 });
    await vi.waitFor(() => expect(frames).toHaveLength(2));
    realtime.publish('user-7', { type: 'user_update' });
    await vi.waitFor(() => expect(frames).toHaveLength(3));
    expect(socket.protocol).toBe('json.reliable.webpubsub.azure.v1');
    expect(frames).toEqual([
      { type: 'system', event: 'connected', userId: '7', connectionId: expect.stringMatching(/^[\w-]{16}$/) },
      { type: 'ack', ackId: 1, success: true },
      { type: 'message', from: 'group', group: 'user-7', dataType: 'json', data: { type: 'user_update' } },
    ]);
  });
});
