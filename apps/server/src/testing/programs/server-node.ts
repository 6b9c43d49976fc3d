import { pino } from 'pino';
import { createApp } from '../../app/app.ts';
import { readConfig } from '../../config/config.ts';
import { type Timings, usualTimings } from '../../ocpp/timings.ts';
import { createTimeline, type Pace } from '../timeline.ts';

/**
 * The whole server in its own process, with a clock whose speed the test sets, so that it can be killed at any point.
 */
export interface ServerNode {
  databaseUrl: string;
  env: Record<string, string>;
  pace: Pace;
  /** The speed at which most of the test runs. */
  usualSpeed: number;
}

const { databaseUrl, env, pace, usualSpeed } = JSON.parse(process.argv[2] ?? '{}') as ServerNode;
const timeline = createTimeline(pace);
process.on('message', (next: Pace) => timeline.follow(next));
// The process ends with the test that started it.
process.on('disconnect', () => process.exit(0));

const config = readConfig(env, { mode: 'demo', roles: ['api', 'gateway', 'worker'] });
// Standard output is for the test; the log is for a person who debugs one.
const log = pino({ level: process.env.TEST_LOG ?? 'silent' }, pino.destination(2));
/** Waits of the gateway that use real time are shortened by the speed of the stack. */
const shorter = (ms: number) => Math.max(20, ms / usualSpeed);
const timings: Partial<Timings> = {
  tickMs: shorter(usualTimings.tickMs),
  pingIntervalMs: shorter(usualTimings.pingIntervalMs),
  // Measured with the timeline's clock, which already runs faster.
  offlineAfterMs: usualTimings.offlineAfterMs,
  // Measured with the database's clock, which has real speed: shorter than a restart takes, longer than a busy machine
  // stalls.
  ...(usualSpeed > 1 && { nodeHeartbeatMs: 300, nodeDeadAfterMs: 3_000 }),
  quietMs: shorter(usualTimings.quietMs),
  settleMs: shorter(usualTimings.settleMs),
  stopQuietMs: shorter(usualTimings.stopQuietMs),
};
const app = await createApp({ config, databaseUrl, log, clock: timeline.server, timings });
await app.start();

/** The job that runs once a minute uses real time; here a minute is a minute of the timeline. */
const watchEveryMs = 60_000;
const shortestRealMs = 500;
async function watch(): Promise<void> {
  await app.features.charging.watch().catch((error: unknown) => log.error({ err: error }, 'watchdog failed'));
  timeline.server.after(Math.max(watchEveryMs, shortestRealMs * timeline.pace.speed), () => void watch());
}
void watch();
process.stdout.write('listening\n');
