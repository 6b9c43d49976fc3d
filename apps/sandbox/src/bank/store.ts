import type { Database } from '../database.ts';
import type { Card } from './card.ts';
import type { Invoice } from './invoice.ts';

interface Row {
  doc: string;
}

interface SavedCard {
  cardToken: string;
  walletId: string;
  card: Card;
}

/** Invoices and saved cards. An invoice is one document; the other columns are for searching. */
export interface InvoiceStore {
  find(id: string): Invoice | undefined;
  save(invoice: Invoice, dueAt: number | null): void;
  /** Invoices with a change that is due by `now`. */
  due(now: number): Invoice[];
  /** Invoices with a later change. */
  waiting(): Invoice[];
  recent(limit: number, reference?: string): Invoice[];
  /** Invoices with a movement of money in the period, by the bank's dates. */
  movedBetween(from: number, to: number): Invoice[];
  saveCard(saved: SavedCard): void;
  cards(walletId: string): SavedCard[];
  card(cardToken: string): SavedCard | undefined;
  removeCard(cardToken: string): void;
}

export function createInvoiceStore(db: Database): InvoiceStore {
  db.schema(`
    CREATE TABLE IF NOT EXISTS bank_invoices (
      id TEXT PRIMARY KEY, reference TEXT, created_at INTEGER NOT NULL, modified_at INTEGER NOT NULL,
      due_at REAL, doc TEXT NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS bank_invoices_due ON bank_invoices (due_at) WHERE due_at IS NOT NULL;
    CREATE INDEX IF NOT EXISTS bank_invoices_reference ON bank_invoices (reference);
    CREATE INDEX IF NOT EXISTS bank_invoices_created ON bank_invoices (created_at);
    CREATE TABLE IF NOT EXISTS bank_cards (
      card_token TEXT PRIMARY KEY, wallet_id TEXT NOT NULL, doc TEXT NOT NULL
    ) STRICT;
  `);
  const invoices = (rows: Row[]) => rows.map((row) => JSON.parse(row.doc) as Invoice);
  const savedCards = (rows: Row[]) => rows.map((row) => JSON.parse(row.doc) as SavedCard);

  return {
    find: (id) => invoices(db.all<Row>('SELECT doc FROM bank_invoices WHERE id = ?', id))[0],
    save(invoice, dueAt) {
      db.run(
        `INSERT INTO bank_invoices VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
          modified_at = excluded.modified_at, due_at = excluded.due_at, doc = excluded.doc`,
        invoice.id,
        invoice.reference,
        invoice.createdAt,
        invoice.modifiedAt,
        dueAt,
        JSON.stringify(invoice),
      );
    },
    due: (now) =>
      invoices(db.all<Row>('SELECT doc FROM bank_invoices WHERE due_at <= ? ORDER BY due_at LIMIT 1000', now)),
    waiting: () => invoices(db.all<Row>('SELECT doc FROM bank_invoices WHERE due_at IS NOT NULL')),
    recent: (limit, reference) =>
      invoices(
        reference === undefined
          ? db.all<Row>('SELECT doc FROM bank_invoices ORDER BY created_at DESC, rowid DESC LIMIT ?', limit)
          : db.all<Row>(
              'SELECT doc FROM bank_invoices WHERE reference = ? ORDER BY created_at DESC, rowid DESC LIMIT ?',
              reference,
              limit,
            ),
      ),
    movedBetween: (from, to) =>
      invoices(db.all<Row>('SELECT doc FROM bank_invoices WHERE created_at <= ? AND modified_at >= ?', to, from)),
    saveCard: (saved) => {
      db.run('INSERT INTO bank_cards VALUES (?, ?, ?)', saved.cardToken, saved.walletId, JSON.stringify(saved));
    },
    cards: (walletId) => savedCards(db.all<Row>('SELECT doc FROM bank_cards WHERE wallet_id = ?', walletId)),
    card: (cardToken) => savedCards(db.all<Row>('SELECT doc FROM bank_cards WHERE card_token = ?', cardToken))[0],
    removeCard: (cardToken) => {
      db.run('DELETE FROM bank_cards WHERE card_token = ?', cardToken);
    },
  };
}
