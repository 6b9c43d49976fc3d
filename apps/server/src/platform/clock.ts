/** The only source of "now", so that tests can move through days in milliseconds. */
export interface Clock {
  now(): Date;
  /** A clock that does not run like the wall's brings its own timers, so that what is awaited comes when it says so. */
  after?(ms: number, run: () => void): void;
}

export const systemClock: Clock = { now: () => new Date() };
