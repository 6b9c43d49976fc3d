import { once } from 'node:events';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { RPCClient, RPCServer } from 'ocpp-rpc';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { createLink, socketOptions } from './link.ts';
import { conforms, type Message } from './message.ts';
import { handlers, on } from './routes.ts';
import type { JsonSchema } from './schema.ts';
import * as v16 from './v16/index.ts';

const timestamp = '2026-11-15T10:00:00Z';
const cleanUps: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

describe('the independent implementation', () => {
  it('as a strict client gets answers from our link, and answers its calls', async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1', ...socketOptions });
    cleanUps.push(() => server.close());
    await once(server, 'listening');
    const connected = once(server, 'connection');
    const client = new RPCClient({
      endpoint: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
      identity: 'CP1',
      protocols: ['ocpp1.6'],
      strictMode: true,
    } as ConstructorParameters<typeof RPCClient>[0]);
    cleanUps.push(() => client.close({ force: true }));
    client.handle('RemoteStartTransaction', async ({ params }) => ({
      status: params?.idTag === 'TAG' ? 'Accepted' : 'Rejected',
    }));
    await client.connect();
    const [socket] = (await connected) as [WebSocket];
    const link = createLink(socket, {
      context: null,
      handlers: handlers(
        on(v16.BootNotification, () => ({ status: 'Accepted', currentTime: timestamp, interval: 300 })),
        on(v16.StartTransaction, () => ({ transactionId: 77, idTagInfo: { status: 'Accepted' } })),
        on(v16.MeterValues, () => ({})),
      ),
    });

    expect(await client.call('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' })).toMatchObject({
      status: 'Accepted',
    });
    expect(await client.call('StartTransaction', { connectorId: 1, idTag: 'TAG', meterStart: 0, timestamp })).toEqual({
      transactionId: 77,
      idTagInfo: { status: 'Accepted' },
    });
    expect(await link.call(v16.RemoteStartTransaction, { idTag: 'TAG', connectorId: 1 })).toEqual({
      status: 'Accepted',
    });
    await expect(link.call(v16.ClearCache, {})).rejects.toMatchObject({ failure: 'refused', fault: 'unknownAction' });
    await expect(client.call('Heartbeat', {})).rejects.toMatchObject({ rpcErrorCode: 'NotImplemented' });
  });

  it('as a strict server answers our link, and calls it', async () => {
    const server = new RPCServer({ protocols: ['ocpp1.6'], strictMode: true } as ConstructorParameters<
      typeof RPCServer
    >[0]);
    const http = await server.listen(0, '127.0.0.1');
    cleanUps.push(() => server.close({ force: true }));
    const answers: unknown[] = [];
    const connected = once(server, 'client');
    const socket = new WebSocket(
      `ws://127.0.0.1:${(http.address() as AddressInfo).port}/CP1`,
      'ocpp1.6',
      socketOptions,
    );
    cleanUps.push(() => socket.terminate());
    await once(socket, 'open');
    const [client] = (await connected) as [InstanceType<typeof RPCClient>];
    client.handle('StopTransaction', async ({ params }) => {
      answers.push(params);
      return {};
    });
    const link = createLink(socket, {
      context: null,
      handlers: handlers(on(v16.Reset, () => ({ status: 'Rejected' }))),
    });

    const stop = {
      transactionId: 5,
      meterStop: 100,
      timestamp,
      reason: 'Remote' as const,
      transactionData: [{ timestamp, sampledValue: [{ value: '100', unit: 'Wh' as const }] }],
    };
    expect(await link.call(v16.StopTransaction, stop)).toEqual({});
    expect(answers).toEqual([stop]);
    expect(await client.call('Reset', { type: 'Soft' })).toEqual({ status: 'Rejected' });
    await expect(client.call('ClearCache', {})).rejects.toMatchObject({ rpcErrorCode: 'NotImplemented' });
  });
});

describe('the strict schemas of the standard accept everything that we may send:', () => {
  const require = createRequire(import.meta.url);
  const { createValidator } = require('ocpp-rpc') as {
    createValidator: (protocol: string, schemas: unknown) => { validate(id: string, payload: unknown): boolean };
  };
  const standard = createValidator('ocpp1.6', require('ocpp-rpc/lib/schemas/ocpp1_6.json'));
  const messages: [string, Message][] = Object.values(v16).map((message) => [message.action, message]);

  it.each(messages)('%s', (action, { request, response }) => {
    for (const [id, schema] of [
      [`urn:${action}.req`, request],
      [`urn:${action}.conf`, response],
    ] as const) {
      fc.assert(
        fc.property(arbitraryOf(schema.json), (payload) => {
          expect(conforms(schema, payload)).toBe(true);
          expect(standard.validate(id, payload)).toBe(true);
        }),
        { numRuns: 50 },
      );
    }
  });
});

/** Generates any value that our own strict description allows. */
function arbitraryOf(json: JsonSchema): fc.Arbitrary<unknown> {
  if (Array.isArray(json.enum)) return fc.constantFrom(...(json.enum as string[]));
  switch (json.type) {
    case 'string':
      if (json.format === 'instant') {
        const [min, max] = [new Date('2015-01-01'), new Date('2099-12-31')];
        return fc.date({ min, max, noInvalidDate: true }).map((date) => date.toISOString());
      }
      if (json.format === 'address') return fc.webUrl({ validSchemes: ['ftp', 'https'] });
      return fc
        .string({
          minLength: (json.minLength as number | undefined) ?? 0,
          maxLength: Math.min((json.maxLength as number | undefined) ?? 100, 500),
          unit: 'binary',
        })
        .filter((text) => !text.includes('\0'));
    case 'integer':
      return fc.maxSafeInteger().map((value) => {
        const [min, max] = [json.minimum as number, json.maximum as number];
        return min + (Math.abs(value) % (max - min + 1));
      });
    case 'number':
      return fc.integer({ min: 0, max: 4_000_000 }).map((tenths) => tenths / 10);
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(arbitraryOf(json.items as JsonSchema), { maxLength: 3 });
    default: {
      const properties = Object.entries((json.properties ?? {}) as Record<string, JsonSchema>);
      return fc.record(Object.fromEntries(properties.map(([name, property]) => [name, arbitraryOf(property)])), {
        requiredKeys: json.required as string[],
        noNullPrototype: true,
      });
    }
  }
}
