import { sql } from 'kysely';
import type { Stack } from '../../testing/stack.ts';

/** Charges that look as if time had passed, for tests of the watchdogs. */
export function createAgedCharges(stack: Stack) {
  /** Sets the time of a column back. */
  const ago = (id: number, column: string, interval: string) =>
    sql`update operations set ${sql.ref(column)} = now() - ${interval}::interval where id = ${id}`.execute(stack.db);
  /** The station connected this long ago and has been connected since, or has been away since. */
  const hereFor = (id: number, interval: string, isOnline = true) =>
    sql`update charge_points set is_online = ${isOnline}, online_changed_at = now() - ${interval}::interval
      where id = (select charge_point_id from operations where id = ${id})`.execute(stack.db);

  return {
    ago,
    hereFor,
    /** A running charge with 100 Wh on the meter, at a station that was never away. */
    async charging() {
      const fixture = await stack.startCharge();
      await fixture.device.meter(1, fixture.transactionId, 1_100);
      await hereFor(fixture.id, '1 day');
      return fixture;
    },
    /** Sets the time of the last reading back. */
    async setLastReading(id: number, interval: string): Promise<void> {
      await ago(id, 'last_sample_at', interval);
      await ago(id, 'status_at', interval);
      await sql`update meter_samples set received_at = now() - ${interval}::interval
        where ocpp_transaction_id in (select id from ocpp_transactions where operation_id = ${id})`.execute(stack.db);
    },
    async statusOf(id: number): Promise<string> {
      const row = stack.db.selectFrom('operations').select('status').where('id', '=', id);
      return (await row.executeTakeFirstOrThrow()).status;
    },
    async terminationsOf(id: number): Promise<string[]> {
      const rows = await stack.db.selectFrom('terminations').select('type').where('operation_id', '=', id).execute();
      return rows.map(({ type }) => type);
    },
  };
}
