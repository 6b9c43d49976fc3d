import type { Database } from '../database.ts';
import { startingBalance } from './message.ts';

export interface SmsMessage {
  id: string;
  phone: string;
  sender: string;
  text: string;
  segments: number;
  createdAt: number;
  /** When it is sent: now, or at the time that the sender set. */
  startAt: number;
}

interface Row {
  id: string;
  phone: string;
  sender: string;
  text: string;
  segments: number;
  created_at: number;
  start_at: number;
}

export interface SmsStore {
  add(message: SmsMessage): void;
  find(id: string): SmsMessage | undefined;
  /** Newest first. */
  recent(limit: number, phone?: string): SmsMessage[];
  /** In kopecks. */
  balance(): number;
  setBalance(kopecks: number): void;
}

export function createSmsStore(db: Database): SmsStore {
  db.schema(`
    CREATE TABLE IF NOT EXISTS sms_messages (
      id TEXT PRIMARY KEY, phone TEXT NOT NULL, sender TEXT NOT NULL, text TEXT NOT NULL,
      segments INTEGER NOT NULL, created_at INTEGER NOT NULL, start_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS sms_messages_phone ON sms_messages (phone);
    CREATE TABLE IF NOT EXISTS sms_account (id INTEGER PRIMARY KEY CHECK (id = 1), balance INTEGER NOT NULL) STRICT;
    INSERT OR IGNORE INTO sms_account VALUES (1, ${startingBalance});
  `);
  const messageOf = ({ created_at, start_at, ...row }: Row): SmsMessage => ({
    ...row,
    createdAt: created_at,
    startAt: start_at,
  });
  return {
    add: ({ id, phone, sender, text, segments, createdAt, startAt }) => {
      db.run(
        'INSERT INTO sms_messages VALUES (?, ?, ?, ?, ?, ?, ?)',
        id,
        phone,
        sender,
        text,
        segments,
        createdAt,
        startAt,
      );
    },
    find: (id) => db.all<Row>('SELECT * FROM sms_messages WHERE id = ?', id).map(messageOf)[0],
    recent: (limit, phone) =>
      (phone === undefined
        ? db.all<Row>('SELECT * FROM sms_messages ORDER BY rowid DESC LIMIT ?', limit)
        : db.all<Row>('SELECT * FROM sms_messages WHERE phone = ? ORDER BY rowid DESC LIMIT ?', phone, limit)
      ).map(messageOf),
    balance: () => db.get<{ balance: number }>('SELECT balance FROM sms_account')?.balance ?? 0,
    setBalance: (kopecks) => {
      db.run('UPDATE sms_account SET balance = ?', kopecks);
    },
  };
}
