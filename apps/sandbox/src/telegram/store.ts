import type { Database } from '../database.ts';
import type { Message, TelegramUser, Update, UpdateType } from './types.ts';

/** A person who can write to the bot. */
export interface Person {
  user: TelegramUser;
  /** A bot cannot write first; the person must have written to it. */
  hasStarted: boolean;
  hasBlocked: boolean;
}

export interface PressedButton {
  id: string;
  chatId: number;
  messageId: number;
  data: string;
  at: number;
  /** The bot's answer, when there is one. */
  answer: { text?: string | undefined; show_alert?: boolean | undefined } | null;
}

/** The bot's own settings. */
export interface BotState {
  webhook: {
    url: string;
    secret: string | null;
    maxConnections: number;
    lastError: { date: number; message: string } | null;
  } | null;
  allowedUpdates: UpdateType[];
  /** Commands by scope and language. */
  commands: Record<string, { command: string; description: string }[]>;
}

export interface TelegramStore {
  person(id: number): Person | undefined;
  people(): Person[];
  savePerson(person: Person): void;
  nextMessageId(): number;
  message(chatId: number, messageId: number): Message | undefined;
  messages(chatId: number, limit: number): Message[];
  saveMessage(message: Message): void;
  deleteMessage(chatId: number, messageId: number): void;
  press(id: string): PressedButton | undefined;
  lastPress(chatId: number): PressedButton | undefined;
  savePress(press: PressedButton): void;
  addUpdate(content: Omit<Update, 'update_id'>, now: number): void;
  /** Oldest first. */
  updates(from: number, limit: number): Update[];
  pendingUpdates(): number;
  newestUpdateId(): number;
  /** Deletes updates that were delivered or are too old. */
  forgetUpdates(before: number): void;
  forgetUpdatesOlderThan(at: number): void;
  state(): BotState;
  setState(change: Partial<BotState>): void;
}

interface Doc {
  doc: string;
}

export function createTelegramStore(db: Database, initial: BotState): TelegramStore {
  db.schema(`
    CREATE TABLE IF NOT EXISTS telegram_people (id INTEGER PRIMARY KEY, doc TEXT NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS telegram_messages (
      message_id INTEGER PRIMARY KEY, chat_id INTEGER NOT NULL, doc TEXT NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS telegram_messages_chat ON telegram_messages (chat_id);
    CREATE TABLE IF NOT EXISTS telegram_presses (
      id TEXT PRIMARY KEY, chat_id INTEGER NOT NULL, at INTEGER NOT NULL, doc TEXT NOT NULL
    ) STRICT;
    CREATE TABLE IF NOT EXISTS telegram_updates (
      update_id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, doc TEXT NOT NULL
    ) STRICT;
    CREATE TABLE IF NOT EXISTS telegram_state (name TEXT PRIMARY KEY, doc TEXT NOT NULL) STRICT;
  `);
  const parse = <T>(row: Doc | undefined) => (row ? (JSON.parse(row.doc) as T) : undefined);
  const state = (): BotState => {
    const rows = db.all<Doc & { name: string }>('SELECT name, doc FROM telegram_state');
    return { ...initial, ...Object.fromEntries(rows.map(({ name, doc }) => [name, JSON.parse(doc)])) };
  };

  return {
    person: (id) => parse<Person>(db.get<Doc>('SELECT doc FROM telegram_people WHERE id = ?', id)),
    people: () => db.all<Doc>('SELECT doc FROM telegram_people ORDER BY id').map(({ doc }) => JSON.parse(doc)),
    savePerson: (person) => {
      db.run('INSERT OR REPLACE INTO telegram_people VALUES (?, ?)', person.user.id, JSON.stringify(person));
    },
    // Ids are never reused, although messages can be deleted.
    nextMessageId: () => {
      const last = db.get<Doc>(`SELECT doc FROM telegram_state WHERE name = 'lastMessageId'`);
      const next = Number(last?.doc ?? 0) + 1;
      db.run(`INSERT OR REPLACE INTO telegram_state VALUES ('lastMessageId', ?)`, String(next));
      return next;
    },
    message: (chatId, messageId) =>
      parse<Message>(
        db.get<Doc>('SELECT doc FROM telegram_messages WHERE message_id = ? AND chat_id = ?', messageId, chatId),
      ),
    messages: (chatId, limit) =>
      db
        .all<Doc>('SELECT doc FROM telegram_messages WHERE chat_id = ? ORDER BY message_id DESC LIMIT ?', chatId, limit)
        .map(({ doc }) => JSON.parse(doc) as Message)
        .reverse(),
    saveMessage: (message) => {
      const { message_id, chat } = message;
      db.run('INSERT OR REPLACE INTO telegram_messages VALUES (?, ?, ?)', message_id, chat.id, JSON.stringify(message));
    },
    deleteMessage: (chatId, messageId) => {
      db.run('DELETE FROM telegram_messages WHERE message_id = ? AND chat_id = ?', messageId, chatId);
    },
    press: (id) => parse<PressedButton>(db.get<Doc>('SELECT doc FROM telegram_presses WHERE id = ?', id)),
    lastPress: (chatId) =>
      parse<PressedButton>(
        db.get<Doc>('SELECT doc FROM telegram_presses WHERE chat_id = ? ORDER BY at DESC, rowid DESC LIMIT 1', chatId),
      ),
    savePress: (press) => {
      db.run(
        'INSERT OR REPLACE INTO telegram_presses VALUES (?, ?, ?, ?)',
        press.id,
        press.chatId,
        press.at,
        JSON.stringify(press),
      );
    },
    addUpdate: (content, now) => {
      db.run('INSERT INTO telegram_updates (at, doc) VALUES (?, ?)', now, JSON.stringify(content));
    },
    updates: (from, limit) =>
      db
        .all<Doc & { update_id: number }>(
          'SELECT update_id, doc FROM telegram_updates WHERE update_id >= ? ORDER BY update_id LIMIT ?',
          from,
          limit,
        )
        .map(({ update_id, doc }) => ({ update_id, ...JSON.parse(doc) }) as Update),
    pendingUpdates: () => db.get<{ count: number }>('SELECT count(*) AS count FROM telegram_updates')?.count ?? 0,
    newestUpdateId: () => db.get<{ id: number | null }>('SELECT max(update_id) AS id FROM telegram_updates')?.id ?? 0,
    forgetUpdates: (before) => {
      db.run('DELETE FROM telegram_updates WHERE update_id < ?', before);
    },
    forgetUpdatesOlderThan: (at) => {
      db.run('DELETE FROM telegram_updates WHERE at < ?', at);
    },
    state,
    setState: (change) => {
      for (const [name, value] of Object.entries(change)) {
        db.run('INSERT OR REPLACE INTO telegram_state VALUES (?, ?)', name, JSON.stringify(value));
      }
    },
  };
}
