import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StatusNotification } from '@fpay/ocpp/v16/status-notification';
import { createSandbox } from '@fpay/sandbox';
import type { ChargePoint } from '@fpay/simulator';
import { createRandom } from '@fpay/simulator/src/random.ts';
import { sql } from 'kysely';
import { openDatabase } from '../platform/database.ts';
import { testDatabase } from '../testing/database.ts';
import { startProgram } from '../testing/program.ts';
import type { ServerNode } from '../testing/programs/server-node.ts';
import { freePort } from '../testing/server.ts';
import { createTimeline } from '../testing/timeline.ts';
import { createActs } from './crowd-acts.test-support.ts';
import type { Driver } from './crowd-driver.test-support.ts';
import { addNetwork } from './crowd-network.test-support.ts';

export interface Outage {
  from: number;
  to: number;
}

export interface CrowdOptions {
  drivers: number;
  kills: number;
  /** How many charge points misbehave; the scenarios take turns. */
  misbehaving: number;
  /** Drivers who are at it at the same time. */
  atOnce: number;
  seed: string;
}

/**
 * While drivers pay and charge, and while the watchdogs' time passes: at most. On a busy machine the world runs slower, so
 * that an answer takes no longer of its time than it does of ours, and while the server is away it nearly stands still; then
 * the charge points have a while to come back.
 */
const speed = { charging: 30, restarting: 0.2, returning: 2, waiting: 150 } as const;
/** How long that while is at most, in our time, and how many of those that were there have to be back before. */
const returning = { mostMs: 10_000, share: 0.98 } as const;
/** An answer of the server, in the world's time. */
const answerMs = { charging: 3_000, waiting: 15_000 } as const;
/** The longest that any watchdog, poll or retry of this world waits: an unpaid invoice is asked about for 25 minutes. */
const watchdogTimeMs = 40 * 60_000;

