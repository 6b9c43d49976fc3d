import type { Database } from '../platform/database.ts';
import { kyivDate, kyivTimeWithSeconds } from '../platform/kyiv-time.ts';
import { textLog } from '../platform/watching/log-lines.ts';

/** Staff read the newest lines; the whole log of a busy account would be megabytes. */
const mostLines = 2_000;

/**
 * What happened to a user and to their charges, and what staff did to them, line by line in the order of time. Null
 * when the user does not exist.
 */
export async function userLogText(db: Database, userId: number): Promise<string | null> {
  const user = await db.selectFrom('users').select('id').where('id', '=', userId).executeTakeFirst();
  if (!user) return null;
  const [own, staff, charges] = await Promise.all([
    db
      .selectFrom('user_log')
      .select(['created_at', 'actor', 'text'])
      .where('user_id', '=', userId)
      .orderBy('id', 'desc')
      .limit(mostLines)
      .execute(),
    db
      .selectFrom('audit as a')
      .leftJoin('audit_personal as p', 'p.audit_id', 'a.id')
      .select(['a.created_at', 'a.actor', 'a.staff_id', 'a.action', 'a.before', 'a.after', 'p.values as personal'])
      .where('a.subject_kind', '=', 'user')
      .where('a.subject_id', '=', String(userId))
      // The log says what happened to the user. Who looked at it is in the audit.
      .where('a.action', 'not like', 'read.%')
      .orderBy('a.id', 'desc')
      .limit(mostLines)
      .execute(),
    db
      .selectFrom('operations')
      .innerJoin('operation_log as l', 'l.operation_id', 'operations.id')
      .select(['l.created_at', 'l.actor', 'l.text', 'operations.id as operation'])
      .where('operations.user_id', '=', userId)
      .where('l.is_technical', '=', false)
      .orderBy('operations.id', 'desc')
      .orderBy('l.id', 'desc')
      .limit(mostLines)
      .execute(),
  ]);
  const change = (before: unknown, after: unknown) =>
    [before, after].map((side) => (side === null ? '' : JSON.stringify(side))).join(' → ');
  const lines = [
    ...charges.toReversed().map(({ created_at, actor, text, operation }) => ({
      at: created_at,
      actor: `operation ${operation}, ${actor}`,
      text,
    })),
    ...own.toReversed().map(({ created_at, actor, text }) => ({ at: created_at, actor, text })),
    ...staff.toReversed().map(({ created_at, actor, staff_id, action, before, after, personal }) => ({
      at: created_at,
      actor: staff_id === null ? actor : `staff ${staff_id}`,
      text: `${action} ${change(before, after ?? personal)}`.trimEnd(),
    })),
  ].sort((a, b) => a.at.getTime() - b.at.getTime());
  const shown = lines.slice(-mostLines);
  if (shown.length === 0) return '';
  return `${textLog(shown.map((line) => ({ ...line, at: `${kyivDate(line.at)} ${kyivTimeWithSeconds(line.at)}` })))}\n`;
}
