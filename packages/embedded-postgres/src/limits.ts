/** No wait is endless; each of these ends in a step that goes on, or in a message. */
export interface Limits {
  /** Longer than any start or stop takes by the limits below, so that only a program that hangs is complained about. */
  lockMs: number;
  /** How long PostgreSQL may say nothing. */
  silentMs: number;
  /** How long it may say that it is recovering from a crash, or still shutting down. */
  recoveryMs: number;
  /** How long one connection attempt may take. */
  answerMs: number;
  /** How long each way to stop may take; there are three. */
  stopMs: number;
}

export const defaultLimits: Limits = {
  lockMs: 240_000,
  silentMs: 30_000,
  recoveryMs: 90_000,
  answerMs: 5_000,
  stopMs: 30_000,
};
