import { createHash } from 'node:crypto';
import { insertRecord, type StaffAction } from './audit.ts';
import type { Clock } from './clock.ts';
import type { Database } from './database.ts';

const hourMs = 3_600_000;

/** Who on the staff looked at whose data. Each is on record before the answer, once per reader, subject and hour. */
export interface Reads {
  /** Data of one person. A staff member's own page and log are not recorded. */
  of(reader: number, what: 'user' | 'user-log' | 'operation-log' | 'payment' | 'case', id: number): Promise<void>;
  /** A list or a search with its filter. */
  list(reader: number, name: 'users' | 'operations' | 'feedback' | 'cases' | 'search', filter: object): Promise<void>;
}

const subjects = {
  user: 'user',
  'user-log': 'user',
  'operation-log': 'operation',
  payment: 'payment',
  case: 'case',
} as const;

export function createReads(db: Database, clock: Clock): Reads {
  async function record(read: Pick<StaffAction, 'action' | 'subject' | 'after'> & { staff: number }, filter: string) {
    const now = clock.now();
    const { kind, id } = read.subject;
    const hour = Math.floor(now.getTime() / hourMs);
    const requestKey = `${read.action}:${read.staff}:${kind}:${id}:${filter}:${hour}`;
    await insertRecord(db, now, { ...read, requestKey });
  }

  return {
    async of(reader, what, id) {
      const kind = subjects[what];
      if (kind === 'user' && id === reader) return;
      await record({ staff: reader, action: `read.${what}`, subject: { kind, id } }, '');
    },
    list: (reader, name, filter) =>
      record(
        { staff: reader, action: `read.${name}`, subject: { kind: 'list', id: reader }, after: withoutPhones(filter) },
        keyOf(filter),
      ),
  };
}

/** Only 24 bits of the hash, so that a phone number of the filter cannot be found by trying all numbers. */
const keyOf = (filter: object): string =>
  createHash('sha256').update(JSON.stringify(filter)).digest('base64url').slice(0, 4);

/** Whole phone numbers stay out of the record: their last two digits say what was looked for. */
export function withoutPhones(filter: object): object {
  return Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, maskedPhone(value)]));
}

function maskedPhone(value: unknown): unknown {
  const digits = typeof value === 'string' && /^\+?[\d\s()-]+$/.test(value) ? value.replaceAll(/\D/g, '') : '';
  return digits.length < 7 ? value : `••• ${digits.slice(-2)}`;
}
