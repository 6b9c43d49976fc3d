import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt, jwtVerify } from 'jose';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createAzureHub } from './azure.ts';
import { createRealtime } from './service.ts';
import { createLogbook } from './testing/loopback.ts';

const accessKey = 'an access key as Azure gives them, base64 or not';
const soon = { timeout: 5_000, interval: 5 };

interface Call {
  method: string;
  path: string;
  query: Record<string, string>;
  contentType: string | undefined;
  body: string;
}

/** Replaces Azure's REST API: records each call with a correct signature and refuses the others. */
async function openAzure({ answer = async (_call: Call) => 202 } = {}) {
  const calls: Call[] = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', `http://${request.headers.host}`);
    const [, token = ''] = (request.headers.authorization ?? '').split('Bearer ');
    try {
      const options = { algorithms: ['HS256'], audience: url.toString() };
      await jwtVerify(token, Buffer.from(accessKey), options);
    } catch {
      response.writeHead(401).end();
      return;
    }
    let body = '';
    for await (const chunk of request) body += chunk;
    const call: Call = {
      method: request.method ?? '',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      contentType: request.headers['content-type'],
      body,
    };
    const status = await answer(call);
    calls.push(call);
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const log = createLogbook();
  const connectionString = `Endpoint=http://127.0.0.1:${port};AccessKey=${accessKey};Version=1.0;`;
  return { calls, log, port, connectionString };
}

const options = { secret: '', publicUrl: 'https://pay.example' };
const apiVersion = expect.stringMatching(/^\d{4}-\d\d-\d\d/);

describe('with Azure Web PubSub configured', () => {
  test('the connection string leads to Azure with the same rights, for a minute [LIVE-14]', async () => {
    const azure = 'Endpoint=https://charging.webpubsub.azure.com;AccessKey=key;Version=1.0;';
    const realtime = createRealtime({ ...options, azure, log: createLogbook() });
    const address = new URL(await realtime.connectionString({ user: 7, groups: ['user-7', 'operation-31'] }));
    expect(`${address.origin}${address.pathname}`).toBe('wss://charging.webpubsub.azure.com/client/hubs/fpay');
    const claims = decodeJwt(address.searchParams.get('access_token') ?? '');
    expect(claims).toMatchObject({
      aud: 'https://charging.webpubsub.azure.com/client/hubs/fpay',
      sub: '7',
      role: ['webpubsub.joinLeaveGroup.user-7', 'webpubsub.joinLeaveGroup.operation-31'],
    });
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(60);
    expect(realtime.origin).toBe('wss://charging.webpubsub.azure.com');
    expect(realtime.reach).toBe('everyone');
    await expect(realtime.connectionString({ user: 7, groups: ['user-8'] })).rejects.toThrow();
  });

  test('the server opens no sockets of its own', async () => {
    const { connectionString, log } = await openAzure();
    const realtime = createRealtime({ ...options, azure: connectionString, log });
    expect(realtime.handleUpgrade({ url: '/realtime/client/hubs/fpay' } as never, {} as never, Buffer.of())).toBe(
      false,
    );
    expect(realtime.connections()).toBe(0);
  });

  test('a message is sent to its group, signed with the key', async () => {
    const { calls, connectionString, log } = await openAzure();
    const realtime = createRealtime({ ...options, azure: connectionString, log });
    realtime.publish('user-7', { type: 'wallet_balance_update', balance: 312_40 });
    await realtime.close();
    expect(calls).toEqual([
      {
        method: 'POST',
        path: '/api/hubs/fpay/groups/user-7/:send',
        query: { 'api-version': apiVersion },
        contentType: 'application/json',
        body: '{"type":"wallet_balance_update","balance":31240}',
      },
    ]);
    expect(log.lines).toEqual([]);
  });

  test('messages of a group keep their order, however long Azure takes for each', async () => {
    let isFirst = true;
    const { calls, connectionString, log } = await openAzure({
      async answer() {
        const pauseMs = isFirst ? 50 : 0;
        isFirst = false;
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
        return 202;
      },
    });
    const realtime = createRealtime({ ...options, azure: connectionString, log });
    for (let n = 0; n < 5; n++) realtime.publish('operation-31', { type: 'operation_update', n });
    await realtime.close();
    expect(calls.map(({ body }) => JSON.parse(body).n)).toEqual([0, 1, 2, 3, 4]);
  });

  test('a message that is not allowed is not sent to Azure either [LIVE-15]', async () => {
    const { calls, connectionString, log } = await openAzure();
    const realtime = createRealtime({ ...options, azure: connectionString, log });
    realtime.publish('user-7', { type: 'user_update', password: 'sesame' });
    await realtime.close();
    expect(calls).toEqual([]);
    expect(log.lines).toMatchObject([{ level: 'error', fields: { fault: 'password looks like a secret' } }]);
  });

  test('a user is disconnected at once, and again when no earlier token can still be valid [LIVE-14]', async () => {
    const { calls, connectionString, log } = await openAzure({ answer: async () => 204 });
    const realtime = createAzureHub({ connectionString, log, secondCloseMs: 60 });
    realtime.disconnectUser(7);
    await vi.waitFor(() => expect(calls).toHaveLength(1), soon);
    expect(calls[0]).toMatchObject({
      method: 'POST',
      path: '/api/hubs/fpay/users/7/:closeConnections',
      query: { 'api-version': apiVersion, reason: 'Signed out or rights changed' },
    });
    await vi.waitFor(() => expect(calls).toHaveLength(2), soon);
    expect(calls[1]).toEqual(calls[0]);
    await realtime.close();
  });

  test('all clients can be made to reconnect', async () => {
    const { calls, connectionString, log } = await openAzure({ answer: async () => 204 });
    const realtime = createRealtime({ ...options, azure: connectionString, log });
    realtime.disconnectAll();
    await realtime.close();
    expect(calls).toMatchObject([{ method: 'POST', path: '/api/hubs/fpay/:closeConnections' }]);
  });

  test('an error of Azure is logged, without the signature, and affects nothing else', async () => {
    const { calls, connectionString, log } = await openAzure({
      answer: async ({ path }) => (path.includes('user-7') ? 400 : 202),
    });
    const realtime = createRealtime({ ...options, azure: connectionString, log });
    realtime.publish('user-7', { type: 'a' });
    realtime.publish('user-7', { type: 'b' });
    realtime.publish('user-8', { type: 'c' });
    await realtime.close();
    expect(calls.map(({ body }) => body).sort()).toEqual(['{"type":"a"}', '{"type":"b"}', '{"type":"c"}']);
    expect(log.lines.map(({ level, message }) => [level, message])).toEqual([
      ['warn', 'Azure call failed'],
      ['warn', 'Azure call failed'],
    ]);
    expect(JSON.stringify(log.lines)).not.toMatch(/Bearer|eyJ/);
  });

  test('a wrong key is noticed', async () => {
    const { calls, connectionString, log } = await openAzure();
    const azure = connectionString.replace(accessKey, 'another key');
    const realtime = createRealtime({ ...options, azure, log });
    realtime.publish('user-7', { type: 'a' });
    await realtime.close();
    expect(calls).toEqual([]);
    expect(log.lines).toHaveLength(1);
  });

  test('a connection string that cannot be right fails at start', () => {
    expect(() => createRealtime({ ...options, azure: 'Endpoint=https://x', log: createLogbook() })).toThrow(
      /access key/,
    );
  });
});
