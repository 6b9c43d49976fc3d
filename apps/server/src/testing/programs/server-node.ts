import { pino } from 'pino';
import { createApp } from '../../app.ts';
import { readConfig } from '../../config.ts';
import { type Timings, usualTimings } from '../../ocpp/timings.ts';
import { createTimeline, type Pace } from '../timeline.ts';

/** The whole server in a process of its own, on a time that the test sets the pace of, so that it can be killed anywhere. */
export interface ServerNode {
  databaseUrl: string;
  env: Record<string, string>;
  pace: Pace;
  /** The pace at which most of it happens. */
  usualSpeed: number;
}

const { databaseUrl, env, pace, usualSpeed } = JSON.parse(process.argv[2] ?? '{}') as ServerNode;
const timeline = createTimeline(pace);
process.on('message', (next: Pace) => timeline.follow(next));
// Whoever started it is gone: so is the reason to live.
process.on('disconnect', () => process.exit(0));

const config = readConfig(env, { mode: 'demo', roles: ['api', 'gateway', 'worker'] });
// What it prints is for the test; what it logs is for whoever looks into one.
const log = pino({ level: process.env.TEST_LOG ?? 'silent' }, pino.destination(2));
/** What the gateway waits for by the wall's clock is that much shorter in a fast world. */
const shorter = (ms: number) => Math.max(20, ms / usualSpeed);
const timings: Partial<Timings> = {
  tickMs: shorter(usualTimings.tickMs),
  pingIntervalMs: shorter(usualTimings.pingIntervalMs),
  // By the timeline's clock, which runs faster already.
  offlineAfterMs: usualTimings.offlineAfterMs,
  // By the database's clock, which knows no other pace: shorter than it takes to start anew, longer than a busy machine stalls.
  nodeHeartbeatMs: 300,
  nodeDeadAfterMs: 3_000,
  quietMs: shorter(usualTimings.quietMs),
  settleMs: shorter(usualTimings.settleMs),
};
const app = await createApp({ config, databaseUrl, log, clock: timeline.server, timings });
await app.start();

/** The job that looks once a minute goes by the wall's clock; here a minute is a minute of the timeline. */
const watchEveryMs = 60_000;
const shortestRealMs = 500;
async function watch(): Promise<void> {
  await app.charging.watch().catch((error: unknown) => log.error({ err: error }, 'the watchdog failed'));
  timeline.server.after(Math.max(watchEveryMs, shortestRealMs * timeline.pace.speed), () => void watch());
}
void watch();
process.stdout.write('listening\n');
