import type { Step } from '../../platform/step.ts';
import { findConnector } from '../../stations/connectors.ts';

const afterEndMs = 60_000;
/** Longer charges exist; for them a fault after the end is not noted. */
const longestChargeMs = 3 * 24 * 60 * 60_000;

/** The charges of a connector that ended within a minute: a device often reports a fault after the end that it caused. */
export async function endedLately(step: Step, connector: number, at: Date): Promise<number[]> {
  const { station } = await findConnector(step.db, connector);
  const now = at.getTime();
  const found = await step.db
    .selectFrom('operations')
    .select('id')
    .where('station_id', '=', station)
    .where('created_at', '>', new Date(now - longestChargeMs))
    .where('connector_id', '=', connector)
    .where('finished_at', '>=', new Date(now - afterEndMs))
    .execute();
  return found.map(({ id }) => id);
}
