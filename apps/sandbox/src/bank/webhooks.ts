import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Database } from '../database.ts';
import type { CallLog } from './call-log.ts';
import type { Invoice } from './invoice.ts';
import type { SigningKey } from './signature.ts';
import type { BankSwitches } from './switches.ts';
import { statusAnswer } from './wire.ts';

/** Delays before the second and the third attempt. There is no fourth. */
const retryDelaysMs = [60_000, 600_000];
const mostAttempts = retryDelaysMs.length + 1;
const answerWithinMs = 15_000;
/** Deliveries at one time: enough for a load test, few enough to leave sockets for others. */
const mostInFlight = 32;
/** With reordering on, a webhook waits this long for a newer one that overtakes it. */
const overtakenWithinMs = 3000;
const overtakenByMs = 500;

export interface WebhookRow {
  id: number;
  invoice_id: string;
  reference: string | null;
  url: string;
  body: string;
  /** `withheld`: the bank is switched to silent. */
  state: 'pending' | 'delivered' | 'given_up' | 'withheld';
  attempts: number;
  /** Time of the last attempt; before the first one, time of the change. */
  since: number;
  due_at: number;
}

/** Sends status changes to merchants. A webhook is stored in the transaction of its change, so a crash loses none. */
export interface Webhooks {
  enqueue(invoice: Invoice): void;
  /** Sends the webhooks that are due. */
  sendDue(): void;
  /** The time scale has changed, so delays are calculated again. */
  reschedule(): void;
  of(invoiceId: string): WebhookRow[];
  stop(): Promise<void>;
}

interface Parts {
  db: Database;
  clock: Clock;
  key: SigningKey;
  switches: BankSwitches;
  callLog: CallLog;
  log: FastifyBaseLogger;
}

export function createWebhooks({ db, clock, key, switches, callLog, log }: Parts): Webhooks {
  db.schema(`
    CREATE TABLE IF NOT EXISTS bank_webhooks (
      id INTEGER PRIMARY KEY, invoice_id TEXT NOT NULL, reference TEXT, url TEXT NOT NULL, body TEXT NOT NULL,
      state TEXT NOT NULL, attempts INTEGER NOT NULL, since INTEGER NOT NULL, due_at REAL NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS bank_webhooks_due ON bank_webhooks (due_at) WHERE state = 'pending';
    CREATE INDEX IF NOT EXISTS bank_webhooks_invoice ON bank_webhooks (invoice_id);
  `);
  const stopping = new AbortController();
  const inFlight = new Map<string, Promise<void>>();

  const retryAt = ({ since, attempts, reference, invoice_id }: WebhookRow): number =>
    since + (retryDelaysMs[attempts - 1] ?? 0) / switches.effective(reference, invoice_id).timeScale;

  function update(row: WebhookRow): void {
    const { state, attempts, since, due_at, id } = row;
    db.run(
      'UPDATE bank_webhooks SET state = ?, attempts = ?, since = ?, due_at = ? WHERE id = ?',
      state,
      attempts,
      since,
      due_at,
      id,
    );
  }

  function tried(row: WebhookRow, status: number | null, record: string): void {
    const attempts = row.attempts + 1;
    const state = status === 200 ? 'delivered' : attempts >= mostAttempts ? 'given_up' : 'pending';
    const next: WebhookRow = { ...row, state, attempts, since: clock.now() };
    db.transaction(() => {
      update({ ...next, due_at: retryAt(next) });
      const what = `POST ${row.url.split('?')[0]} (attempt ${attempts})`;
      callLog.add({ direction: 'webhook', what, status, request: row.body, answer: record });
    });
  }

  async function attempt(row: WebhookRow): Promise<void> {
    if (row.attempts < switches.effective(row.reference, row.invoice_id).webhooksLost) {
      tried(row, null, 'lost on the way, as switched');
      return;
    }
    try {
      const response = await fetch(row.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-sign': key.sign(row.body) },
        body: row.body,
        redirect: 'manual',
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(answerWithinMs)]),
      });
      await response.body?.cancel();
      tried(row, response.status, '');
    } catch (error) {
      // A delivery that the shutdown aborted does not count as an attempt; it is repeated after the restart.
      if (stopping.signal.aborted) return;
      tried(row, null, error instanceof Error ? error.message : 'no answer');
    }
  }

  function sendDue(): void {
    if (stopping.signal.aborted) return;
    const due = db.all<WebhookRow>(
      `SELECT * FROM bank_webhooks WHERE state = 'pending' AND due_at <= ? ORDER BY due_at, id LIMIT 200`,
      clock.now(),
    );
    for (const row of due) {
      if (inFlight.size >= mostInFlight) return;
      // One delivery at a time for each invoice, because otherwise the network could reorder them.
      if (inFlight.has(row.invoice_id)) continue;
      const delivery = attempt(row)
        .catch((error) => log.error(error, 'webhook result not recorded'))
        .finally(() => {
          inFlight.delete(row.invoice_id);
          sendDue();
        });
      inFlight.set(row.invoice_id, delivery);
    }
  }

  return {
    enqueue(invoice) {
      if (!invoice.webHookUrl) return;
      const now = clock.now();
      const how = switches.effective(invoice.reference, invoice.id);
      let dueAt = now + how.webhookDelayMs;
      if (how.webhooksReordered) {
        const waiting = db.all<WebhookRow>(
          `SELECT * FROM bank_webhooks WHERE invoice_id = ? AND state = 'pending' AND attempts = 0`,
          invoice.id,
        );
        for (const earlier of waiting) update({ ...earlier, due_at: dueAt + overtakenByMs });
        if (waiting.length === 0) dueAt += overtakenWithinMs;
      }
      const state = how.webhooksSilent ? 'withheld' : 'pending';
      const body = JSON.stringify(statusAnswer(invoice));
      for (let copy = 0; copy < (how.webhooksDuplicate ? 2 : 1); copy++) {
        db.run(
          `INSERT INTO bank_webhooks (invoice_id, reference, url, body, state, attempts, since, due_at)
           VALUES (?, ?, ?, ?, ?, 0, ?, ?)`,
          invoice.id,
          invoice.reference,
          invoice.webHookUrl,
          body,
          state,
          now,
          dueAt,
        );
      }
    },
    sendDue,
    reschedule() {
      const retrying = db.all<WebhookRow>(`SELECT * FROM bank_webhooks WHERE state = 'pending' AND attempts > 0`);
      for (const row of retrying) update({ ...row, due_at: retryAt(row) });
    },
    of: (invoiceId) => db.all<WebhookRow>('SELECT * FROM bank_webhooks WHERE invoice_id = ? ORDER BY id', invoiceId),
    async stop() {
      stopping.abort();
      await Promise.all(inFlight.values());
    },
  };
}
