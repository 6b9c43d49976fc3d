/** Every wait has a limit, after which the start continues or fails with a message. */
export interface StartLimits {
  /** Longer than any start or stop can take by the limits below, so that only a program that hangs causes an error. */
  lockMs: number;
  /** How long a PostgreSQL that was found running may give no answer. */
  silentMs: number;
  /** How long a PostgreSQL that was just started may give no answer. */
  startMs: number;
  /** How long PostgreSQL may report that it is recovering from a crash or still shutting down. */
  recoveryMs: number;
  /** How long one connection attempt may take. */
  answerMs: number;
  /** How long each of the three ways to stop may take. */
  stopMs: number;
}

export const defaultStartLimits: StartLimits = {
  lockMs: 240_000,
  silentMs: 30_000,
  startMs: 30_000,
  recoveryMs: 90_000,
  answerMs: 5_000,
  stopMs: 30_000,
};
