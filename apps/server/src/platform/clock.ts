/** The only source of "now", so that tests can move through days in milliseconds. */
export interface Clock {
  now(): Date;
  /** A clock that does not follow real time has its own timers, so that waits end according to the same clock. */
  after?(ms: number, run: () => void): void;
}

export const systemClock: Clock = { now: () => new Date() };
