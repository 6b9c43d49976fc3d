import type { LinkEvent } from '@fpay/ocpp';
import type { Logger } from 'pino';
import { Counter } from 'prom-client';
import type { Clock } from '../../platform/clock.ts';
import type { Metrics } from '../../platform/watching/metrics.ts';
import type { DeviceConnection } from '../device/connection.ts';

/** A faulty device repeats its fault with every message; one line a minute for each kind is enough to find it. */
const logEveryMs = 60_000;
/**
 * Above this the record of logged kinds is cleared, because many devices with many kinds of faults would fill memory.
 */
const mostRemembered = 20_000;

/**
 * The log level of each kind: our own faults are errors, faults of devices are warnings, the rest is normal operation.
 */
const levels = {
  badFrame: 'warn',
  refused: 'warn',
  repaired: 'debug',
  handlerFailed: 'error',
  handlerStuck: 'error',
  strayAnswer: 'info',
  slowed: 'warn',
  socketError: 'info',
  closed: 'debug',
} as const satisfies Record<LinkEvent['kind'], 'debug' | 'info' | 'warn' | 'error'>;

/**
 * Counts every irregularity on the links and logs few of them, so that a flood of invalid frames does not become a
 * flood of log lines.
 */
export function createLinkMetrics(
  metrics: Metrics,
  log: Logger,
  clock: Clock,
): (event: LinkEvent, connection: DeviceConnection) => void {
  const counter = new Counter({
    name: 'fpay_ocpp_oddities_total',
    help: 'Odd things charge points did, by kind; each was survived',
    labelNames: ['kind'],
    registers: [metrics.registry],
  });
  const loggedAt = new Map<string, number>();

  return (event, { identity }) => {
    counter.inc({ kind: event.kind });
    const key = `${identity} ${event.kind} ${'action' in event ? event.action : ''}`;
    const now = clock.now().getTime();
    if (now - (loggedAt.get(key) ?? 0) < logEveryMs) return;
    if (loggedAt.size >= mostRemembered) loggedAt.clear();
    loggedAt.set(key, now);
    const { kind, ...details } = event;
    const error = 'error' in details ? { err: details.error } : details;
    log[levels[kind]]({ chargePoint: identity, kind, ...error }, 'ocpp');
  };
}
