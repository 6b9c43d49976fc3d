import { v16 } from '@fpay/ocpp';
import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';
import { runParts } from '../platform/parts.ts';
import type { RowLoops } from '../platform/row-loops.ts';
import type { Connection } from './connection.ts';
import type { Holders } from './holders.ts';
import type { Samples } from './samples.ts';
import type { Timings } from './timings.ts';

interface Dependencies {
  connections: ReadonlyMap<number, Connection>;
  holders: Holders;
  samples: Samples;
  rows: RowLoops;
  clock: Clock;
  log: Logger;
  timings: Timings;
  giveUp(connection: Connection): void;
}

/** What is done by the clock: pings, silence, this node's own sign of life, and what dead nodes left behind. */
export function createRounds({ connections, holders, samples, rows, clock, log, timings, giveUp }: Dependencies) {
  let round = 0;
  let timers: NodeJS.Timeout[] = [];
  const roundsPerPing = Math.max(1, Math.round(timings.pingIntervalMs / timings.tickMs));

  /** A device that has never answered a ping may be known by its heartbeats alone, so one of them must be able to come. */
  function silenceAllowed({ link }: Connection): number {
    if (link.answersPings) return timings.offlineAfterMs;
    return Math.max(timings.offlineAfterMs, timings.heartbeatIntervalMs + timings.pingIntervalMs);
  }

  /** A timer of its own for each of ten thousand sockets would cost more than looking at all of them. */
  function look(): void {
    round += 1;
    const now = clock.now().getTime();
    for (const connection of connections.values()) {
      try {
        lookAt(connection, now);
      } catch (error) {
        rows.failed('gateway.connection', connection.identity, error);
      }
    }
  }

  function lookAt(connection: Connection, now: number): void {
    const silentMs = now - connection.link.heardAt;
    if (silentMs >= silenceAllowed(connection)) giveUp(connection);
    else if (connection.chargePointId % roundsPerPing === round % roundsPerPing) {
      connection.link.ping();
      // Some devices never answer a ping. An answer to a call is a sign of life too, an error included.
      if (silentMs >= timings.pingIntervalMs && connection.isReady && connection.link.waitingCalls === 0)
        nudge(connection);
    }
  }

  async function quietly(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      log.warn({ err: error }, 'a round of the gateway failed, the next one follows');
    }
  }

  return {
    look,
    start(): void {
      const every = (ms: number, work: () => void) => timers.push(setInterval(work, ms));
      every(timings.tickMs, look);
      every(timings.tellEveryMs, () => void quietly(samples.tellRest));
      every(timings.nodeHeartbeatMs, () => {
        void quietly(() =>
          runParts([
            { name: 'heartbeat', run: holders.beat },
            { name: 'reclaim', run: () => holders.reclaim([...connections.values()]) },
            { name: 'sweep', run: holders.sweep },
          ]),
        );
      });
    },
    stop(): void {
      for (const timer of timers) clearInterval(timer);
      timers = [];
    },
  };
}

/** A stop must not wait behind it for long, because one call is on the wire at a time. */
const nudgeTimeoutMs = 5_000;

function nudge({ link }: Connection): void {
  // The answer is not used: anything that comes back counts as heard.
  link.call(v16.TriggerMessage, { requestedMessage: 'Heartbeat' }, { timeoutMs: nudgeTimeoutMs }).catch(() => {});
}
