import { offlineAfter } from '../stations/connection.ts';

/** Every wait of the gateway with its reason. Tests shorten them. */
export interface Timings {
  /**
   * The interval of the check of all sockets; pings are spread over the checks, so that ten thousand do not go out at
   * once.
   */
  tickMs: number;
  /** Setting OCPP_PING_SECONDS. */
  pingIntervalMs: number;
  /** Three pings, unless a test sets it. */
  offlineAfterMs: number;
  /**
   * Setting OCPP_HEARTBEAT_SECONDS: the interval that devices are configured with. Each heartbeat costs a metered SIM
   * some 200 bytes.
   */
  heartbeatIntervalMs: number;
  /** The interval of a node's heartbeat; the node counts as dead after missing three. */
  nodeHeartbeatMs: number;
  nodeDeadAfterMs: number;
  /** Devices ignore calls that come before their own BootNotification; some disconnect. */
  quietMs: number;
  /**
   * A stop waits only this long after a connect, because power flows until the device gets it. A boot arrives sooner than this.
   */
  stopQuietMs: number;
  /** After the answer to the boot the device is still busy with its own first messages. */
  settleMs: number;
  /** How long the first reading of a batch waits for more. */
  batchWaitMs: number;
  /** A page needs no more updates of one operation than one in this time. */
  publishEveryMs: number;
}

const pingIntervalMs = 30_000;

export const usualTimings: Timings = {
  tickMs: 1_000,
  pingIntervalMs,
  offlineAfterMs: offlineAfter(pingIntervalMs),
  heartbeatIntervalMs: 120_000,
  nodeHeartbeatMs: 3_000,
  nodeDeadAfterMs: 10_000,
  quietMs: 5_000,
  stopQuietMs: 300,
  settleMs: 1_000,
  batchWaitMs: 2,
  publishEveryMs: 1_000,
};

/**
 * Timeout of calls that no user waits for. Only one call may be on the wire, and a driver's start may wait behind it.
 */
export const callTimeoutMs = 15_000;
/** Some devices answer TriggerMessage after a minute. We do not need the answer, only the message that follows. */
export const triggerTimeoutMs = 5_000;

/** The default timings with the given ones. The offline limit follows the ping interval. */
export function timingsWith(given: Partial<Timings> = {}): Timings {
  const pinged = given.pingIntervalMs ?? usualTimings.pingIntervalMs;
  return { ...usualTimings, offlineAfterMs: offlineAfter(pinged), ...given };
}
