import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StatusNotification } from '@fpay/ocpp/v16/status-notification';
import { createSandbox } from '@fpay/sandbox';
import type { ChargePoint } from '@fpay/simulator';
import { createRandom } from '@fpay/simulator/src/random.ts';
import { sql } from 'kysely';
import { openDatabase } from '../../platform/database.ts';
import { testDatabase } from '../../testing/database.ts';
import { startProgram } from '../../testing/program.ts';
import type { ServerNode } from '../../testing/programs/server-node.ts';
import { freeTestPort } from '../../testing/server.ts';
import { createTimeline } from '../../testing/timeline.ts';
import { createActs } from './crowd-actions.ts';
import type { Driver } from './crowd-driver.ts';
import { addNetwork } from './crowd-network.ts';

export interface Outage {
  from: number;
  to: number;
}

export interface CrowdOptions {
  drivers: number;
  kills: number;
  /** How many charge points misbehave; the scenarios take turns. */
  misbehaving: number;
  /** How many drivers charge at the same time. */
  atOnce: number;
  seed: string;
}

/**
 * The highest speed while drivers pay and charge, and while the watchdogs' time passes. On a busy machine the stack
 * runs slower, so that an answer takes no longer in its time than in real time. While the server is away time nearly
 * stops; then the charge points have some time to reconnect.
 */
const speed = { charging: 30, restarting: 0.2, returning: 2, waiting: 150 } as const;
/** How long that is at most, in real time, and which share of the connected ones must reconnect before. */
const returning = { mostMs: 60_000, share: 0.98 } as const;
/** The time of one answer of the server, in the stack's time. */
const answerMs = { charging: 3_000, waiting: 15_000 } as const;
/** The longest that any watchdog, poll or retry of this stack waits: an unpaid invoice is polled for 25 minutes. */
const watchdogTimeMs = 40 * 60_000;

/** A network of real sockets, a bank, a server in its own process that is killed at random, and a crowd of drivers. */
export async function runCrowd({ drivers: count, kills, misbehaving, atOnce, seed }: CrowdOptions) {
  const random = createRandom(seed);
  const timeline = createTimeline({ speed: speed.charging });
  const database = await testDatabase();
  const dir = mkdtempSync(join(tmpdir(), 'fpay-crowd-'));
  const sandbox = await createSandbox({ dataDir: dir, clock: timeline.sandbox });
  const sandboxPort = await freeTestPort();
  await sandbox.listen({ port: sandboxPort, host: '127.0.0.1' });
  const port = await freeTestPort();
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
    // Two staff members act on hundreds of charges in a day.
    STAFF_MONEY_LIMIT: '100000000',
  };
  const { db, close } = openDatabase({
    url: database.appUrl,
    poolSize: 8,
    // The test itself waits for a busy machine; it has no user who waits for an answer.
    connectTimeoutMs: 60_000,
  });

  timeline.setSpeed(speed.restarting);
  let server = await startServer();
  let isClosed = false;
  let isPlaying = true;
  let killed = 0;
  /** Drivers who have finished. */
  let played = 0;

  async function startServer() {
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      const node: ServerNode = { databaseUrl: database.appUrl, env, pace: timeline.pace, usualSpeed: speed.charging };
      const program = await startProgram('server-node', JSON.stringify(node));
      const isUp = program.printed('listening').then(() => true);
      if (await Promise.race([isUp, program.ended.then(() => false)])) {
        program.send(timeline.pace);
        return program;
      }
      // The server gave up because the database was too busy; an operator would start it again as well.
    }
    throw new Error('the server does not come up');
  }

  function setPace(next: number): void {
    timeline.setSpeed(next);
    server.send(timeline.pace);
  }

  let phase: 'charging' | 'waiting' = 'charging';
  let isServing = true;

  /**
   * Measures how long the server takes to answer a charge point, including its database, and sets the speed by the
   * slowest recent answer.
   */
  async function keepPace(): Promise<void> {
    let slowestMs = 0;
    let askedAt: number | null = null;
    async function ask(since: number): Promise<void> {
      const status = { connectorId: 1, status: 'Available', errorCode: 'NoError' } as const;
      // Without a server there is no answer and nothing to measure.
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
      // In its own time the product must work on a slow machine too. A server that is too busy to keep the connection of
      // its charge points open gets time, as after a restart.
      const bySpeed = Math.max(1, Math.min(speed[phase], answerMs[phase] / slowestMs));
      const next = probe.uplink.isOnline ? bySpeed : Math.min(bySpeed, speed.returning);
      const isOther = Math.abs(next / timeline.pace.speed - 1) > 0.15;
      if (isServing && !isClosed && isOther) setPace(next);
    }
  }

  /** At random moments, like a power cut, spread over the whole time in which drivers charge. */
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
  /** Drivers whose charge points are still needed. */
  const served = new Set<Driver>();

  /**
   * Charge points that have reported everything of an ended operation are switched off, because only the others matter
   * now.
   */
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

  /**
   * The bank's callback reports what others did there. A server that is away misses it, and the nightly comparison
   * finds it.
   */
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
      // While the database or the server is busy no charge point is switched off; the next check is soon.
      await dismissServed().catch(() => {});
    }
  }

  const ground = { db, secret, port, bankUrl, timeline, random, seed };
  const { drivers, probe, staff } = await addNetwork({ ...ground, drivers: count, misbehaving });
  const acts = createActs({ db, bankUrl, staff, timeline, random });
  /** When the server was away, in the stack's time: from its end until most charge points have reconnected. */
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
    /** All drivers pay and charge, the server dies now and then, and then the watchdogs have their time. */
    async play(): Promise<void> {
      const troubling: Promise<void>[] = [];
      const waiting = [...drivers].sort(() => random.next() - 0.5);
      const playing = Promise.all(
        Array.from({ length: atOnce }, async () => {
          for (let next = waiting.shift(); next; next = waiting.shift()) {
            // Switched on when its driver comes, because all the others would make every restart of the server a
            // reconnect storm.
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
      await acts.closeByStaff(drivers, await openOperations());
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