/** A network of real sockets, a bank, a server in a process of its own that is killed at random, and a crowd of drivers. */
export async function runCrowd({ drivers: count, kills, misbehaving, atOnce, seed }: CrowdOptions) {
  const random = createRandom(seed);
  const timeline = createTimeline({ speed: speed.charging });
  const database = await testDatabase();
  const dir = mkdtempSync(join(tmpdir(), 'fpay-crowd-'));
  const sandbox = await createSandbox({ dataDir: dir, clock: timeline.sandbox });
  const sandboxPort = await freePort();
  await sandbox.listen({ port: sandboxPort, host: '127.0.0.1' });
  const port = await freePort();
  const secret = randomBytes(32).toString('hex');
  const url = `http://127.0.0.1:${port}`;
  const bankUrl = `http://127.0.0.1:${sandboxPort}/bank`;
  const env = {
    PORT: String(port),
    SECRET: secret,
    DATA_DIR: dir,
    BANK_URL: bankUrl,
    PUBLIC_URL: url,
    TRUST_PROXY: '127.0.0.1',
  };
  const { db, close } = openDatabase({ url: database.appUrl, poolSize: 8 });

  timeline.setSpeed(speed.restarting);
  let server = await startServer();
  let isClosed = false;
  let isPlaying = true;
  let killed = 0;
  /** Drivers who have done what they came for. */
  let played = 0;

  async function startServer() {
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      const node: ServerNode = { databaseUrl: database.appUrl, env, pace: timeline.pace, usualSpeed: speed.charging };
      const program = startProgram('server-node', JSON.stringify(node));
      const isUp = program.printed('listening').then(() => true);
      if (await Promise.race([isUp, program.ended.then(() => false)])) {
        program.send(timeline.pace);
        return program;
      }
      // It gave up because the database was too busy; whoever runs it in earnest starts it again as well.
    }
    throw new Error('the server does not come up');
  }

  function setPace(next: number): void {
    timeline.setSpeed(next);
    server.send(timeline.pace);
  }

  let phase: 'charging' | 'waiting' = 'charging';
  let isServing = true;

  /** Looks how long the server takes to answer a charge point, its database asked too, and sets the pace by the slowest of late. */
  async function keepPace(): Promise<void> {
    let slowestMs = 0;
    let askedAt: number | null = null;
    async function ask(since: number): Promise<void> {
      const status = { connectorId: 1, status: 'Available', errorCode: 'NoError' } as const;
      // Without a server there is no answer, and nothing to learn.
      const isAnswered = await probe.uplink.call(StatusNotification, status).then(
        () => true,
        () => false,
      );
      if (isAnswered) slowestMs = Math.max(slowestMs, performance.now() - since);
      askedAt = null;
    }
    while (!isClosed) {
      if (askedAt === null && probe.uplink.isOnline) {
        askedAt = performance.now();
        void ask(askedAt);
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
      slowestMs = Math.max(slowestMs * 0.9, askedAt === null ? 1 : performance.now() - askedAt);
      // In its own time the product must work however slow the machine is.
      const next = Math.max(1, Math.min(speed[phase], answerMs[phase] / slowestMs));
      const isOther = Math.abs(next / timeline.pace.speed - 1) > 0.15;
      if (isServing && probe.uplink.isOnline && isOther) setPace(next);
    }
  }

  /** At random moments, as a power cut would, spread over the whole time in which drivers charge. */
  async function killNowAndThen(): Promise<void> {
    const marks = Array.from({ length: kills }, () => random.between(0, count * 0.95)).sort((a, b) => a - b);
    for (const mark of marks) {
      while (played < mark && isPlaying) await new Promise((resolve) => setTimeout(resolve, 50));
      await new Promise<void>((resolve) => timeline.simulator.after(random.between(0, 15_000), resolve));
      isServing = false;
      timeline.setSpeed(speed.restarting);
      const from = timeline.now();
      const online = [...switchedOn].filter(({ uplink }) => uplink.isOnline);
      await server.kill();
      killed += 1;
      server = await startServer();
      setPace(speed.returning);
      await mostAreBack(online);
      outages.push({ from, to: timeline.now() });
      isServing = true;
    }
  }

  async function mostAreBack(online: readonly ChargePoint[]): Promise<void> {
    const until = performance.now() + returning.mostMs;
    const isBack = () => {
      const back = online.filter((device) => device.uplink.isOnline || !switchedOn.has(device));
      return probe.uplink.isOnline && back.length >= online.length * returning.share;
    };
    while (!isBack() && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 50));
  }

  async function openOperations(): Promise<Set<number>> {
    const rows = await db
      .selectFrom('operations')
      .select('id')
      .where('status', 'in', ['created', 'pending', 'starting', 'ongoing', 'finishing', 'pending_final_payment'])
      .execute();
    return new Set(rows.map(({ id }) => id));
  }

  const switchedOn = new Set<ChargePoint>();
  /** Whose charge points are still needed. */
  const served = new Set<Driver>();

  /** Charge points that have told everything of an operation that is over are switched off: only the others matter now. */
  async function dismissServed(): Promise<void> {
    const open = await openOperations();
    for (const driver of served) {
      const { device, operation } = driver;
      const isCharging = device.connector(1).transaction !== null;
      if (isCharging || device.queue.length > 0 || (operation !== null && open.has(operation))) continue;
      driver.leave();
      device.stop();
      switchedOn.delete(device);
      served.delete(driver);
    }
  }

  async function patiently(isDone: () => Promise<boolean>): Promise<void> {
    const until = timeline.now() + watchdogTimeMs;
    while (timeline.now() < until && !(await isDone())) await new Promise((resolve) => setTimeout(resolve, 250));
  }

  /** The bank's callback reports what others did there. A server that is away misses it, and the nightly comparison finds it. */
  async function lookAtTheBank(): Promise<void> {
    await sql`update payments set next_action_at = ${new Date(timeline.now())}, due_claim = due_claim + 1
      where method = 'bank' and status = 'success'`.execute(db);
  }

  async function isMoneyAtRest(): Promise<boolean> {
    const { rows } = await sql<{ count: number }>`
      select (select count(*) from refunds where status in ('asked', 'processing'))
        + (select count(*) from payments where next_action_at is not null and (wanted is not null or status = 'success'))
        as count`.execute(db);
    return Number(rows[0]?.count) === 0;
  }

  async function keepDismissing(): Promise<void> {
    while (!isClosed) {
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      // While the database or the server is busy nobody goes home; the next look is soon.
      await dismissServed().catch(() => {});
    }
  }

  const ground = { db, secret, port, bankUrl, timeline, random, seed };
  const { drivers, probe, staff } = await addNetwork({ ...ground, drivers: count, misbehaving });
  const acts = createActs({ db, bankUrl, staff, timeline, random });
  /** When the server was away, in the world's time: from its end until most charge points are back. */
  const outages: Outage[] = [];
  void keepPace();
  void keepDismissing();
  const devices = [probe, ...drivers.map(({ device }) => device)];

  return {
    db,
    bankUrl,
    drivers,
    outages,
    get kills() {
      return killed;
    },
    /** Everybody pays and charges, the server dies now and then, and then the watchdogs have their time. */
    async play(): Promise<void> {
      const troubling: Promise<void>[] = [];
      const waiting = [...drivers].sort(() => random.next() - 0.5);
      const playing = Promise.all(
        Array.from({ length: atOnce }, async () => {
          for (let next = waiting.shift(); next; next = waiting.shift()) {
            // Switched on when its driver comes: the others would only make every return of the server a storm.
            next.device.start();
            switchedOn.add(next.device);
            let isPlayed = false;
            await acts.prepare(next);
            troubling.push(acts.trouble(next, () => isPlayed));
            await next.play();
            isPlayed = true;
            served.add(next);
            played += 1;
          }
        }),
      );
      const killing = killNowAndThen();
      await playing;
      await killing;
      isPlaying = false;
      for (const driver of served) driver.leave();
      phase = 'waiting';
      await patiently(async () => (await openOperations()).size === 0);
      await Promise.all(troubling);
      await lookAtTheBank();
      await patiently(isMoneyAtRest);
    },
    async close(): Promise<void> {
      isPlaying = false;
      isClosed = true;
      for (const device of devices) device.stop();
      await server.kill();
      await sandbox.close();
      await close();
      await database.drop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

export type Crowd = Awaited<ReturnType<typeof runCrowd>>;
