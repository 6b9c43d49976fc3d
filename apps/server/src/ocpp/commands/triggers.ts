import { sql } from 'kysely';
import type { Database } from '../../platform/database.ts';
import { createBatch } from '../../platform/rows/batch.ts';
import type { Step, Steps } from '../../platform/step.ts';

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

interface TriggerNote {
  chargePointId: number;
  support: TriggerSupport;
}

export const noteTrigger = (db: Database | Step['db'], chargePointId: number, support: TriggerSupport): Promise<void> =>
  noteTriggers(db, [{ chargePointId, support }]);

async function noteTriggers(db: Database | Step['db'], notes: readonly TriggerNote[]): Promise<void> {
  const clear = notes.filter(({ support }) => support !== 'unclear');
  if (clear.length === 0) return;
  const ignored = sql`case v.support when 'yes' then 0
    when 'ignored' then least(c.triggers_ignored + 1, ${mostIgnored}::int) else ${mostIgnored}::int end`;
  await sql`update charge_points c set triggers_ignored = ${ignored}
    from unnest(${clear.map(({ chargePointId }) => chargePointId)}::bigint[], ${clear.map(({ support }) => support)}::text[])
      as v (id, support)
    where c.id = v.id and c.triggers_ignored <> ${ignored}`.execute(db);
}

export const supportsTriggers = async (db: Database | Step['db'], chargePointId: number): Promise<boolean> =>
  (await supportingTriggers(db, [chargePointId])).has(chargePointId);

async function supportingTriggers(db: Database | Step['db'], chargePointIds: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select id from charge_points where id = any(${chargePointIds}::bigint[]) and triggers_ignored < ${mostIgnored}`.execute(
    db,
  );
  return new Set(rows.map(({ id }) => id));
}

/** No device waits for these statements, so those of this time share one. */
const sharedMs = 20;

/** The same for thousands that booted at once: two statements for each of them are a third of what a boot costs. */
export function createTriggerSupport(steps: Steps) {
  const options = { waitMs: sharedMs, most: 500 };
  const asked = createBatch<number, boolean>({
    ...options,
    async run(ids) {
      const supporting = await steps.single((db) => supportingTriggers(db, ids));
      return ids.map((id) => supporting.has(id));
    },
  });
  const noted = createBatch<TriggerNote, void>({
    ...options,
    keyOf: ({ chargePointId }) => chargePointId,
    async run(notes) {
      await steps.single((db) => noteTriggers(db, notes));
      return [];
    },
  });
  return {
    has: (chargePointId: number): Promise<boolean> => asked.add(chargePointId),
    note: async (note: TriggerNote): Promise<void> => {
      if (note.support !== 'unclear') await noted.add(note);
    },
  };
}
