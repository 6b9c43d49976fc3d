import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@fpay/embedded-postgres/start';
import { migrateProduct } from '../src/app/schema.ts';
import { type SeededPoint, seedChargePoints } from './charge-points.ts';
import { watchDatabaseCpu } from './database-cpu.ts';
import type { Order } from './gateway-clients.ts';
import { type Part, startPart } from './processes.ts';

/**
 * Compares the gateway with a plain `ws` server: same clients and messages, one after the other in one run. The gateway
 * has the product's durability, so an answer means that the reading would survive a power failure.
 */
const secret = 'a secret of the bench, long enough for one';
const seconds = Number(process.argv[2] ?? 10);
const warmUpSeconds = 12;
const sockets = 2_000;
const idle = Number(process.argv[3] ?? 10_000);
/** For StatusNotification: fewer sockets than for readings, because connectors change rarely. */
const statusSockets = 200;
const statusesWanted = 5_000;
/** `ONLY=readings`, `ONLY=log`, `ONLY=statuses` or `ONLY=idle` runs one part. */
const isWanted = (part: string) => (process.env.ONLY ?? part) === part;

const dataDir = mkdtempSync(join(tmpdir(), 'fpay-bench-'));
const postgres = await startEmbeddedPostgres({
  dataDir,
  log: { info() {}, warn: (fields, message) => console.warn(message, fields) },
});
const databaseCpuMs = await watchDatabaseCpu(postgres.ownerUrl);
try {
  await migrateProduct({ url: postgres.ownerUrl });
  const points = await seedChargePoints(postgres.ownerUrl, { secret, count: Math.max(sockets, idle) });
  if (isWanted('readings')) {
    const driven = points.slice(0, sockets);
    report(await measure('bare', driven), await measure('gateway', driven));
  }
  if (isWanted('log')) {
    const driven = points.slice(0, sockets);
    // Each twice and in turns, because the machine is not equally fast all the time.
    const without = [await saturate('silent', driven)];
    const kept = [await saturate('gateway', driven), await saturate('gateway', driven)];
    without.push(await saturate('silent', driven));
    reportLog(without, kept);
  }
  if (isWanted('statuses')) {
    const driven = points.slice(0, statusSockets);
    reportStatuses(await measureStatuses('bare', driven), await measureStatuses('gateway', driven));
  }
  if (idle > 0 && isWanted('idle')) await measureIdle(points.slice(0, idle));
} finally {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

/** Messages as fast as they are answered, and the CPU time that they took. */
interface Saturated {
  saturated: { perSecond: number; messages: number; p99: number };
  serverCpuMs: number;
  databaseCpuMs: number;
}

interface Measured extends Saturated {
  /** Every ten seconds, the interval that devices are configured to. */
  usual: Measured['steady'];
  /** Ten times that rate. */
  steady: { perSecond: number; p50: number; p99: number; max: number };
}

type Kind = 'bare' | 'gateway' | 'silent';
type Process = Part;

async function saturate(
  kind: Kind,
  points: SeededPoint[],
  after?: (clients: Process) => Promise<void>,
): Promise<Saturated> {
  const server = await startPart('gateway-server.ts', [kind, postgres.appUrl, secret]);
  const { port } = server.first as { port: number };
  const clients = await startPart('gateway-clients.ts', []);
  const url = `ws://127.0.0.1:${port}/ocpp`;
  await clients.ask({ kind: 'connect', url, points } satisfies Order);
  // A server that runs for weeks has compiled its code; a few seconds of warm-up give the same state.
  await clients.ask({ kind: 'saturate', seconds: warmUpSeconds } satisfies Order);
  const before = await server.ask('cpu');
  const databaseBefore = databaseCpuMs();
  const saturated = (await clients.ask({ kind: 'saturate', seconds } satisfies Order)) as Measured['saturated'];
  const cpu = await server.ask('cpu');
  const databaseAfter = databaseCpuMs();
  await after?.(clients);
  await clients.end();
  await server.end();
  return {
    saturated,
    serverCpuMs: Number(cpu.cpuMs) - Number(before.cpuMs),
    databaseCpuMs: databaseAfter - databaseBefore,
  };
}

async function measure(kind: Kind, points: SeededPoint[]): Promise<Measured> {
  let steady: Measured['steady'] | undefined;
  let usual: Measured['steady'] | undefined;
  const saturated = await saturate(kind, points, async (clients) => {
    steady = (await clients.ask({ kind: 'steady', seconds, everyMs: 1000 } satisfies Order)) as Measured['steady'];
    const order: Order = { kind: 'steady', seconds: 10, everyMs: 10_000 };
    usual = (await clients.ask(order)) as Measured['steady'];
  });
  return { ...saturated, steady: steady as Measured['steady'], usual: usual as Measured['steady'] };
}

function report(bare: Measured, gateway: Measured): void {
  const per1000 = (ms: number, { saturated }: Measured) => (ms / saturated.messages).toFixed(3);
  const line = (name: string, of: Measured) =>
    console.log(
      `${name}: ${Math.round(of.saturated.perSecond)} messages/s at ${sockets} sockets, CPU-seconds per 1,000: ` +
        `server ${per1000(of.serverCpuMs, of)}, PostgreSQL ${per1000(of.databaseCpuMs, of)}; at one a second each ` +
        `(${Math.round(of.steady.perSecond)}/s): p50 ${of.steady.p50.toFixed(1)} ms, p99 ${of.steady.p99.toFixed(1)} ms, ` +
        `longest ${of.steady.max.toFixed(1)} ms`,
    );
  line('bare ws', bare);
  line('gateway', gateway);
  const ratio = gateway.saturated.perSecond / bare.saturated.perSecond;
  console.log(`MeterValues: ${ratio.toFixed(2)} of the plain server (at least 0.5)`);
  console.log(
    `answer p99 at ${sockets} sockets, one in ten seconds each: ${gateway.usual.p99.toFixed(1)} ms (under 50), ` +
      `bare ws ${bare.usual.p99.toFixed(1)} ms`,
  );
}

/** What the log of messages costs: stored readings a second with it and without it, and CPU time, which varies less. */
function reportLog(without: Saturated[], kept: Saturated[]): void {
  const sum = (all: Saturated[], of: (one: Saturated) => number) => all.reduce((total, one) => total + of(one), 0);
  const perSecond = (all: Saturated[]) => sum(all, ({ saturated }) => saturated.perSecond) / all.length;
  // CPU-milliseconds per thousand messages are CPU-seconds per million.
  const perMillion = (all: Saturated[], of: (one: Saturated) => number) =>
    (1000 * sum(all, of)) / sum(all, ({ saturated }) => saturated.messages);
  const cpu = (all: Saturated[]) => {
    const server = perMillion(all, ({ serverCpuMs }) => serverCpuMs);
    const database = perMillion(all, ({ databaseCpuMs }) => databaseCpuMs);
    return { sum: server + database, text: `${server.toFixed(1)} + ${database.toFixed(1)}` };
  };
  const share = (less: number, more: number) => `${(100 * (1 - less / more)).toFixed(1)}%`;
  console.log(
    `message log: ${Math.round(perSecond(kept))} readings/s with it, ${Math.round(perSecond(without))} without, ` +
      `${share(perSecond(kept), perSecond(without))} (at most 10); CPU-seconds of server + PostgreSQL for a million ` +
      `readings: ${cpu(kept).text} with it, ${cpu(without).text} without, ${share(cpu(without).sum, cpu(kept).sum)}`,
  );
}

interface MeasuredStatuses {
  perSecond: number;
  messages: number;
  p50: number;
  p99: number;
  serverCpuMs: number;
  databaseCpuMs: number;
}

/** Every status changes a connector, one after the other on each socket. */
async function measureStatuses(kind: 'bare' | 'gateway', points: SeededPoint[]): Promise<MeasuredStatuses> {
  const server = await startPart('gateway-server.ts', [kind, postgres.appUrl, secret]);
  const { port } = server.first as { port: number };
  const clients = await startPart('gateway-clients.ts', []);
  const order = { kind: 'saturate', message: 'StatusNotification' } as const;
  await clients.ask({ kind: 'connect', url: `ws://127.0.0.1:${port}/ocpp`, points } satisfies Order);
  await clients.ask({ ...order, seconds: warmUpSeconds } satisfies Order);
  const before = await server.ask('cpu');
  const databaseBefore = databaseCpuMs();
  const saturated = (await clients.ask({ ...order, seconds } satisfies Order)) as unknown as MeasuredStatuses;
  const databaseAfter = databaseCpuMs();
  const after = await server.ask('cpu');
  await clients.end();
  await server.end();
  return {
    ...saturated,
    serverCpuMs: Number(after.cpuMs) - Number(before.cpuMs),
    databaseCpuMs: databaseAfter - databaseBefore,
  };
}

function reportStatuses(bare: MeasuredStatuses, gateway: MeasuredStatuses): void {
  const per1000 = (ms: number, { messages }: MeasuredStatuses) => (ms / messages).toFixed(3);
  const line = (name: string, of: MeasuredStatuses) =>
    console.log(
      `${name}: ${Math.round(of.perSecond)} statuses/s at ${statusSockets} sockets, CPU-seconds per 1,000: server ` +
        `${per1000(of.serverCpuMs, of)}, PostgreSQL ${per1000(of.databaseCpuMs, of)}; p50 ${of.p50.toFixed(1)} ms, ` +
        `p99 ${of.p99.toFixed(1)} ms`,
    );
  line('bare ws', bare);
  line('gateway', gateway);
  const ratio = gateway.perSecond / bare.perSecond;
  console.log(
    `StatusNotification: ${ratio.toFixed(2)} of the plain server, ${Math.round(gateway.perSecond)}/s (at least ${statusesWanted})`,
  );
}

/** Two client processes, so that the server is measured and not one client. */
async function measureIdle(points: SeededPoint[]): Promise<void> {
  const server = await startPart('gateway-server.ts', ['gateway', postgres.appUrl, secret], ['--expose-gc']);
  const { port } = server.first as { port: number };
  const url = `ws://127.0.0.1:${port}/ocpp`;
  const empty = await server.ask('memory');
  const crowd = [await startPart('gateway-clients.ts', []), await startPart('gateway-clients.ts', [])];
  const half = Math.ceil(points.length / 2);
  const shares = [points.slice(0, half), points.slice(half)];
  const connectAll = (status: string) =>
    Promise.all(
      crowd.map((clients, index) => {
        const order: Order = { kind: 'connect', url, points: shares[index] ?? [], boots: true, atOnce: 500, status };
        return clients.ask(order);
      }),
    );
  await connectAll('Available');
  await new Promise((resolve) => setTimeout(resolve, 20_000));
  const full = await server.ask('memory');
  const perConnection = (Number(full.rss) - Number(empty.rss)) / points.length / 1024;
  console.log(`${points.length} idle charge points: ${perConnection.toFixed(1)} KiB each (under 40)`);

  await Promise.all(crowd.map((clients) => clients.ask({ kind: 'drop' } satisfies Order)));
  const startedAt = performance.now();
  const storm = (await connectAll('Preparing')) as { connected: number; failed: number; bootedSeconds: number }[];
  const took = (performance.now() - startedAt) / 1000;
  const connected = storm.reduce((sum, one) => sum + one.connected, 0);
  const failed = storm.reduce((sum, one) => sum + one.failed, 0);
  const booted = Math.max(...storm.map(({ bootedSeconds }) => bootedSeconds));
  console.log(
    `reconnect storm: ${connected} reconnected and booted in ${booted.toFixed(1)} s (within 30), ${failed} failed`,
  );
  console.log(`all ${2 * connected} statuses stored ${(took - booted).toFixed(1)} s after the last boot (within 10)`);
  for (const clients of crowd) await clients.end();
  await server.end();
}
