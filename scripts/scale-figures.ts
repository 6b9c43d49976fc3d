/**
 * What was measured, each with its origin. `npm run scale` computes with these figures; measure them on your own machines
 * with `npm run bench` and change them here.
 */
export const measured = {
  /** apps/server/src/ocpp/README.md: CPU of the server and of PostgreSQL for one MeterValues. */
  serverCpuPerReadingUs: 73,
  databaseCpuPerReadingUs: 59,
  /** The same table: StatusNotification; heartbeats cost less, so this is the upper bound for them. */
  serverCpuPerStatusUs: 63,
  databaseCpuPerStatusUs: 81,
  /** The same table: memory of a connected charge point, and how many one process was tried with. */
  bytesPerChargePoint: 18.4 * 1024,
  chargePointsPerProcess: 10_000,
  /** apps/server/bench/README.md: whole operations a second, with the server's process busy for three quarters. */
  operationsPerSecond: 22.8,
  serverShareOfOperations: 0.75,
  /** docs/scale.md: bytes on disk with indexes, PostgreSQL 15, a million readings and 100,000 operations. */
  bytesPerReading: 169,
  walBytesPerReading: 362,
  bytesPerOperation: 850 + 408 + 2 * 268,
} as const;

/** What was not measured. Each is a cautious guess. */
export const assumed = {
  /** Lines of the log, exchanges with the bank and the curve of a charge. */
  otherBytesPerOperation: 6_000,
  /** A call with its answer in the message log. */
  bytesPerMessage: 250,
  /** PostgreSQL does about as much for an operation as the server. */
  databaseShareOfOperations: 0.75,
  /** A process at rest. */
  bytesPerProcess: 300 * 1024 * 1024,
  /** A core that is busier than this answers late at the next peak. */
  busyShare: 0.5,
  /** Share of a day's charges that begin in its busiest hour. */
  busiestHourShare: 0.1,
  /** Boot, authorisation, statuses, start and stop of one charge. */
  otherMessagesPerCharge: 12,
} as const;
