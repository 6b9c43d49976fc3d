import type { NoteSubject, SupportNote } from '@fpay/contract/admin/notes';
import type { Audit } from '../platform/audit.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step, Steps } from '../platform/step.ts';

interface Dependencies {
  db: Database;
  steps: Steps;
  clock: Clock;
  audit: Audit;
  /** Whom the note is about, with whose account its text in the audit is erased. Null: there is no such subject. */
  personOf: Record<NoteSubject, (id: number) => Promise<number | null>>;
  /** Writes the note into the log of its subject, in the same step. */
  log: Record<NoteSubject, (step: Step, id: number, actor: string, text: string) => Promise<void>>;
}

const mostNotes = 200;

/** What staff remember about a user or an operation. Notes are only added. */
export function createNotes({ db, steps, clock, audit, personOf, log }: Dependencies) {
  return {
    async list(subject: NoteSubject, id: number): Promise<SupportNote[]> {
      const rows = await db
        .selectFrom('support_notes as n')
        .innerJoin('users as u', 'u.id', 'n.staff_id')
        .select(['n.id', 'n.staff_id', 'u.name', 'n.text', 'n.created_at'])
        .where('n.subject_kind', '=', subject)
        .where('n.subject_id', '=', id)
        .orderBy('n.id', 'desc')
        .limit(mostNotes)
        .execute();
      return rows.map((row) => ({
        id: row.id,
        staff: { id: row.staff_id, name: row.name },
        text: row.text,
        created_at: row.created_at.toISOString(),
      }));
    },

    async add(subject: NoteSubject, id: number, staff: number, text: string): Promise<SupportNote> {
      const person = await personOf[subject](id);
      if (person === null) throw new Refusal('not_found');
      await steps.run(async (step) => {
        await step.db
          .insertInto('support_notes')
          .values({
            subject_kind: subject,
            subject_id: id,
            staff_id: staff,
            text: text.trim(),
            created_at: clock.now(),
          })
          .execute();
        await log[subject](step, id, `staff ${staff}`, `note: ${text.trim()}`);
        const about = { subject: { kind: subject, id }, person, personal: { text: text.trim() } };
        await audit(step, { staff, action: `${subject}.note`, ...about });
        if (subject === 'operation') step.publish('operation', id);
      });
      const [note] = await this.list(subject, id);
      if (!note) throw new Refusal('not_found');
      return note;
    },
  };
}

export type Notes = ReturnType<typeof createNotes>;
