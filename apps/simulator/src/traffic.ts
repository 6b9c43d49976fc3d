import { randomCar } from './car.ts';
import type { ChargePoint } from './charge-point.ts';
import type { Clock, Timer } from './clock.ts';
import type { Connector } from './connector.ts';
import { createRandom, type Random } from './random.ts';

/** Cars that arrive and leave automatically. */
export interface Traffic {
  start(): void;
  stop(): void;
}

const MINUTE_MS = 60_000;

/** The plan of one car. The shares are chosen so that the map shows every status at any time. */
export interface Visit {
  /** Time until it arrives. */
  awayMs: number;
  /** True when it charges with a card; otherwise it only plugs in and waits for a start from the app. */
  withCard: boolean;
  /** How long a car waits for a start. */
  waitsMs: number;
  /** How long it charges at most before its driver returns. */
  chargesMs: number;
  /** How long it stays plugged in after the charge. */
  staysMs: number;
}

export function nextVisit(random: Random, hasCards: boolean): Visit {
  return {
    awayMs: random.between(5, 60) * MINUTE_MS,
    withCard: hasCards && random.chance(0.7),
    waitsMs: random.between(15, 45) * MINUTE_MS,
    chargesMs: random.between(10, 50) * MINUTE_MS,
    staysMs: random.between(1, 12) * MINUTE_MS,
  };
}

/** Share of connectors where a car arrived before the start, so that the map shows activity from the first minute. */
const SHARE_TAKEN_AT_START = 0.3;
/** How often a connected car is checked. */
const CHECK_INTERVAL_MS = 30_000;

export function createTraffic(
  chargePoints: readonly ChargePoint[],
  cards: readonly string[],
  clock: Clock,
  seed: string | number,
): Traffic {
  const timers = new Map<Connector, Timer>();
  let isRunning = false;

  function later(connector: Connector, delayMs: number, run: () => void): void {
    if (!isRunning) return;
    timers.set(
      connector,
      clock.after(delayMs, () => {
        if (isRunning) run();
      }),
    );
  }

  function awaitCar(chargePoint: ChargePoint, connector: Connector, random: Random, delayMs?: number): void {
    const visit = nextVisit(random, cards.length > 0);
    later(connector, delayMs ?? visit.awayMs, () => void arrive(chargePoint, connector, random, visit));
  }

  async function arrive(chargePoint: ChargePoint, connector: Connector, random: Random, visit: Visit): Promise<void> {
    // The connector is used from the control page, faulted or out of service, so the car tries again later.
    if (connector.car !== null || connector.status !== 'Available') {
      awaitCar(chargePoint, connector, random);
      return;
    }
    chargePoint.plug(connector.spec.id, { car: randomCar(random) });
    const [card, ...others] = cards;
    if (visit.withCard && card !== undefined) {
      // Two cars do not use one card at the same time, as far as there are enough cards.
      const free = [card, ...others].filter((one) => !isInUse(one));
      if (free.length > 0) await chargePoint.tap(random.pick(free as [string, ...string[]]), connector.spec.id);
    }
    watchConnectedCar(chargePoint, connector, random, visit, clock.now());
  }

  /** Checks a connected car until its time is over. */
  function watchConnectedCar(
    chargePoint: ChargePoint,
    connector: Connector,
    random: Random,
    visit: Visit,
    since: number,
  ): void {
    later(connector, CHECK_INTERVAL_MS, () => {
      const connectedMs = clock.now() - since;
      const isOver = connectedMs > (connector.transaction === null ? visit.waitsMs : visit.chargesMs);
      if (isOver || connector.status === 'Finishing') leave(chargePoint, connector, random, visit);
      else watchConnectedCar(chargePoint, connector, random, visit, since);
    });
  }

  /**
   * An automatic driver ends the charge with the card, stays for a while, and leaves. A charge from the app is ended by
   * its own driver.
   */
  function leave(chargePoint: ChargePoint, connector: Connector, random: Random, visit: Visit): void {
    const { transaction, isUnplugPending, spec } = connector;
    if (transaction !== null) {
      if (cards.includes(transaction.idTag)) void chargePoint.tap(transaction.idTag, spec.id);
      later(connector, CHECK_INTERVAL_MS, () => leave(chargePoint, connector, random, visit));
      return;
    }
    later(connector, isUnplugPending ? visit.staysMs : 0, () => {
      // A person at the control page may already have ended it, or started another charge.
      if (connector.transaction !== null) leave(chargePoint, connector, random, visit);
      else {
        if (connector.car !== null) chargePoint.unplug(spec.id);
        awaitCar(chargePoint, connector, random);
      }
    });
  }

  function isInUse(card: string): boolean {
    return chargePoints.some(({ connectors }) =>
      connectors.some(({ transaction, authorisation }) => transaction?.idTag === card || authorisation?.idTag === card),
    );
  }

  return {
    start() {
      isRunning = true;
      for (const chargePoint of chargePoints) {
        const random = createRandom(`${seed}/traffic/${chargePoint.identity}`);
        for (const connector of chargePoint.connectors) {
          const isSoon = random.chance(SHARE_TAKEN_AT_START);
          awaitCar(chargePoint, connector, random, isSoon ? random.between(10, 60) * 1000 : undefined);
        }
      }
    },
    stop() {
      isRunning = false;
      for (const timer of timers.values()) timer.cancel();
      timers.clear();
    },
  };
}
