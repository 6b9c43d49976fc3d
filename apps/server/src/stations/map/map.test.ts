import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { getMapStations, type MapChunk, mapSinceHeader, mapVersionHeader } from '@fpay/contract/stations';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeStatuses } from '../../ocpp/recovery/status-store.ts';
import type { Client } from '../../testing/client.ts';
import { type StationServer, startStationServer } from '../testing/server.ts';
import { encodingFor } from './send.ts';

let server: StationServer;
let secondNode: StationServer;
let partyId: number;
let member: Client;
let visitor: Client;

beforeAll(async () => {
  server = await startStationServer();
  partyId = await server.network.party(true);
  await server.network.station({
    number: 'F1001',
    connectors: [{ type: 'ccstype2' }, { type: 'type2', status: 'Preparing' }],
  });
  await server.network.station({ number: 'F1002', isOnline: false });
  await server.network.station({ number: 'F1003', lat: 50.45, lon: 30.523 });
  await server.network.station({ number: 'F1004', lat: 49.838, lon: 24.023, partyId });
  // As in production: at most one drawing in 2 seconds.
  secondNode = await startStationServer({ database: server.database, redrawEveryMs: 2_000 });
  member = await server.signedIn(await server.network.user(partyId));
  visitor = server.client();
  await untilMap(server, (chunks) => chunks.length === 2);
});
afterAll(async () => {
  await secondNode?.close();
  await server?.close();
});

async function read(client: Client, since?: string) {
  const { status, body, headers } = await client.get(
    `/api/map/stations${since === undefined ? '' : `?since=${since}`}`,
  );
  return { status, chunks: body as MapChunk[], headers, version: headers.get(mapVersionHeader) ?? '' };
}

