import { WebPubSubJsonProtocol } from '@azure/web-pubsub-client';
import { describe, expect, test, vi } from 'vitest';
import { createHandClock, officialClient, openHub } from './testing/loopback.ts';

const soon = { timeout: 5_000, interval: 5 };

/** A hub and an official client of user 7 that may join its own group and one operation's. */
async function setUp(options: Parameters<typeof officialClient>[1] = {}) {
  const hub = await openHub();
  const address = vi.fn(() => hub.realtime.connectionString({ user: 7, groups: ['user-7', 'operation-31'] }));
  return { hub, address, ...officialClient(address, options) };
}

describe('the official client', () => {
  test.each([
    ['reliable', {}],
    ['plain', { protocol: WebPubSubJsonProtocol() }],
  ])(
    'opens the connection string with the %s sub-protocol and receives messages of its groups [API-37]',
    async (_name, options) => {
      const { hub, client, heard: received, connectedAs } = await setUp(options);
      await client.start();
      await vi.waitFor(() => expect(connectedAs).toHaveLength(1), soon);
      await client.joinGroup('user-7');
      await client.joinGroup('operation-31');
      hub.realtime.publish('user-7', { type: 'wallet_balance_update', balance: 312_40 });
      hub.realtime.publish('operation-31', { type: 'operation_update' });
      hub.realtime.publish('operation-32', { type: 'operation_update' });
      hub.realtime.publish('user-7', { type: 'rfid_card_update', eventType: 'cardAdded', cardId: 5 });
      await vi.waitFor(() => expect(received).toHaveLength(3), soon);
      expect(received).toEqual([
        { group: 'user-7', data: { type: 'wallet_balance_update', balance: 312_40 } },
        { group: 'operation-31', data: { type: 'operation_update' } },
        { group: 'user-7', data: { type: 'rfid_card_update', eventType: 'cardAdded', cardId: 5 } },
      ]);
    },
  );

  test('cannot join the group of another user or operation [LIVE-14]', async () => {
    const { hub, client, heard: received } = await setUp();
    await client.start();
    for (const group of ['user-8', 'operation-32']) {
      await expect(client.joinGroup(group)).rejects.toMatchObject({ errorDetail: { name: 'Forbidden' } });
    }
    await client.joinGroup('user-7');
    hub.realtime.publish('user-8', { type: 'x' });
    hub.realtime.publish('operation-32', { type: 'x' });
    hub.realtime.publish('user-7', { type: 'last' });
    await vi.waitFor(() => expect(received).toEqual([{ group: 'user-7', data: { type: 'last' } }]), soon);
  });

  test('can send neither messages nor events', async () => {
    const { client, heard: received } = await setUp();
    await client.start();
    await client.joinGroup('user-7');
    const forbidden = { errorDetail: { name: 'Forbidden' } };
    await expect(client.sendToGroup('user-7', { type: 'x' }, 'json')).rejects.toMatchObject(forbidden);
    await expect(client.sendEvent('hello', 'x', 'text')).rejects.toMatchObject(forbidden);
    await expect(client.invokeEvent('hello', 'x', 'text')).rejects.toMatchObject(forbidden);
    expect(received).toEqual([]);
  });

  test('receives nothing more from a group that it left', async () => {
    const { hub, client, heard: received } = await setUp();
    await client.start();
    await client.joinGroup('user-7');
    await client.joinGroup('operation-31');
    await client.leaveGroup('operation-31');
    hub.realtime.publish('operation-31', { type: 'operation_update' });
    hub.realtime.publish('user-7', { type: 'last' });
    await vi.waitFor(() => expect(received).toEqual([{ group: 'user-7', data: { type: 'last' } }]), soon);
  });

  test('treats a repeated request as done, and a refused one as refused', async () => {
    const { client } = await setUp({ messageRetryOptions: { maxRetries: 1, retryDelayInMs: 5 } });
    await client.start();
    expect(await client.joinGroup('user-7', { ackId: 5 })).toEqual({ ackId: 5, isDuplicated: false });
    expect(await client.joinGroup('user-7', { ackId: 5 })).toEqual({ ackId: 5, isDuplicated: true });
    await expect(client.joinGroup('user-8', { ackId: 6 })).rejects.toMatchObject({
      errorDetail: { name: 'Forbidden' },
    });
  });

  test('receives everything in order while it is connected', async () => {
    const { hub, client, heard: received } = await setUp();
    await client.start();
    await client.joinGroup('user-7');
    for (let n = 0; n < 3_000; n++) hub.realtime.publish('user-7', { type: 'tick', n });
    await vi.waitFor(() => expect(received).toHaveLength(3_000), soon);
    expect(received.map(({ data }) => (data as { n: number }).n)).toEqual(Array.from({ length: 3_000 }, (_, n) => n));
  });

  test('receives only allowed messages; a message that is not allowed is logged without its values [LIVE-15]', async () => {
    const { hub, client, heard: received } = await setUp();
    await client.start();
    await client.joinGroup('user-7');
    hub.realtime.publish('user-7', { type: 'user_update', resetToken: 'sesame' });
    hub.realtime.publish('user-7', { type: 'last' });
    await vi.waitFor(() => expect(received).toEqual([{ group: 'user-7', data: { type: 'last' } }]), soon);
    expect(hub.log.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
    expect(JSON.stringify(hub.log.lines)).not.toContain('sesame');
  });
});

describe('a connection that breaks', () => {
  test('reconnects at once with a fresh address and its groups', async () => {
    const { hub, client, heard: received, connectedAs, address } = await setUp();
    const sockets: Array<{ destroy(): void }> = [];
    hub.server.prependListener('upgrade', (_request, socket) => void sockets.push(socket));
    await client.start();
    await client.joinGroup('user-7');
    await client.joinGroup('operation-31');
    await vi.waitFor(() => expect(connectedAs).toHaveLength(1), soon);
    sockets[0]?.destroy();
    // The client reports `connected` only when its groups are joined again.
    await vi.waitFor(() => expect(connectedAs).toHaveLength(2), soon);
    expect(address).toHaveBeenCalledTimes(2);
    expect(connectedAs[0]).not.toBe(connectedAs[1]);
    hub.realtime.publish('user-7', { type: 'a' });
    hub.realtime.publish('operation-31', { type: 'b' });
    await vi.waitFor(() => expect(received.map(({ group }) => group)).toEqual(['user-7', 'operation-31']), soon);
    expect(hub.realtime.connections()).toBe(1);
  });

  test('reconnects after a restart of the server that was announced to it', async () => {
    const first = await openHub();
    let hub = first;
    const address = () => hub.realtime.connectionString({ user: 7, groups: ['user-7'] });
    const { client, heard: received, connectedAs, partings } = officialClient(address);
    await client.start();
    await client.joinGroup('user-7');
    await first.close();
    await vi.waitFor(() => expect(partings).toEqual(['The server is shutting down']), soon);
    hub = await openHub({ port: first.port });
    await vi.waitFor(() => expect(connectedAs).toHaveLength(2), soon);
    hub.realtime.publish('user-7', { type: 'after' });
    await vi.waitFor(() => expect(received).toEqual([{ group: 'user-7', data: { type: 'after' } }]), soon);
  });

  test('requests a new address when its address has expired [LIVE-14]', async () => {
    const clock = createHandClock();
    const hub = await openHub({ clock });
    const addresses: string[] = [];
    const address = vi.fn(async () => addresses.shift() ?? grant());
    const grant = () => hub.realtime.connectionString({ user: 7, groups: ['user-7'] });
    const { client, connectedAs } = officialClient(address);
    await client.start();
    await vi.waitFor(() => expect(connectedAs).toHaveLength(1), soon);

    addresses.push(await grant());
    clock.advance(60_000);
    // The token of an open connection may expire, because it is only needed to open the connection.
    expect(hub.realtime.connections()).toBe(1);
    hub.realtime.disconnectUser(7);
    clock.advance(1);
    await vi.waitFor(() => expect(connectedAs).toHaveLength(2), soon);
    expect(hub.seen.refused).toEqual(['token']);
    expect(address).toHaveBeenCalledTimes(3);
  });
});

describe('a user who is disconnected', () => {
  test('loses every connection, and the old address is refused [LIVE-14]', async () => {
    const hub = await openHub();
    const grant = () => hub.realtime.connectionString({ user: 7, groups: ['user-7'] });
    const [old, older] = [await grant(), await grant()];
    const other = await hub.realtime.connectionString({ user: 8, groups: ['user-8'] });
    const tabs = [officialClient(async () => old), officialClient(async () => older)];
    const neighbour = officialClient(async () => other);
    for (const { client } of [...tabs, neighbour]) await client.start();
    await neighbour.client.joinGroup('user-8');
    for (const { client } of tabs) await client.joinGroup('user-7');
    expect(hub.realtime.connections()).toBe(3);

    hub.realtime.disconnectUser(7);
    expect(hub.realtime.connections()).toBe(1);
    hub.realtime.publish('user-7', { type: 'private' });
    // The clients retry with the old address again and again.
    await vi.waitFor(() => expect(hub.seen.refused.length).toBeGreaterThanOrEqual(4), soon);
    expect(new Set(hub.seen.refused)).toEqual(new Set(['sent-away']));
    for (const { heard: received, partings } of tabs) {
      expect(partings).toEqual(['Signed out or rights changed']);
      expect(received).toEqual([]);
    }
    hub.realtime.publish('user-8', { type: 'still here' });
    await vi.waitFor(() => expect(neighbour.heard).toHaveLength(1), soon);
    expect(neighbour.partings).toEqual([]);
  });

  test('reconnects with new rights when a new address is granted, for example after a role change', async () => {
    const hub = await openHub();
    let groups = ['user-7', 'operation-31'];
    const { client, connectedAs } = officialClient(() => hub.realtime.connectionString({ user: 7, groups }));
    const rejoinFailed: string[] = [];
    client.on('rejoin-group-failed', ({ group }) => void rejoinFailed.push(group));
    await client.start();
    await client.joinGroup('user-7');
    await client.joinGroup('operation-31');
    groups = ['user-7'];
    hub.realtime.disconnectUser(7);
    await vi.waitFor(() => expect(connectedAs).toHaveLength(2), soon);
    expect(rejoinFailed).toEqual(['operation-31']);
  });

  test('cannot connect with an address that was being made at that time [LIVE-14]', async () => {
    const hub = await openHub();
    const asOf = new Date();
    hub.realtime.disconnectUser(7);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const address = await hub.realtime.connectionString({ user: 7, groups: ['user-7'], asOf });
    await expect(officialClient(async () => address).client.start()).rejects.toThrow();
    expect(hub.seen.refused).toEqual(['sent-away']);
    const fresh = await hub.realtime.connectionString({ user: 7, groups: ['user-7'] });
    await officialClient(async () => fresh).client.start();
  });

  test('is refused, like every user, by a node that may have missed the event, until the rights are read again', async () => {
    const hub = await openHub();
    const old = await hub.realtime.connectionString({ user: 7, groups: ['user-7'] });
    let address = async () => old;
    const { client, heard: received, connectedAs, partings } = officialClient(() => address());
    await client.start();
    await client.joinGroup('user-7');
    hub.realtime.disconnectAll();
    await vi.waitFor(() => expect(hub.seen.refused.length).toBeGreaterThan(0), soon);
    expect(partings).toEqual(['Messages may have been missed']);
    address = () => hub.realtime.connectionString({ user: 7, groups: ['user-7'] });
    await vi.waitFor(() => expect(connectedAs).toHaveLength(2), soon);
    hub.realtime.publish('user-7', { type: 'user_update' });
    await vi.waitFor(() => expect(received).toHaveLength(1), soon);
    expect(new Set(hub.seen.refused)).toEqual(new Set(['sent-away']));
  });

  test('is refused by a node that started after the address was made', async () => {
    const clock = createHandClock();
    const first = await openHub({ clock });
    const address = await first.realtime.connectionString({ user: 7, groups: ['user-7'] });
    await first.close();
    clock.advance(10);
    const second = await openHub({ clock, port: first.port });
    await expect(officialClient(async () => address).client.start()).rejects.toThrow();
    expect(second.seen.refused).toEqual(['sent-away']);
  });
});
