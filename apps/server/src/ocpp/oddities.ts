import type { LinkEvent } from '@fpay/ocpp';
import type { Logger } from 'pino';
import { Counter } from 'prom-client';
import type { Clock } from '../platform/clock.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Connection } from './connection.ts';

/** A device that errs does so with every message: one line a minute for each kind is enough to find it by. */
const logEveryMs = 60_000;
/** Many devices with many kinds of slips; past this the memory of what was logged starts anew. */
const mostRemembered = 20_000;

/** How each kind is logged. Our own faults are errors; theirs are worth a line; the rest is ordinary life. */
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

/** Everything odd on the links: counted always, logged sparingly. A flood of rubbish must not become a flood of lines. */
export function countOddities(
  metrics: Metrics,
  log: Logger,
  clock: Clock,
): (event: LinkEvent, connection: Connection) => void {
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
