/** Less power is the meter's error, or the car's own electronics. */
export const standbyW = 100;

/** Why a minute at the connector counts as idle. */
export type IdleCause = 'full' | 'plugged_in';

/** A time in which a connected device reported one idle status without a break. */
export interface IdleInterval {
  cause: IdleCause;
  beganAt: Date;
  seenAt: Date;
}

/** What is known about the connector and its device at a moment. */
export interface IdleFacts {
  now: Date;
  /** `charging`: the transaction is open. `ended`: StopTransaction arrived and the cable may still be in. */
  phase: 'charging' | 'ended';
  endedAt: Date | null;
  hasEnergy: boolean;
  /** A reading after the status shows power, whatever the status says. */
  hasPower: boolean;
  /** The device's own status of the connector, and since when by our clock. */
  status: string | null;
  statusAt: Date | null;
  /** Since when the present socket is open; null while there is none. */
  connectedAt: Date | null;
  /** The last frame of the socket that was lost before. A socket that was replaced has the time of the new one. */
  lostAt: Date | null;
  /** A socket may be dead for this long before it is given up. */
  silenceMs: number;
}

/** The open interval before and after a look. `closed` has its final end; without length it is not kept. */
export interface Observation {
  closed: IdleInterval | null;
  open: IdleInterval | null;
}

/** Time that we did not look at is not billed: the driver was not warned in it. Looks are 5 s apart. */
const longestGapMs = 60_000;
/** A device that has reconnected first sends what it has stored, so an old status counts only after this time. */
const settleMs = 30_000;

/**
 * The cause of idle time now. SuspendedEV is the car's own decision, so it counts after the car has taken energy; before
 * that it may only be preparing. SuspendedEVSE is the station's decision and never counts. Finishing counts once the
 * transaction has ended.
 */
export function idleCauseOf({ phase, status, hasEnergy, hasPower }: IdleFacts): IdleCause | null {
  if (phase === 'ended') return status === 'Finishing' ? 'plugged_in' : null;
  return status === 'SuspendedEV' && hasEnergy && !hasPower ? 'full' : null;
}

/** Extends, closes or opens the interval. Only time with a proof counts: one socket, one status, looked at in time. */
export function observeIdle(facts: IdleFacts, before: IdleInterval | null): Observation {
  const { now, connectedAt, statusAt } = facts;
  const cause = connectedAt === null ? null : idleCauseOf(facts);
  if (before && cause === before.cause && isUnbroken(facts, before)) {
    return { closed: null, open: { ...before, seenAt: later(before.seenAt, now) } };
  }
  const closed = before && { ...before, seenAt: lastProof(facts, before) };
  if (cause === null || connectedAt === null || statusAt === null) return { closed, open: null };
  // The same status after a reconnect may be an old one, until the device had the time to correct it.
  const trustedAt = statusAt >= connectedAt ? statusAt : new Date(connectedAt.getTime() + settleMs);
  if (trustedAt > now) return { closed, open: null };
  const starts = [trustedAt, facts.endedAt, closed?.seenAt, new Date(now.getTime() - longestGapMs)];
  const beganAt = starts.reduce<Date>((latest, at) => (at ? later(latest, at) : latest), trustedAt);
  return { closed, open: { cause, beganAt, seenAt: later(beganAt, now) } };
}

function isUnbroken({ now, connectedAt, statusAt }: IdleFacts, { seenAt }: IdleInterval): boolean {
  const isSameSocket = connectedAt !== null && connectedAt <= seenAt;
  const isSameStatus = statusAt !== null && statusAt <= seenAt;
  return isSameSocket && isSameStatus && now.getTime() - seenAt.getTime() <= longestGapMs;
}

/** A socket that broke may have been silent for a while before, so its last frame is the last proof. */
function lastProof({ connectedAt, lostAt, silenceMs }: IdleFacts, { beganAt, seenAt }: IdleInterval): Date {
  if (connectedAt !== null && connectedAt <= seenAt) return seenAt;
  const isReplaced = connectedAt !== null && (lostAt === null || lostAt >= connectedAt);
  const heardAt = isReplaced ? new Date(connectedAt.getTime() - silenceMs) : lostAt;
  // A node that died without a trace: its sockets are lost, but not yet marked as such.
  const provenAt = heardAt ?? new Date(seenAt.getTime() - silenceMs);
  return later(beganAt, earlier(seenAt, provenAt));
}

const later = (one: Date, other: Date) => (one > other ? one : other);
const earlier = (one: Date, other: Date) => (one < other ? one : other);

/** Whole seconds of the intervals until a moment. Time that two intervals share counts once. */
export function idleSecondsOf(intervals: readonly IdleInterval[], until: Date | null = null): number {
  const sorted = intervals.toSorted((one, other) => one.beganAt.getTime() - other.beganAt.getTime());
  let ms = 0;
  let countedTo = Number.NEGATIVE_INFINITY;
  for (const { beganAt, seenAt } of sorted) {
    const end = until === null ? seenAt.getTime() : Math.min(seenAt.getTime(), until.getTime());
    const from = Math.max(beganAt.getTime(), countedTo);
    ms += Math.max(0, end - from);
    countedTo = Math.max(countedTo, end);
  }
  return Math.floor(ms / 1000);
}
