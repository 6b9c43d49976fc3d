import { deviceSettingsOf } from '../ocpp/connections/charge-points.ts';
import type { Step } from '../platform/step.ts';
import { findConnector } from '../stations/connectors.ts';

/** How long a device waits for the plug when it does not report it, in seconds: the usual value of OCPP. */
const usualConnectionTimeoutSeconds = 60;

/** The number that the device itself uses for this connector. */
export async function ocppConnectorOf(step: Step, connector: number): Promise<number> {
  return (await findConnector(step.db, connector)).ocppConnector;
}

/** How long the device waits for the plug after a RemoteStart, in seconds. */
export async function connectionTimeoutOf(step: Step, chargePoint: number): Promise<number> {
  const { configuration } = await deviceSettingsOf(step, chargePoint);
  const reported = Number(configuration.values?.ConnectionTimeOut);
  return Number.isInteger(reported) && reported > 0 && reported < 3600 ? reported : usualConnectionTimeoutSeconds;
}
