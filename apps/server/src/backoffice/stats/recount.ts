import { sql } from 'kysely';
import type { Database } from '../../platform/database.ts';

/** A minute's run counts so many hours at most, so that the first run after an upgrade does not hold one transaction for long. */
const atOnce = 200;
const mostRounds = 20;

/** Counts the hours again whose operations have changed. Until then their figures come from the operations themselves. */
export async function recountStats(db: Database): Promise<number> {
  let counted = 0;
  for (let round = 0; round < mostRounds; round += 1) {
    const { rows } = await sql<{ counted: number }>`select recount_stats(${atOnce}) as counted`.execute(db);
    const now = rows[0]?.counted ?? 0;
    counted += now;
    if (now < atOnce) break;
  }
  return counted;
}