/** The answer is in memory and follows the database within 3 seconds, so it is polled until it matches. */
async function untilMap(
  node: StationServer,
  isSeen: (chunks: MapChunk[]) => boolean,
  client = node.client(),
): Promise<number> {
  const start = Date.now();
  for (;;) {
    const { chunks } = await read(client);
    if (isSeen(chunks)) return Date.now() - start;
    if (Date.now() - start > 10_000) throw new Error(`not seen on the map: ${JSON.stringify(chunks)}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

const numbers = (chunks: MapChunk[]) => chunks.map(({ stations }) => stations.map(({ number }) => number));
const statusOf = (chunks: MapChunk[], wanted: string) =>
  chunks.flatMap(({ stations }) => stations).find(({ number }) => number === wanted)?.connectors[0]?.status;

async function report(chargePoint: string, status: string): Promise<void> {
  const { id } = await server.db
    .selectFrom('charge_points')
    .select('id')
    .where('identity', '=', chargePoint)
    .executeTakeFirstOrThrow();
  const report = { chargePointId: id, ocppConnector: 1, status, errorCode: 'NoError', deviceAt: null, receivedAt: 0 };
  await server.steps.run(async (step) => {
    await writeStatuses(step.db, [report], { hold: null, now: new Date() });
    step.afterCommit(server.outbox.wake);
  });
}

describe('the map', () => {
  it('is a list of chunks with their stations and connectors, for anyone [API-38] [API-39]', async () => {
    const { status, chunks } = await read(visitor);
    expect(status).toBe(200);
    expect(getMapStations.reply.safeParse(chunks).error).toBeUndefined();
    expect(chunks[0]).toEqual({
      lat: 48.4647,
      lon: 35.0462,
      stations: [
        {
          number: 'F1001',
          address: 'F1001 St, 1, Dnipro',
          address_uk: 'вул. F1001, 1, Дніпро',
          is_online: true,
          connectors: [
            { type: 'ccstype2', status: 'free' },
            { type: 'type2', status: 'ready' },
          ],
        },
        {
          number: 'F1002',
          address: 'F1002 St, 1, Dnipro',
          address_uk: 'вул. F1002, 1, Дніпро',
          is_online: false,
          connectors: [{ type: 'ccstype2', status: 'unknown' }],
        },
      ],
    });
  });

  it('comes compressed, tagged by variant, and not again while nothing changed [API-39]', async () => {
    const ask = (headers: Record<string, string>) => fetch(`${server.url}/api/map/stations`, { headers });
    const plain = await ask({ 'accept-encoding': 'identity' });
    expect(plain.headers.get('content-encoding')).toBeNull();
    const body = await plain.text();
    expect(plain.headers.get('cache-control')).toBe('private, no-cache');
    expect(plain.headers.get('vary')).toContain('accept-encoding');
    for (const [encoding, unpack] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const raw = await rawBody(`${server.url}/api/map/stations`, encoding);
      expect(raw.encoding).toBe(encoding);
      expect(unpack(raw.body).toString()).toBe(body);
    }
    const etag = plain.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"public-/);
    const again = await ask({ 'accept-encoding': 'identity', 'if-none-match': `W/"other", ${etag}` });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
    const own = await member.get('/api/map/stations', { 'accept-encoding': 'identity', 'if-none-match': etag });
    expect([own.status, own.headers.get('etag')?.startsWith(`"party-${partyId}-`)]).toEqual([200, true]);
    // A second node has drawn the same map and gives it the same tag.
    const elsewhere = await fetch(`${secondNode.url}/api/map/stations`, { headers: { 'accept-encoding': 'identity' } });
    expect(elsewhere.headers.get('etag')).toBe(etag);
  });

  it("has a closed party's stations for its members alone [PARTY-19]", async () => {
    const stranger = await server.signedIn(await server.network.user(await server.network.party(true)));
    expect(numbers((await read(visitor)).chunks).flat()).not.toContain('F1004');
    expect(numbers((await read(stranger)).chunks).flat()).not.toContain('F1004');
    expect(numbers((await read(member)).chunks).flat()).toContain('F1004');
    // The changes sent to outsiders do not contain them either.
    const { version } = await read(member);
    await report('CP-F1004', 'Charging');
    await untilMap(server, (chunks) => statusOf(chunks, 'F1004') === 'charging', member);
    expect((await read(visitor, version)).chunks).toEqual([]);
    expect(numbers((await read(member, version)).chunks)).toEqual([['F1004']]);
  });

  it('shows a change within 3 seconds, on every node, and with `since` only what changed [API-39]', async () => {
    const { version: before } = await read(visitor);
    await report('CP-F1001', 'Charging');
    const isSeen = (chunks: MapChunk[]) => statusOf(chunks, 'F1001') === 'charging';
    const [took, tookElsewhere] = await Promise.all([untilMap(server, isSeen), untilMap(secondNode, isSeen)]);
    expect(Math.max(took, tookElsewhere)).toBeLessThan(3_000);

    // Each node continues what the other one began.
    for (const node of [server, secondNode]) {
      const { chunks, headers, version } = await read(node.client(), before);
      expect(headers.get(mapSinceHeader)).toBe(before);
      expect(numbers(chunks)).toEqual([['F1001', 'F1002']]);
      expect(statusOf(chunks, 'F1001')).toBe('charging');
      const after = await read(secondNode.client(), version);
      expect([after.chunks, after.headers.get(mapSinceHeader)]).toEqual([[], version]);
    }
  });

  it('sends a marker that is gone as a chunk without stations', async () => {
    const moved = await server.network.station({ number: 'F1009', lat: 46.477, lon: 30.733 });
    await untilMap(server, (chunks) => numbers(chunks).flat().includes('F1009'));
    const { version } = await read(visitor);
    await server.steps.run(async (step) => {
      await step.db.updateTable('stations').set({ lat: 46.4771 }).where('id', '=', moved.id).execute();
      step.publish('station', moved.id);
    });
    await untilMap(server, (chunks) => chunks.some(({ lat }) => lat === 46.4771));
    const { chunks } = await read(visitor, version);
    expect(chunks.map(({ lat, stations }) => [lat, stations.length]).toSorted()).toEqual([
      [46.477, 0],
      [46.4771, 1],
    ]);
  });

  it.each(['0', 'yesterday', '', 'abcdef-1', 'MARK-0', 'MARK-999999999999999', 'MARK--1'])(
    'is sent as a whole for a version that cannot be continued: %j',
    async (given) => {
      const [mark = ''] = (await read(visitor)).version.split('-');
      const { status, chunks, headers } = await read(visitor, given.replace('MARK', mark));
      expect([status, headers.has(mapSinceHeader)]).toEqual([200, false]);
      expect(chunks.length).toBeGreaterThan(1);
    },
  );
});

it.each([
  [undefined, 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=1.0, br;q=0', 'gzip'],
  ['br;q=0.0, gzip;q=0', 'identity'],
  ['deflate', 'identity'],
])('a client that accepts %j gets %s', (accepted, encoding) => {
  expect(encodingFor(accepted)).toBe(encoding);
});

/** `fetch` decompresses by itself, so the bytes are read with a plain client. */
async function rawBody(url: string, encoding: string): Promise<{ body: Buffer; encoding: string | undefined }> {
  const { get } = await import('node:http');
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': encoding } }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => resolve({ body: Buffer.concat(parts), encoding: response.headers['content-encoding'] }));
    }).on('error', reject);
  });
}
