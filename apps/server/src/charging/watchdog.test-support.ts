import { sql } from 'kysely';
import type { World } from '../testing/world.ts';

/** Charges that look as if time had passed, for the watchdogs to find. */
export function createWatched(world: World) {
  /** As if it had been so since then. */
  const ago = (id: number, column: string, interval: string) =>
    sql`update operations set ${sql.ref(column)} = now() - ${interval}::interval where id = ${id}`.execute(world.db);
  /** The station came so long ago and has been here since, or has been away since. */
  const hereFor = (id: number, interval: string, isOnline = true) =>
    sql`update charge_points set is_online = ${isOnline}, online_changed_at = now() - ${interval}::interval
      where id = (select charge_point_id from operations where id = ${id})`.execute(world.db);

  return {
    ago,
    hereFor,
    /** A charge under way with 100 Wh on the meter, at a station that was never away. */
    async charging() {
      const scene = await world.startCharge();
      await scene.device.meter(1, scene.transactionId, 1_100);
      await hereFor(scene.id, '1 day');
      return scene;
    },
    /** The last reading came so long ago. */
    async lastHeard(id: number, interval: string): Promise<void> {
      await ago(id, 'last_sample_at', interval);
      await ago(id, 'status_at', interval);
      await sql`update meter_samples set received_at = now() - ${interval}::interval
        where ocpp_transaction_id in (select id from ocpp_transactions where operation_id = ${id})`.execute(world.db);
    },
    async statusOf(id: number): Promise<string> {
      const row = world.db.selectFrom('operations').select('status').where('id', '=', id);
      return (await row.executeTakeFirstOrThrow()).status;
    },
    async terminationsOf(id: number): Promise<string[]> {
      const rows = await world.db.selectFrom('terminations').select('type').where('operation_id', '=', id).execute();
      return rows.map(({ type }) => type);
    },
  };
}
