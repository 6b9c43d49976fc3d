import type { Database } from '../platform/database.ts';

/** The station with this number, as staff type it in filters; null when there is none. */
export async function stationIdOf(db: Database, number: string): Promise<number | null> {
  const row = await db.selectFrom('stations').select('id').where('number', '=', number).executeTakeFirst();
  return row?.id ?? null;
}
