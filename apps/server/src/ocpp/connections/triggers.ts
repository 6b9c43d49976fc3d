import { sql } from 'kysely';
import type { Database } from '../../platform/database.ts';
import type { Step } from '../../platform/step.ts';

/**
 * Whether a device supports TriggerMessage. A device that ignored it twice is not asked again before its next boot,
 * because each attempt would occupy it, and a stop cannot depend on messages that it does not send.
 */
export type TriggerSupport = 'yes' | 'ignored' | 'unknownToIt' | 'unclear';

const mostIgnored = 2;

export function triggerSupportOf(status: string, answer: object | null): TriggerSupport {
  const said = (answer ?? {}) as { status?: unknown; code?: unknown; wasSent?: unknown };
  if (status === 'timeout') return said.wasSent === false ? 'unclear' : 'ignored';
  // A refusal is about one message only, and it costs no time.
  if (status === 'answered') return said.status === 'Accepted' ? 'yes' : 'unclear';
  if (status === 'error')
    return ['NotImplemented', 'NotSupported'].includes(String(said.code)) ? 'unknownToIt' : 'unclear';
  return 'unclear';
}

export async function noteTrigger(
  db: Database | Step['db'],
  chargePointId: number,
  support: TriggerSupport,
): Promise<void> {
  if (support === 'unclear') return;
  const ignored = {
    yes: sql`0`,
    ignored: sql`least(triggers_ignored + 1, ${mostIgnored})`,
    unknownToIt: sql`${mostIgnored}`,
  }[support];
  await sql`update charge_points set triggers_ignored = ${ignored}
    where id = ${chargePointId} and triggers_ignored <> ${ignored}`.execute(db);
}

export async function supportsTriggers(db: Database | Step['db'], chargePointId: number): Promise<boolean> {
  const { rows } = await sql<{ supports: boolean }>`
    select triggers_ignored < ${mostIgnored} as supports from charge_points where id = ${chargePointId}`.execute(db);
  return rows[0]?.supports ?? false;
}
