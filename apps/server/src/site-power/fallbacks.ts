import { defaultProfile, defaultProfileId } from '../charging/limit/limit-profile.ts';
import type { Commands } from '../ocpp/commands/service.ts';
import type { Step } from '../platform/step.ts';
import { fallbackOf, type SiteLimits } from './site-limit.ts';
import type { SiteConnectorRow } from './site-rows.ts';

/** A device that refused is asked again after a boot or after this time; perhaps its firmware was changed. */
const afterRefusalMs = 24 * 60 * 60_000;
/** One that did not answer. */
const afterSilenceMs = 10 * 60_000;

interface Fallback {
  connector_id: number;
  limit_w: number;
  asked_at: Date;
  is_accepted: boolean | null;
  status: string | null;
  answer: unknown;
}

/**
 * Keeps a standing profile in every device of a site, so that a charger that loses the server, or starts a charge while
 * it is away, takes no more than its part. A charge that the server divides has a profile of its own, which replaces it.
 */
export async function keepFallbacks(
  step: Step,
  order: Commands['order'],
  site: SiteLimits & { id: number },
  connectors: readonly SiteConnectorRow[],
  now: Date,
): Promise<void> {
  const wanted = fallbackOf(
    site,
    connectors.map((one) => ({ ...one, hasProfiles: !one.isProfileRefused })),
  );
  const rows: Fallback[] = await step.db
    .selectFrom('site_fallbacks as f')
    .leftJoin('commands as k', 'k.id', 'f.command_id')
    .select(['f.connector_id', 'f.limit_w', 'f.asked_at', 'f.is_accepted', 'k.status', 'k.answer'])
    .where('f.site_id', '=', site.id)
    .execute();
  const known = new Map(rows.map((row) => [row.connector_id, row]));
  for (const row of rows) await keepAnswer(step, row);
  for (const connector of connectors) {
    const limitW = wanted.get(connector.id);
    if (limitW === undefined || !connector.isOnline || !isDue(known.get(connector.id), limitW, connector, now))
      continue;
    const { chargePoint, number, ratedW, rateUnits } = connector;
    const payload = defaultProfile({ connectorId: number, ratedW, limitW, rateUnits });
    const command = await order(step, { chargePointId: chargePoint, action: 'SetChargingProfile', payload });
    const asked = { site_id: site.id, limit_w: limitW, command_id: command, asked_at: now, is_accepted: null };
    await step.db
      .insertInto('site_fallbacks')
      .values({ connector_id: connector.id, ...asked })
      .onConflict((conflict) => conflict.column('connector_id').doUpdateSet(asked))
      .execute();
  }
  const here = new Set(connectors.map(({ id }) => id));
  await clear(
    step,
    order,
    rows.map(({ connector_id }) => connector_id).filter((id) => !here.has(id)),
  );
}

/** The outcome is kept with the row, because the command is deleted some day. */
async function keepAnswer(step: Step, row: Fallback): Promise<void> {
  if (row.is_accepted !== null || row.status === null || row.status === 'queued' || row.status === 'sent') return;
  if (row.status !== 'answered' && row.status !== 'error') return;
  row.is_accepted = (row.answer as { status?: unknown } | null)?.status === 'Accepted';
  const { connector_id: connector, is_accepted } = row;
  await step.db.updateTable('site_fallbacks').set({ is_accepted }).where('connector_id', '=', connector).execute();
}

function isDue(row: Fallback | undefined, limitW: number, { bootedAt }: SiteConnectorRow, now: Date): boolean {
  if (!row || row.limit_w !== limitW) return true;
  // Not every device keeps its profiles over a reboot.
  if (bootedAt !== null && row.asked_at < bootedAt) return true;
  if (row.is_accepted === true) return false;
  const askedMs = now.getTime() - row.asked_at.getTime();
  return askedMs > (row.is_accepted === false ? afterRefusalMs : afterSilenceMs);
}

/** A connector that left its site is limited no longer. An offline device is cleared when it is back. */
async function clear(step: Step, order: Commands['order'], connectors: readonly number[]): Promise<void> {
  if (connectors.length === 0) return;
  const left = await step.db
    .selectFrom('connectors')
    .innerJoin('charge_points', 'charge_points.id', 'connectors.charge_point_id')
    .select(['connectors.id', 'connectors.ocpp_connector', 'connectors.charge_point_id'])
    .where('connectors.id', 'in', connectors)
    .where('charge_points.is_online', '=', true)
    .execute();
  for (const { id, ocpp_connector, charge_point_id } of left) {
    const payload = { id: defaultProfileId(ocpp_connector) };
    await order(step, { chargePointId: charge_point_id, action: 'ClearChargingProfile', payload });
    await step.db.deleteFrom('site_fallbacks').where('connector_id', '=', id).execute();
  }
}
