/** Divides the power of a site among its running charges. This file is pure. */

export interface SiteConnector {
  id: number;
  ratedW: number;
  /** Below this a car cannot charge, so its share is this much or nothing. */
  leastW: number;
  /** The device takes charging profiles. Whether it also does what they say is `obeys`. */
  hasProfiles: boolean;
  isOnline: boolean;
  /** It was seen to lower its power; false when it last took more than it had accepted, null when it was not seen yet. */
  obeys: boolean | null;
  isRunning: boolean;
  /** The last measured power; null when it is not known. */
  drawnW: number | null;
  /** What the device has accepted; null when it may take its rated power. */
  capW: number | null;
  /** The cap has been in force long enough for the car to use it. */
  isSettled: boolean;
  /** What was asked of the device and is not answered yet. */
  askedW: number | null;
  /** A lower share was asked a moment ago, and the next readings tell whether the device obeys. */
  isOnTrial: boolean;
  /** Long enough after the last trial. */
  isTrialDue: boolean;
  /** An operation that has no power yet: it waits for its money, for its start, or for the car. */
  waitsFor: 'money' | 'start' | 'power' | null;
  /** The standing limit that the device has accepted for charges without a share. */
  fallbackW: number | null;
}

export interface SitePlan {
  /** Power that is not divided: of what cannot be steered, was not seen to obey, or is about to start. */
  subtractedW: number;
  /** What remains for the others. */
  budgetW: number;
  /** The fair share of each running charge that can be steered. */
  shares: Map<number, number>;
  /** What to ask of devices now, reductions first. */
  orders: { id: number; watts: number }[];
}

/** IEC 61851: a car cannot be limited to less than 6 A per phase. */
const leastAmperes = 6;
const phaseV = 230;
/** The lowest useful power of a fast charger. */
const leastDcW = 5_000;
/** From this rated power on a connector has three phases. */
const threePhasesFromW = 10_000;
/** A car that takes less than this part of its cap does not need the rest. */
const usedPart = 0.85;
const growth = 1.15;
/** A smaller change is not worth a command. */
const leastChangeW = 500;
const stepW = 100;

export function leastPowerOf(ratedW: number, current: 'AC' | 'DC'): number {
  const least = current === 'DC' ? leastDcW : leastAmperes * phaseV * (ratedW >= threePhasesFromW ? 3 : 1);
  return Math.min(least, ratedW);
}

/** A trial asks for this part of what the car takes, so that a reading can show the difference. */
const trialPart = 0.7;

/** The server may count on a lower share: it can be asked, and it was seen to obey. */
export const isTrusted = ({
  hasProfiles,
  isOnline,
  obeys,
}: Pick<SiteConnector, 'hasProfiles' | 'isOnline' | 'obeys'>) => hasProfiles && isOnline && obeys === true;

/** The power with which a charge may begin, before its own share is in force. */
export const startPowerOf = (one: SiteConnector) =>
  one.isOnline && one.obeys === true ? Math.min(one.ratedW, one.fallbackW ?? one.ratedW) : one.ratedW;

/**
 * A running charge may take its rated power as long as its device was not seen to lower it, so all of that is subtracted,
 * and so is what is about to start. The rest is divided equally; what a car does not take goes to the others. When there
 * is not enough for everyone's least power, cars charge in turns. A device that was not seen yet is asked for less when
 * the limit would not hold otherwise, and once for a trial.
 */
export function planSite(limitW: number, connectors: readonly SiteConnector[], turn: number): SitePlan {
  const running = connectors.filter(({ isRunning }) => isRunning);
  const isUnseen = (one: SiteConnector) => one.hasProfiles && one.isOnline && one.obeys === null;
  const trusted = running.filter(isTrusted);
  const unseen = running.filter(isUnseen);
  const fixed = running.filter((one) => !isTrusted(one) && !isUnseen(one));
  const starting = connectors.filter(
    ({ isRunning, waitsFor }) => !isRunning && (waitsFor === 'start' || waitsFor === 'power'),
  );
  const fixedW = sum(fixed, ({ ratedW }) => ratedW) + sum(starting, startPowerOf);
  const unseenW = sum(unseen, ({ ratedW }) => ratedW);
  const holds = fixedW + unseenW + sum(trusted, ({ leastW }) => leastW) <= limitW;
  const subtractedW = fixedW + (holds ? unseenW : 0);
  const budgetW = Math.max(0, limitW - subtractedW);
  const steered = holds ? trusted : running.filter((one) => isTrusted(one) || isUnseen(one));
  const shares = divide(budgetW, steered, turn);
  const trials = trialsFor([...(holds ? unseen : []), ...fixed]);
  return { subtractedW, budgetW, shares, orders: [...ordersFor(budgetW, steered, shares), ...trials] };
}

