import { startPowerOf } from './divide.ts';
import { countedOf, type SiteClaim } from './room.ts';

/** Whose turn it is in the queue of a site, and what is kept for those before a driver. This file is pure. */

/** A driver who waits until the site has power for a charge at this connector. */
export interface PowerWaiter {
  id: number;
  user: number;
  connector: number;
  /** It is their turn, and power is kept for them. */
  isNotified: boolean;
}

export interface QueueConnector extends SiteClaim {
  /** As far as the connector itself is concerned, a charge may begin at it. */
  canBegin: boolean;
  /** Until its charge ends; null when that is not known. */
  secondsLeft: number | null;
}

/**
 * `kept`: the power of a head start is still there. `again`: it is not, so the driver waits at the same place. `now`: the
 * turn has come. `gone`: the connector does not belong to the site any more.
 */
export type Turn = 'kept' | 'again' | 'now' | 'wait' | 'gone';

export interface Planned {
  turn: Turn;
  /** Until the turn comes; null when that cannot be estimated. */
  secondsLeft: number | null;
  /** The power that it is about. */
  needW: number;
}

/**
 * The order is kept: power that the first driver needs is not given to a later one who needs less, because then the first
 * might wait for ever. A driver whose connector is taken or out of order, or needs more than the whole site may give, does
 * not hold up the others. The estimate is by the charges that go on, because how long those of the queue will take is not known.
 */
export function planQueue(
  limitW: number,
  connectors: readonly QueueConnector[],
  queue: readonly PowerWaiter[],
): Map<number, Planned> {
  const planned = new Map<number, Planned>();
  const byId = new Map(connectors.map((one) => [one.id, one]));
  const given = new Set<number>();
  const ends = connectors
    .flatMap((one) =>
      one.isRunning && one.secondsLeft !== null ? { at: one.secondsLeft, freedW: countedOf(one) } : [],
    )
    .toSorted((one, other) => one.at - other.at);
  let leftW = limitW - connectors.reduce((sum, one) => sum + countedOf(one), 0);

  const needOf = ({ connector }: PowerWaiter): number | null => {
    const own = byId.get(connector);
    if (!own?.canBegin || given.has(connector)) return null;
    const needW = startPowerOf(own);
    return needW <= limitW ? needW : null;
  };
  const give = (one: PowerWaiter, needW: number, turn: Turn, secondsLeft: number) => {
    given.add(one.connector);
    leftW -= needW;
    planned.set(one.id, { turn, secondsLeft, needW });
  };

  for (const one of queue.filter(({ isNotified }) => isNotified)) {
    const needW = needOf(one);
    if (!byId.has(one.connector)) planned.set(one.id, { turn: 'gone', secondsLeft: null, needW: 0 });
    else if (needW === null || needW > leftW)
      planned.set(one.id, { turn: 'again', secondsLeft: null, needW: needW ?? 0 });
    else give(one, needW, 'kept', 0);
  }

  let seconds: number | null = 0;
  let isLater = false;
  for (const one of queue.filter(({ isNotified }) => !isNotified)) {
    const needW = needOf(one);
    if (needW === null) {
      const turn = byId.has(one.connector) ? 'wait' : 'gone';
      planned.set(one.id, { turn, secondsLeft: null, needW: 0 });
      continue;
    }
    while (seconds !== null && needW > leftW) {
      const end = ends.shift();
      isLater = true;
      seconds = end?.at ?? null;
      leftW += end?.freedW ?? 0;
    }
    if (seconds === null) planned.set(one.id, { turn: 'wait', secondsLeft: null, needW });
    else give(one, needW, isLater ? 'wait' : 'now', seconds);
  }
  return planned;
}

/**
 * What is kept for others when a driver asks for power: all that those before them need, and the connectors of those whose
 * turn it is. A driver without a place comes after the whole queue.
 */
export function keptBefore(
  user: number | null,
  queue: readonly PowerWaiter[],
  planned: ReadonlyMap<number, Planned>,
): { watts: number; connectors: Set<number> } {
  const own = queue.findIndex((one) => one.user === user);
  const kept = { watts: 0, connectors: new Set<number>() };
  for (const [index, one] of queue.entries()) {
    const plan = planned.get(one.id);
    if (!plan || one.user === user || plan.turn === 'gone' || plan.turn === 'again') continue;
    if (own >= 0 && index > own && plan.turn !== 'kept') continue;
    kept.watts += plan.needW;
    if (plan.turn !== 'wait') kept.connectors.add(one.connector);
  }
  return kept;
}
