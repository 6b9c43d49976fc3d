import { noteAnomalies } from '../ocpp/device/anomalies.ts';
import type { Step } from '../platform/step.ts';
import type { SiteConnectorRow } from './site-rows.ts';
import { obeysBy } from './steering.ts';

/** Keeps what the readings show about the devices of a site, and returns its connectors with it. */
export async function observe(
  step: Step,
  connectors: readonly SiteConnectorRow[],
  now: Date,
): Promise<readonly SiteConnectorRow[]> {
  const seen = new Map<number, { obeys: boolean; by: SiteConnectorRow }>();
  for (const one of connectors) {
    const obeys = one.isRunning && one.hasProfiles && one.isOnline ? obeysBy(one) : null;
    // One connector that does not obey is enough.
    if (obeys !== null && seen.get(one.chargePoint)?.obeys !== false) seen.set(one.chargePoint, { obeys, by: one });
  }
  for (const { obeys, by } of seen.values()) if (obeys !== by.obeys) await keep(step, by, obeys, now);
  return connectors.map((one) => ({ ...one, obeys: seen.get(one.chargePoint)?.obeys ?? one.obeys }));
}

async function keep(step: Step, one: SiteConnectorRow, obeys: boolean, now: Date): Promise<void> {
  const { chargePoint, configuredFor, drawnW, capW, number } = one;
  const row = {
    obeys,
    since: now,
    configured_for: configuredFor,
    taken_w: obeys ? null : drawnW,
    allowed_w: obeys ? null : capW,
  };
  await step.db
    .insertInto('site_devices')
    .values({ charge_point_id: chargePoint, ...row })
    .onConflict((conflict) => conflict.column('charge_point_id').doUpdateSet(row))
    .execute();
  if (obeys) return;
  const details = { takenW: drawnW, allowedW: capW };
  const anomaly = {
    chargePointId: chargePoint,
    kind: 'shareIgnored',
    subject: `connector ${number}`,
    details,
  } as const;
  await noteAnomalies(step, [anomaly], now);
}
