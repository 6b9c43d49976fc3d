import { type ListedReason, ReasonKind, type saveStaffReasons } from '@fpay/contract/admin/reasons';
import type { BodyOf } from '@fpay/contract/endpoint';
import { languages } from '@fpay/contract/languages';
import type { Audit } from '../../platform/audit.ts';
import type { Database } from '../../platform/database.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Step, Steps } from '../../platform/step.ts';

interface Dependencies {
  db: Database;
  steps: Steps;
  audit: Audit;
}

type Entry = BodyOf<typeof saveStaffReasons>['reasons'][number];

/** A language that came after the entry was written has its text in the first one. */
function inEveryLanguage(texts: Partial<ListedReason['texts']>): ListedReason['texts'] {
  const [first] = languages;
  return Object.fromEntries(
    languages.map((language) => [language, texts[language] ?? texts[first]]),
  ) as ListedReason['texts'];
}

/** The reasons that staff choose from. Records keep the text of a reason, so an entry can be changed and removed. */
export function createStaffReasons({ db, steps, audit }: Dependencies) {
  async function list(from: Database | Step['db'] = db): Promise<ListedReason[]> {
    const rows = await from.selectFrom('staff_reasons').selectAll().orderBy('position').orderBy('id').execute();
    return rows.map(({ id, texts, kinds }) => ({
      id,
      texts: inEveryLanguage(texts as Partial<ListedReason['texts']>),
      // A kind that an older release knew is not offered any more.
      kinds: kinds.flatMap((kind) => ReasonKind.safeParse(kind).data ?? []),
    }));
  }

  async function write(step: Step, { id, texts, kinds }: Entry, position: number): Promise<void> {
    const row = { position, texts: JSON.stringify(texts), kinds: [...new Set(kinds)] };
    if (id === undefined) await step.db.insertInto('staff_reasons').values(row).execute();
    else await step.db.updateTable('staff_reasons').set(row).where('id', '=', id).execute();
  }

  return {
    list: () => list(),

    async save(staff: number, entries: readonly Entry[]): Promise<ListedReason[]> {
      return steps.run(async (step) => {
        const before = await list(step.db);
        const known = new Set(before.map(({ id }) => id));
        const kept = entries.flatMap(({ id }) => id ?? []);
        // An entry that a colleague has removed meanwhile.
        if (new Set(kept).size < kept.length || kept.some((id) => !known.has(id))) throw new Refusal('not_found');
        const removed = [...known].filter((id) => !kept.includes(id));
        if (removed.length > 0) await step.db.deleteFrom('staff_reasons').where('id', 'in', removed).execute();
        for (const [index, entry] of entries.entries()) await write(step, entry, index + 1);
        const after = await list(step.db);
        const subject = { kind: 'network', id: 1 } as const;
        await audit(step, { staff, action: 'network.reasons', subject, before: { before }, after: { after } });
        return after;
      });
    },
  };
}

export type StaffReasons = ReturnType<typeof createStaffReasons>;