/** A device whose trial showed nothing gets its power back until the next one. */
function trialsFor(connectors: readonly SiteConnector[]): { id: number; watts: number }[] {
  return connectors.flatMap((one) => {
    const { id, ratedW, leastW, drawnW, capW, obeys } = one;
    if (!one.hasProfiles || !one.isOnline || one.askedW !== null || one.isOnTrial) return [];
    const watts = roundDown((drawnW ?? 0) * trialPart);
    if (one.isTrialDue && watts >= leastW) return [{ id, watts }];
    return obeys === null && capW !== null && capW < ratedW ? [{ id, watts: ratedW }] : [];
  });
}

/** What a car could use. One that takes clearly less than it may keeps a little more than it takes. */
function demandOf({ ratedW, leastW, drawnW, capW, isSettled }: SiteConnector): number {
  if (!isSettled || capW === null || drawnW === null || capW === 0 || drawnW >= capW * usedPart) return ratedW;
  return Math.min(ratedW, Math.max(leastW, drawnW * growth));
}

/** What the device may take at this moment, whatever it was asked for. */
const heldBy = ({ ratedW, capW, askedW }: SiteConnector) => Math.max(capW ?? ratedW, askedW ?? 0);

function divide(budgetW: number, running: readonly SiteConnector[], turn: number): Map<number, number> {
  const shares = new Map(running.map(({ id }) => [id, 0]));
  const served: SiteConnector[] = [];
  let leastSum = 0;
  for (const one of rotated(running, turn)) {
    if (leastSum + one.leastW > budgetW) continue;
    leastSum += one.leastW;
    served.push(one);
  }
  const levelW = levelFor(budgetW, served);
  for (const one of served) shares.set(one.id, Math.max(one.leastW, roundDown(clamp(levelW, one))));
  return shares;
}

const clamp = (levelW: number, one: SiteConnector) => Math.min(Math.max(levelW, one.leastW), demandOf(one));

/** The highest level at which the sum of all shares fits; a share is the level, at least its least and at most its demand. */
function levelFor(budgetW: number, served: readonly SiteConnector[]): number {
  let low = 0;
  let high = Math.max(0, ...served.map(demandOf));
  for (let times = 0; times < 40; times += 1) {
    const middle = (low + high) / 2;
    if (sum(served, (one) => clamp(middle, one)) <= budgetW) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * Reductions are sent at once. A share is raised only by what no device may still take, so the limit also holds while
 * answers are on their way; the rest follows when the reductions were accepted.
 */
function ordersFor(budgetW: number, running: readonly SiteConnector[], shares: Map<number, number>) {
  const waiting = running.filter(({ askedW }) => askedW !== null);
  const free = running.filter(({ askedW }) => askedW === null);
  const targetOf = ({ id }: SiteConnector) => shares.get(id) ?? 0;
  const isOver = sum(running, heldBy) > budgetW;
  const reduced = free.filter(
    (one) => one.capW === null || targetOf(one) < heldBy(one) - (isOver || targetOf(one) === 0 ? 0 : leastChangeW),
  );
  const raised = free
    .filter((one) => !reduced.includes(one) && targetOf(one) >= heldBy(one) + leastChangeW)
    .toSorted((one, other) => heldBy(one) - heldBy(other) || one.id - other.id);
  let leftW = budgetW - sum([...waiting, ...free], heldBy);
  const increases = raised.flatMap((one) => {
    const watts = roundDown(Math.min(targetOf(one), heldBy(one) + leftW));
    if (watts < Math.max(one.leastW, heldBy(one) + leastChangeW)) return [];
    leftW -= watts - heldBy(one);
    return [{ id: one.id, watts }];
  });
  return [...reduced.map((one) => ({ id: one.id, watts: targetOf(one) })), ...increases];
}

/** Each turn begins with another car. */
function rotated<Item>(items: readonly Item[], turn: number): Item[] {
  const start = items.length === 0 ? 0 : turn % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}

/** The level is found by halving, so it may be a little below the exact value. */
const roundDown = (watts: number) => Math.floor((watts + 0.01) / stepW) * stepW;
const sum = <Item>(items: readonly Item[], of: (item: Item) => number) =>
  items.reduce((total, item) => total + of(item), 0);
