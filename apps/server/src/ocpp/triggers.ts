import { sql } from 'kysely';
import type { Database } from '../platform/database.ts';
import type { Step } from '../platform/step.ts';

/**
 * Whether a device heeds TriggerMessage. One that ignored it twice is not asked again before its next boot: each try would
 * keep it busy, and what it does not send it cannot be stopped by.
 */
export type Heeded = 'yes' | 'ignored' | 'unknownToIt' | 'unclear';

const mostIgnored = 2;

export function heededOf(status: string, answer: object | null): Heeded {
  const said = (answer ?? {}) as { status?: unknown; code?: unknown; wasSent?: unknown };
  if (status === 'timeout') return said.wasSent === false ? 'unclear' : 'ignored';
  // A refusal is about one message, and it costs no time.
  if (status === 'answered') return said.status === 'Accepted' ? 'yes' : 'unclear';
  if (status === 'error')
    return ['NotImplemented', 'NotSupported'].includes(String(said.code)) ? 'unknownToIt' : 'unclear';
  return 'unclear';
}

export async function noteTrigger(db: Database | Step['db'], chargePointId: number, heeded: Heeded): Promise<void> {
  if (heeded === 'unclear') return;
  const ignored = {
    yes: sql`0`,
    ignored: sql`least(triggers_ignored + 1, ${mostIgnored})`,
    unknownToIt: sql`${mostIgnored}`,
  }[heeded];
  await sql`update charge_points set triggers_ignored = ${ignored}
    where id = ${chargePointId} and triggers_ignored <> ${ignored}`.execute(db);
}

export async function heedsTriggers(db: Database | Step['db'], chargePointId: number): Promise<boolean> {
  const { rows } = await sql<{ heeds: boolean }>`
    select triggers_ignored < ${mostIgnored} as heeds from charge_points where id = ${chargePointId}`.execute(db);
  return rows[0]?.heeds ?? false;
}
