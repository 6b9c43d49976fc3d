import { v16 } from '@fpay/ocpp';
import type { Logger } from 'pino';
import type { Clock } from '../../platform/clock.ts';
import { runParts } from '../../platform/parts.ts';
import type { RowLoops } from '../../platform/rows/row-loops.ts';
import type { DeviceConnection } from '../device/connection.ts';
import type { Samples } from '../metering/samples.ts';
import type { Timings } from '../timings.ts';
import type { SocketOwners } from './socket-owners.ts';

interface Dependencies {
  connections: ReadonlyMap<number, DeviceConnection>;
  socketOwners: SocketOwners;
  samples: Samples;
  rows: RowLoops;
  clock: Clock;
  log: Logger;
  timings: Timings;
  giveUp(connection: DeviceConnection): void;
}

/** Periodic work: pings, silent sockets, the heartbeat of this node, and sockets of dead nodes. */
export function createKeepalive({
  connections,
  socketOwners,
  samples,
  rows,
  clock,
  log,
  timings,
  giveUp,
}: Dependencies) {
  let round = 0;
  let timers: NodeJS.Timeout[] = [];
  const roundsPerPing = Math.max(1, Math.round(timings.pingIntervalMs / timings.tickMs));

  /**
   * A device that has never answered a ping may only send heartbeats, so the limit must be longer than their interval.
   */
  function silenceAllowed({ link }: DeviceConnection): number {
    if (link.answersPings) return timings.offlineAfterMs;
    return Math.max(timings.offlineAfterMs, timings.heartbeatIntervalMs + timings.pingIntervalMs);
  }

  /**
   * A separate timer for each of ten thousand sockets would cost more than checking all of them. With `isLate` silence proves nothing:
   * this process stood still, and what devices sent meanwhile has not been read.
   */
  function look(isLate = false): void {
    round += 1;
    const now = clock.now().getTime();
    for (const connection of connections.values()) {
      try {
        lookAt(connection, now, isLate);
      } catch (error) {
        rows.failed('gateway.connection', connection.identity, error);
      }
    }
  }

  function lookAt(connection: DeviceConnection, now: number, isLate: boolean): void {
    const silentMs = now - connection.link.heardAt;
    const isSilent = silentMs >= silenceAllowed(connection);
    if (isSilent && isLate) connection.link.ping();
    else if (isSilent) giveUp(connection);
    else if (connection.chargePointId % roundsPerPing === round % roundsPerPing) {
      connection.link.ping();
      // Some devices never answer a ping. An answer to a call, also an error, shows as well that the device is
      // connected.
      if (silentMs >= timings.pingIntervalMs && connection.isReady && connection.link.waitingCalls === 0)
        nudge(connection);
    }
  }

  /** A virtual machine that was moved or suspended must not drop every device: they have the time of a ping to answer. */
  function lookSteadily(): () => void {
    let [lookedAt, lateUntil] = [performance.now(), 0];
    return () => {
      const at = performance.now();
      if (at - lookedAt > timings.tickMs + timings.pingIntervalMs) lateUntil = at + timings.pingIntervalMs;
      lookedAt = at;
      look(at < lateUntil);
    };
  }

  async function quietly(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      log.warn({ err: error }, 'gateway sweep failed');
    }
  }

  return {
    look: () => look(),
    start(): void {
      const every = (ms: number, work: () => void) => timers.push(setInterval(work, ms));
      every(timings.tickMs, lookSteadily());
      every(timings.publishEveryMs, () => void quietly(samples.publishRest));
      every(timings.nodeHeartbeatMs, () => {
        void quietly(() =>
          runParts([
            { name: 'heartbeat', run: socketOwners.beat },
            { name: 'reclaim', run: () => socketOwners.reclaim([...connections.values()]) },
            { name: 'sweep', run: socketOwners.sweep },
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

/** Short, because one call is on the wire at a time and a stop must not wait behind it for long. */
const nudgeTimeoutMs = 5_000;

function nudge({ link }: DeviceConnection): void {
  // The answer is not used, because any frame resets the timer.
  link.call(v16.TriggerMessage, { requestedMessage: 'Heartbeat' }, { timeoutMs: nudgeTimeoutMs }).catch(() => {});
}
