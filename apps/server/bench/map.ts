import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import { getMapStations, type MapChunk, mapSinceHeader, mapVersionHeader } from '@fpay/contract/stations';
import { startEmbeddedPostgres } from '@fpay/embedded-postgres/start';
import { removeEmbeddedPostgres } from '@fpay/embedded-postgres/stop';
import { pino } from 'pino';
import { createSessions } from '../src/account/sign-in/sessions.ts';
import { migrateProduct } from '../src/app/schema.ts';
import { writeStatuses } from '../src/ocpp/recovery/status-store.ts';
import { createPartyStore } from '../src/party/store.ts';
import { systemClock } from '../src/platform/clock.ts';
import { openDatabase } from '../src/platform/database.ts';
import { createSessionCookies } from '../src/platform/http/cookies.ts';
import { createNonces } from '../src/platform/http/nonces.ts';
import { createRoutes } from '../src/platform/http/routes.ts';
import { createHttpServer } from '../src/platform/http/server.ts';
import { createOutbox } from '../src/platform/outbox.ts';
import { createRateLimits } from '../src/platform/rate-limits.ts';
import { createSteps } from '../src/platform/step.ts';
import { createMetrics } from '../src/platform/watching/metrics.ts';
import { createMapService } from '../src/stations/map/service.ts';
import { stationRoutes } from '../src/stations/routes.ts';
import { createStationService } from '../src/stations/service.ts';
import { createStationStore } from '../src/stations/store.ts';
import { requestsPerSecond } from './http-load.ts';
import { writeLargeNetwork } from './large-network.ts';

/** Measures the map of a large network: requests per second, size, delay of a change, and cost of a change. */
const count = Number(process.env.BENCH_STATIONS ?? 50_000);
const seconds = Number(process.env.BENCH_SECONDS ?? 8);
const goals = { leastRatio: 0.8, mostBytes: 2_000_000, mostVisibleMs: 3_000, mostSinceBytes: 20_000 };
const changesMeasured = 8;

const quiet = { info() {}, warn: (fields: object, message: string) => console.warn(message, fields) };

