import { offlineAfter } from '../stations/connection.ts';

/** Every wait of the gateway with its reason. Tests shorten them. */
export interface Timings {
  /** One look at all sockets; pings are spread over the looks, so that ten thousand do not go out at once. */
  tickMs: number;
  /** Setting OCPP_PING_SECONDS. */
  pingIntervalMs: number;
  /** Three pings, unless a test says otherwise. */
  offlineAfterMs: number;
  /** Setting OCPP_HEARTBEAT_SECONDS: what devices are asked to send. Each heartbeat costs a metered SIM some 200 bytes. */
  heartbeatIntervalMs: number;
  /** A node says this often that it lives, and is dead after missing three. */
  nodeHeartbeatMs: number;
  nodeDeadAfterMs: number;
  /** Devices ignore calls that come before their own BootNotification; some hang up. */
  quietMs: number;
  /** After the boot's answer: the device is still busy with its own first messages. */
  settleMs: number;
  /** How long readings wait for company before they are written. */
  gatherMs: number;
  /** A page needs no more than this many updates of one operation: one each. */
  tellEveryMs: number;
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
  settleMs: 1_000,
  gatherMs: 2,
  tellEveryMs: 1_000,
};

/** Of what we ask unasked. Only one call may be on the wire, and a driver's start may wait behind it. */
export const callTimeoutMs = 15_000;
/** Some answer TriggerMessage after a minute; the answer is of no use to us, only what they then send. */
export const triggerTimeoutMs = 5_000;

/** The usual ones with those given. The offline limit follows the ping interval. */
export function timingsWith(given: Partial<Timings> = {}): Timings {
  const pinged = given.pingIntervalMs ?? usualTimings.pingIntervalMs;
  return { ...usualTimings, offlineAfterMs: offlineAfter(pinged), ...given };
}
