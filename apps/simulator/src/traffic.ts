import { randomCar } from './car.ts';
import type { ChargePoint } from './charge-point.ts';
import type { Clock, Timer } from './clock.ts';
import type { Connector } from './connector.ts';
import { createRandom, type Random } from './random.ts';

/** Cars that come and go by themselves. */
export interface Traffic {
  start(): void;
  stop(): void;
}

const MINUTE_MS = 60_000;

/** What a car does that comes by itself. The shares are such that on any look at the map every state is to be seen. */
export interface Visit {
  /** Until it comes. */
  awayMs: number;
  /** Charges with a card, or only plugs in and waits for somebody to start it from the app. */
  withCard: boolean;
  /** How long a car that nobody starts is left standing. */
  waitsMs: number;
  /** How long it may charge before its driver comes back. */
  chargesMs: number;
  /** How long it stands with the cable in when it has charged. */
  lingersMs: number;
}

export function nextVisit(random: Random, hasCards: boolean): Visit {
  return {
    awayMs: random.between(5, 60) * MINUTE_MS,
    withCard: hasCards && random.chance(0.7),
    waitsMs: random.between(15, 45) * MINUTE_MS,
    chargesMs: random.between(10, 50) * MINUTE_MS,
    lingersMs: random.between(1, 12) * MINUTE_MS,
  };
}

/** A connector where a car came before the first look, so that the map is alive from the first minute. */
const SHARE_TAKEN_AT_START = 0.3;
/** How often a standing car is looked at. */
const LOOK_MS = 30_000;

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
    // Taken by a person at the control page, broken or out of service: another time.
    if (connector.car !== null || connector.status !== 'Available') {
      awaitCar(chargePoint, connector, random);
      return;
    }
    chargePoint.plug(connector.spec.id, { car: randomCar(random) });
    const [card, ...others] = cards;
    if (visit.withCard && card !== undefined) {
      // No two drivers with one card at once, as far as there are enough of them.
      const free = [card, ...others].filter((one) => !isInUse(one));
      if (free.length > 0) await chargePoint.tap(random.pick(free as [string, ...string[]]), connector.spec.id);
    }
    stand(chargePoint, connector, random, visit, clock.now());
  }

  /** Looks after a standing car until its time is over. */
  function stand(chargePoint: ChargePoint, connector: Connector, random: Random, visit: Visit, since: number): void {
    later(connector, LOOK_MS, () => {
      const stoodMs = clock.now() - since;
      const isOver = stoodMs > (connector.transaction === null ? visit.waitsMs : visit.chargesMs);
      if (isOver || connector.status === 'Finishing') leave(chargePoint, connector, random, visit);
      else stand(chargePoint, connector, random, visit, since);
    });
  }

  /** A driver of ours ends with the card, stands a while, and goes. A charge from the app is its own driver's to end. */
  function leave(chargePoint: ChargePoint, connector: Connector, random: Random, visit: Visit): void {
    const { transaction, isSpent, spec } = connector;
    if (transaction !== null) {
      if (cards.includes(transaction.idTag)) void chargePoint.tap(transaction.idTag, spec.id);
      later(connector, LOOK_MS, () => leave(chargePoint, connector, random, visit));
      return;
    }
    later(connector, isSpent ? visit.lingersMs : 0, () => {
      // A person at the control page may have been quicker, or has started another charge meanwhile.
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
