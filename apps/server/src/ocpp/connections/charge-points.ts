import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { Step } from '../../platform/step.ts';
import type { DeviceStates } from '../../stations/device-states.ts';
import type { KeptConfiguration } from './configuration.ts';

type Executor = Database | Step['db'];

/** Charge points as other features may use them. The gateway also writes what a device reports about itself. */
export async function findChargePoint(db: Executor, identity: string): Promise<number | null> {
  const row = await db.selectFrom('charge_points').select('id').where('identity', '=', identity).executeTakeFirst();
  return row?.id ?? null;
}

export async function addChargePoint(
  step: Step,
  { identity, keyHash, now }: { identity: string; keyHash: Buffer; now: Date },
): Promise<number> {
  const { id } = await step.db
    .insertInto('charge_points')
    .values({ identity, key_hash: keyHash, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** False when there is no such charge point. A new key has not been readable. */
export async function setChargePointKey(db: Executor, identity: string, keyHash: Buffer): Promise<boolean> {
  const changed = await db
    .updateTable('charge_points')
    .set({ key_hash: keyHash, key_exposed_at: null })
    .where('identity', '=', identity)
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}

export async function listChargePoints(db: Executor) {
  return db
    .selectFrom('charge_points')
    .select(['id', 'identity', 'vendor', 'model', 'firmware_version', 'is_online', 'needs_certificate'])
    .orderBy('identity')
    .execute();
}

/**
 * Returns those that changed, whose stations are published. It gets up to some thousands at once, as when a node dies.
 */
export async function setOnline(
  step: Step,
  { clock, deviceStates }: { clock: Clock; deviceStates: Pick<DeviceStates, 'publishStationsOf'> },
  chargePointIds: readonly number[],
  isOnline: boolean,
): Promise<number[]> {
  if (chargePointIds.length === 0) return [];
  const rows = await step.db
    .updateTable('charge_points')
    .set({ is_online: isOnline, online_changed_at: clock.now() })
    .where('id', 'in', chargePointIds)
    .where('is_online', '!=', isOnline)
    .returning('id')
    .execute();
  const changed = rows.map(({ id }) => id);
  await noteOutages(step, changed, isOnline, clock.now());
  await deviceStates.publishStationsOf(step, changed);
  return changed;
}

/** An outage begins when the device is shown as offline and ends when it is back. */
async function noteOutages(step: Step, ids: readonly number[], isOnline: boolean, now: Date): Promise<void> {
  if (ids.length === 0) return;
  if (isOnline) {
    await sql`update charge_point_outages set ended_at = ${now}
      where charge_point_id = any(${ids}::bigint[]) and ended_at is null`.execute(step.db);
    return;
  }
  await sql`insert into charge_point_outages (charge_point_id, began_at)
    select id, ${now} from unnest(${ids}::bigint[]) as id on conflict do nothing`.execute(step.db);
}

export interface DeviceSettings {
  configuration: KeptConfiguration;
  /** The firmware that refused a charging profile; null when none did. */
  profileRefusedBy: string | null;
}

export async function deviceSettingsOf(step: Step, chargePoint: number): Promise<DeviceSettings> {
  const row = await step.db
    .selectFrom('charge_points')
    .select(['configuration', 'profile_refused_by'])
    .where('id', '=', chargePoint)
    .executeTakeFirstOrThrow();
  return { configuration: row.configuration as KeptConfiguration, profileRefusedBy: row.profile_refused_by };
}

/** A firmware that refused a charging profile does not get one again. */
export async function noteProfileRefused(step: Step, chargePoint: number, firmware: string): Promise<void> {
  await step.db
    .updateTable('charge_points')
    .set({ profile_refused_by: firmware })
    .where('id', '=', chargePoint)
    .execute();
}
