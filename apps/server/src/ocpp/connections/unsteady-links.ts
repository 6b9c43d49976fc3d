import type { Logger } from 'pino';
import type { Clock } from '../../platform/clock.ts';
import type { Steps } from '../../platform/step.ts';
import { noteAnomalies } from '../device/anomalies.ts';

interface Dependencies {
  steps: Steps;
  clock: Clock;
  log: Logger;
}

/** What is counted of one charge point. */
interface Window {
  beganAt: number;
  /** The number of its first connection; all nodes count connections together. */
  firstEpoch: number;
  replaced: number;
  isNoted: boolean;
}

const windowMs = 5 * 60_000;
/** A device that boots, gets its configuration and boots again connects three times. */
const mostConnections = 10;
const mostReplaced = 5;

/**
 * Charge points that connect again and again, and identities that two devices have. Each connection is right by itself,
 * so without this only the page of the charge point would show it.
 */
export function createUnsteadyLinks({ steps, clock, log }: Dependencies) {
  const windows = new Map<number, Window>();

  function windowOf(chargePointId: number, epoch: number, now: number): Window {
    const known = windows.get(chargePointId);
    if (known && now - known.beganAt < windowMs) return known;
    const begun = { beganAt: now, firstEpoch: epoch, replaced: 0, isNoted: false };
    windows.set(chargePointId, begun);
    return begun;
  }

  return {
    /** `isReplacing`: the connection before it was still open. */
    opened(chargePointId: number, { epoch, isReplacing }: { epoch: number; isReplacing: boolean }): void {
      const at = clock.now();
      const window = windowOf(chargePointId, epoch, at.getTime());
      if (isReplacing) window.replaced += 1;
      const connections = epoch - window.firstEpoch + 1;
      const isContested = window.replaced >= mostReplaced;
      if (window.isNoted || !(isContested || connections >= mostConnections)) return;
      window.isNoted = true;
      const kind = isContested ? 'identityContested' : 'reconnecting';
      const details = { connections, replaced: window.replaced, minutes: windowMs / 60_000 };
      const anomaly = { chargePointId, kind, subject: 'connection', details } as const;
      steps
        .run((step) => noteAnomalies(step, [anomaly], at))
        .catch((error: unknown) => log.warn({ err: error, chargePoint: chargePointId }, 'anomaly unrecorded'));
    },
  };
}
