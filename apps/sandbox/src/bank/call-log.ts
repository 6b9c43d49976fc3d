import type { Clock } from '../clock.ts';
import type { Database } from '../database.ts';

/** One call to the bank, or one webhook from it. */
export interface LoggedCall {
  id: number;
  at: number;
  direction: 'call' | 'webhook';
  what: string;
  /** HTTP status; null when there was no answer. */
  status: number | null;
  request: string;
  answer: string;
}

export interface CallLog {
  add(call: Omit<LoggedCall, 'id' | 'at'>): void;
  recent(limit: number): LoggedCall[];
}

const kept = 2000;
const longestText = 4000;

export function createCallLog(db: Database, clock: Clock): CallLog {
  db.schema(`CREATE TABLE IF NOT EXISTS bank_log (
    id INTEGER PRIMARY KEY, at INTEGER NOT NULL, direction TEXT NOT NULL, what TEXT NOT NULL,
    status INTEGER, request TEXT NOT NULL, answer TEXT NOT NULL
  ) STRICT`);
  return {
    add({ direction, what, status, request, answer }) {
      const id = db.run(
        'INSERT INTO bank_log (at, direction, what, status, request, answer) VALUES (?, ?, ?, ?, ?, ?)',
        clock.now(),
        direction,
        withoutSecrets(what),
        status,
        withoutSecrets(request).slice(0, longestText),
        withoutSecrets(answer).slice(0, longestText),
      );
      if (id % 100 === 0) db.run('DELETE FROM bank_log WHERE id <= ?', id - kept);
    },
    recent: (limit) => db.all<LoggedCall>('SELECT * FROM bank_log ORDER BY id DESC LIMIT ?', limit),
  };
}

/**
 * Headers are not logged, so there is no merchant token to remove. Removed are card tokens and the query of a return
 * address, where a merchant may put a payer's session.
 */
function withoutSecrets(text: string): string {
  return text
    .replace(/("cardToken"\s*:\s*")[^"]*/g, '$1***')
    .replace(/([?&]cardToken=)[^&\s]*/g, '$1***')
    .replace(/("(?:redirectUrl|webHookUrl|successUrl|failUrl)"\s*:\s*"[^"?]*\?)[^"]*/g, '$1***');
}