async function main(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'fpay-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir, log: quiet });
  try {
    await migrateProduct({ url: postgres.ownerUrl });
    process.exitCode = (await measure(postgres.appUrl, dataDir)) ? 0 : 1;
  } finally {
    await postgres.stop();
    await removeEmbeddedPostgres(dataDir, 'full');
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function measure(databaseUrl: string, dataDir: string): Promise<boolean> {
  const server = await startServer(databaseUrl, dataDir);
  const { db, url, steps, outbox, map, serveStatic } = server;
  await writeLargeNetwork(db, count);
  const startedAt = performance.now();
  map.start();
  const first = await firstMap(url);
  console.log(`${count} stations read and compressed in ${Math.round(performance.now() - startedAt)} ms`);
  showQualities(first.text);

  const chunks = JSON.parse(first.text) as MapChunk[];
  const problems = getMapStations.reply.safeParse(chunks).error;
  if (problems) throw new Error(`the map violates the contract: ${problems.message}`);

  await serveStatic(first.body);
  const load = { headers: { 'accept-encoding': 'br' }, connections: 8, seconds };
  const rounds: { map: number; file: number }[] = [];
  for (let round = 0; round < 3; round += 1) {
    rounds.push({
      file: await requestsPerSecond({ ...load, url: `${url}/map.json` }),
      map: await requestsPerSecond({ ...load, url: `${url}/api/map/stations` }),
    });
  }
  const best = (key: 'map' | 'file') => Math.max(...rounds.map((round) => round[key]));
  const ratio = best('map') / best('file');

  const visible: number[] = [];
  for (let change = 0; change < changesMeasured; change += 1) {
    // Spread over the worker's interval of two seconds.
    await new Promise((resolve) => setTimeout(resolve, change * 330));
    visible.push(await visibleAfter());
  }
  const sinceBytes = await sinceHundredChanges();

  console.log('changes visible after (ms):', visible.map(Math.round).join(', '));
  const worst = Math.max(...visible);
  console.table([
    { what: 'requests/s, map', value: best('map').toFixed(0), goal: '' },
    { what: 'requests/s, static file of the same bytes', value: best('file').toFixed(0), goal: '' },
    { what: 'map against static file', value: ratio.toFixed(2), goal: `at least ${goals.leastRatio}` },
    { what: 'body, brotli (bytes)', value: first.body.length, goal: `at most ${goals.mostBytes}` },
    { what: 'change visible after (ms), worst', value: worst.toFixed(0), goal: `at most ${goals.mostVisibleMs}` },
    { what: '?since= after 100 changes (bytes)', value: sinceBytes, goal: `under ${goals.mostSinceBytes}` },
  ]);
  await server.close();
  return (
    ratio >= goals.leastRatio &&
    first.body.length <= goals.mostBytes &&
    worst <= goals.mostVisibleMs &&
    sinceBytes < goals.mostSinceBytes
  );

  /** Time from the commit of a connector's status until the whole map contains it; polled by ETag as a page does. */
  async function visibleAfter(): Promise<number> {
    const { number, status } = await toggle(1 + Math.floor(Math.random() * count));
    const committedAt = performance.now();
    for (let etag = ''; performance.now() - committedAt < 20_000; ) {
      const seen = await read(`${url}/api/map/stations`, etag);
      etag = seen.etag;
      if (firstStatusOf(number, seen.text) === status) return seen.tookUntil - committedAt;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`${number} never became ${status} on the map`);
  }

  async function toggle(chargePointId: number) {
    const { identity } = await db
      .updateTable('charge_points')
      .set({ is_online: true })
      .where('id', '=', chargePointId)
      .returning('identity')
      .executeTakeFirstOrThrow();
    const before = await db
      .selectFrom('connectors')
      .select('ocpp_status')
      .where('charge_point_id', '=', chargePointId)
      .where('ocpp_connector', '=', 1)
      .executeTakeFirstOrThrow();
    const [word, status] = before.ocpp_status === 'Charging' ? ['Preparing', 'ready'] : ['Charging', 'charging'];
    const report = { chargePointId, ocppConnector: 1, status: word ?? '', errorCode: 'NoError', deviceAt: null };
    await steps.run(async (step) => {
      await writeStatuses(step.db, [{ ...report, receivedAt: 0 }], { hold: null, now: new Date() });
      step.afterCommit(outbox.wake);
    });
    return { number: identity.slice('CP-'.length), status };
  }

  async function sinceHundredChanges(): Promise<number> {
    await visibleAfter();
    const { version } = await read(`${url}/api/map/stations`);
    for (let change = 0; change < 100; change += 1) await toggle(1 + change * Math.floor(count / 100));
    await visibleAfter();
    const { body, text, since } = await read(`${url}/api/map/stations?since=${version}`);
    const changed = (JSON.parse(text) as MapChunk[]).length;
    if (since === null || changed < 100) throw new Error(`since returned ${changed} chunks`);
    return body.length;
  }
}

function firstStatusOf(number: string, text: string): string | undefined {
  const station = text.slice(text.indexOf(`"number":"${number}"`));
  return /^[^\]]*?"connectors":\[\{"type":"\w+","status":"(\w+)"/.exec(station.slice(0, 1_000))?.[1];
}

/** Until the worker has read everything for the first time, the server answers that the map is not ready. */
async function firstMap(url: string) {
  while ((await fetch(`${url}/api/map/stations`, { headers: { 'accept-encoding': 'br' } })).status !== 200);
  return read(`${url}/api/map/stations`);
}

interface Seen {
  etag: string;
  /** Empty when nothing changed since the ETag. */
  body: Buffer;
  text: string;
  version: string;
  since: string | null;
  tookUntil: number;
}

async function read(url: string, etag = ''): Promise<Seen> {
  const headers = { 'accept-encoding': 'br', 'if-none-match': etag };
  return new Promise((resolve, reject) => {
    get(url, { headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        const tookUntil = performance.now();
        const body = Buffer.concat(parts);
        const text = body.length > 0 ? brotliDecompressSync(body).toString() : '';
        const header = (name: string) => (response.headers[name] as string | undefined) ?? null;
        const [version, since] = [header(mapVersionHeader) ?? '', header(mapSinceHeader)];
        resolve({ etag: header('etag') ?? '', body, text, version, since, tookUntil });
      });
    }).on('error', reject);
  });
}

/** By CPU time, which does not depend on other processes. */
function showQualities(text: string): void {
  const rows = [1, 3, 4, 5, 6].map((quality) => {
    const before = process.cpuUsage();
    const { length } = brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
    const { user, system } = process.cpuUsage(before);
    return { quality, ms: Math.round((user + system) / 1000), bytes: length };
  });
  console.log(`${text.length} characters of JSON, compressed with brotli:`);
  console.table(rows);
}

/** The server's own parts with the stations' endpoints, and a file of the same size for comparison. */
async function startServer(databaseUrl: string, dataDir: string) {
  const log = pino({ level: 'silent' });
  const clock = systemClock;
  const { db, close: closeDatabase } = openDatabase({ url: databaseUrl, poolSize: 4 });
  const outbox = createOutbox({ db, url: databaseUrl, log });
  const steps = createSteps(db, outbox.wake);
  const publicUrl = new URL('http://127.0.0.1');
  const metrics = createMetrics();
  const app = await createHttpServer({ log, metrics, publicUrl, trustProxy: [], imageHosts: [], connectHosts: [] });
  const routes = createRoutes({
    app,
    sessions: createSessions(db, clock),
    cookies: createSessionCookies(false),
    nonces: createNonces(db, clock),
    limits: createRateLimits(db, clock),
    clock,
    isDown: () => false,
    checkReplies: false,
  });
  const map = createMapService({ databaseUrl, outbox, log });
  const stations = createStationStore(db);
  const service = createStationService({ stations, parties: createPartyStore(db), clock });
  stationRoutes(routes, { service, map, photos: stations.photos });
  const files = join(dataDir, 'static');
  mkdirSync(files);
  await app.register(fastifyStatic, { root: files, preCompressed: true, cacheControl: false });
  await outbox.start();
  await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    db,
    steps,
    map,
    outbox,
    url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    async serveStatic(body: Buffer): Promise<void> {
      writeFileSync(join(files, 'map.json'), brotliDecompressSync(body));
      writeFileSync(join(files, 'map.json.br'), body);
    },
    async close(): Promise<void> {
      await app.close();
      await map.stop();
      await outbox.stop();
      await closeDatabase();
    },
  };
}

await main();
