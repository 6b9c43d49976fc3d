import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from './database.ts';

/** What is wrong with a row of the audit. */
export interface ChainFault {
  /** Of the audit; null when the fault is about the chain as a whole. */
  id: number | null;
  fault: string;
  /** The place in the chain. */
  seq: number;
}

/** The end of the chain at some moment. Kept outside the database it shows that the newest rows were removed. */
export interface AuditHead {
  seq: number;
  hash: string;
}

interface Link {
  seq: number;
  audit_id: number;
  hash: Buffer;
  personal_hash: Buffer | null;
  content: string | null;
  salt: Buffer | null;
  values: string | null;
  has_part: boolean;
  is_account_gone: boolean;
}

const sha256 = (...parts: (Buffer | string)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** Rows that are read at once. A page takes half a second on a busy machine, so ten million rows take 17 minutes. */
const pageSize = 5_000;

const mostFaults = 1_000;

export async function auditHead(db: Database): Promise<AuditHead> {
  const { seq, hash } = await db.selectFrom('audit_head').select(['seq', 'hash']).executeTakeFirstOrThrow();
  return { seq, hash: hash.toString('hex') };
}

/**
 * Computes every hash of the chain again, in pages. The hashes are made here and not by a function of the database, so
 * that a changed function shows. `known` are heads that were noted earlier, outside the database.
 */
export async function checkAuditChain(db: Database, known: readonly AuditHead[] = []): Promise<ChainFault[]> {
  const faults: ChainFault[] = [];
  const head = await auditHead(db);
  const noted = new Map(known.map(({ seq, hash }) => [seq, hash]));
  let hash = sha256('');
  let seq = 0;
  while (seq < head.seq && faults.length < mostFaults) {
    const links = await page(db, seq, Math.min(seq + pageSize, head.seq));
    let expected = seq + 1;
    for (const link of links) {
      if (link.seq > expected) faults.push({ id: null, seq: expected, fault: 'a link of the chain is missing' });
      expected = link.seq + 1;
      const fault = faultOf(link, hash);
      if (fault !== null) faults.push({ id: link.audit_id, seq: link.seq, fault });
      // The chain goes on from the stored hash, so that one fault is reported once and not for every later row.
      hash = link.hash;
      const wanted = noted.get(link.seq);
      if (wanted !== undefined && wanted !== hash.toString('hex'))
        faults.push({ id: link.audit_id, seq: link.seq, fault: 'the chain is not the one that was noted' });
    }
    seq = Math.min(seq + pageSize, head.seq);
    if (expected <= seq) faults.push({ id: null, seq: expected, fault: 'a link of the chain is missing' });
  }
  if (faults.length < mostFaults) faults.push(...(await faultsOfEnd(db, head, hash, known)), ...(await unchained(db)));
  return faults.slice(0, mostFaults);
}

async function page(db: Database, after: number, until: number): Promise<Link[]> {
  const { rows } = await sql<Link>`
    select c.seq, c.audit_id, c.hash, c.personal_hash, p.salt, p."values"::text as values,
      p.audit_id is not null as has_part,
      p.erased_at is not null and exists (select from users u where u.deleted_at is not null and u.id = coalesce(
        (select g.joined_id from users g where g.id = p.user_id), p.user_id)) as is_account_gone,
      case when a.id is not null then jsonb_build_array(a.id, a.actor, a.staff_id, a.action, a.subject_kind,
        a.subject_id, a.before, a.after, a.request_key, extract(epoch from a.created_at))::text end as content
    from audit_chain c left join audit a on a.id = c.audit_id left join audit_personal p on p.audit_id = c.audit_id
    where c.seq > ${after} and c.seq <= ${until} order by c.seq`.execute(db);
  return rows;
}

function faultOf(link: Link, previous: Buffer): string | null {
  const { content, hash, personal_hash: personal } = link;
  if (content === null) return 'the row is missing';
  if (!sha256(previous, sha256(content), personal ?? '').equals(hash)) return 'the row was altered';
  return personalFault(link);
}

function personalFault({ personal_hash: hash, has_part, salt, values, is_account_gone }: Link): string | null {
  if (hash === null) return has_part ? 'a personal part was added' : null;
  if (!has_part) return 'the personal part is missing';
  if (salt === null || values === null) {
    return is_account_gone ? null : 'the personal part was erased and the account exists';
  }
  return sha256(salt, values).equals(hash) ? null : 'the personal part was altered';
}

async function faultsOfEnd(
  db: Database,
  head: AuditHead,
  hash: Buffer,
  known: readonly AuditHead[],
): Promise<ChainFault[]> {
  const { rows } = await sql<{ seq: number | null }>`select max(seq) as seq from audit_chain`.execute(db);
  const last = rows[0]?.seq ?? 0;
  const faults: ChainFault[] = [];
  if (hash.toString('hex') !== head.hash || last < head.seq)
    faults.push({ id: null, seq: head.seq, fault: 'the chain does not end as its head says' });
  for (const { seq } of known.filter((one) => one.seq > head.seq))
    faults.push({ id: null, seq, fault: 'the newest rows are missing' });
  return faults;
}

/** Rows that were written past the trigger. Pages of ids, because the whole join would need memory for all rows. */
async function unchained(db: Database): Promise<ChainFault[]> {
  const faults: ChainFault[] = [];
  for (let after = 0; faults.length < mostFaults; ) {
    const { rows } = await sql<{ id: number; is_chained: boolean }>`
      select a.id, exists (select from audit_chain c where c.audit_id = a.id) as is_chained
      from audit a where a.id > ${after} order by a.id limit ${pageSize}`.execute(db);
    faults.push(
      ...rows
        .filter(({ is_chained }) => !is_chained)
        .map(({ id }) => ({ id, seq: 0, fault: 'the row is not in the chain' })),
    );
    const last = rows.at(-1);
    if (!last || rows.length < pageSize) break;
    after = last.id;
  }
  return faults;
}
