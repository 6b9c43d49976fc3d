import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { DueKind } from '../../platform/jobs/due-work.ts';
import { type OutsideCall, OutsideError } from '../../platform/outside/outside-call.ts';
import type { SecretBox } from '../../platform/outside/secret-box.ts';
import type { Step, Steps } from '../../platform/step.ts';
import { isPauseDue, nextAttempt } from './schedule.ts';
import { webhookSignature } from './signature.ts';

/** Shorter than the lease, so that no other node takes a delivery that is still waiting for its answer. */
const timeoutMs = 10_000;
/** One slow endpoint uses at most this many of the workers of a node; the other deliveries of it wait. */
const mostAtOnce = 4;
const busyPauseMs = 1_000;

interface Dependencies {
  db: Database;
  steps: Steps;
  clock: Clock;
  box: SecretBox;
  /** Sends and returns the status of the answer; rejects with `OutsideError`. */
  send(call: OutsideCall): Promise<{ status: number }>;
  timeoutMs?: number;
}

interface DueDelivery {
  id: number;
  endpoint: number;
  url: string;
  secret: Buffer;
  isSendable: boolean;
  uid: string;
  kind: string;
  payload: unknown;
  createdAt: Date;
}

interface Outcome {
  startedAt: Date;
  tookMs: number;
  httpStatus: number | null;
  error: string | null;
}

const isSuccess = ({ httpStatus }: Outcome) => httpStatus !== null && httpStatus >= 200 && httpStatus < 300;

/**
 * Sends due deliveries. A process that dies after sending and before writing the outcome sends the event again when the
 * lease has run out, so receivers may get it twice, with the same id.
 */
export function createWebhookDelivery(given: Dependencies): Extract<DueKind, { name: 'webhook-delivery' }> {
  const { db, steps, clock, box, send } = given;
  const inProgress = new Map<number, number>();

  async function find(id: number, claim: number): Promise<DueDelivery | undefined> {
    const { rows } = await sql<DueDelivery>`
      select d.id, e.id as endpoint, e.url, e.secret, v.uid, v.kind, v.payload, v.created_at as "createdAt",
        d.status = 'pending' and e.paused_at is null and e.removed_at is null as "isSendable"
      from webhook_deliveries d
      join webhook_endpoints e on e.id = d.endpoint_id
      join webhook_events v on v.id = d.event_id
      where d.id = ${id} and d.due_claim = ${claim}`.execute(db);
    return rows[0];
  }

  /** All waiting deliveries of a busy endpoint at once, so that they do not come before those of others again and again. */
  async function postponeAll(endpoint: number, id: number, claim: number): Promise<void> {
    const now = clock.now();
    const later = new Date(now.getTime() + busyPauseMs);
    await sql`
      update webhook_deliveries set next_action_at = ${later}
      where endpoint_id = ${endpoint} and status = 'pending'
        and (next_action_at <= ${now} or (id = ${id} and due_claim = ${claim}))`.execute(db);
  }

  async function attempt(delivery: DueDelivery): Promise<Outcome> {
    const startedAt = clock.now();
    const started = performance.now();
    const outcome = (httpStatus: number | null, error: string | null): Outcome => ({
      startedAt,
      tookMs: Math.round(performance.now() - started),
      httpStatus,
      error,
    });
    const secret = box.unseal(delivery.secret);
    // The server's secret was changed since; staff renew the secret of the endpoint.
    if (secret === null) return outcome(null, 'SECRET_UNREADABLE');
    const body = JSON.stringify({
      id: delivery.uid,
      type: delivery.kind,
      created_at: delivery.createdAt.toISOString(),
      data: delivery.payload,
    });
    try {
      const { status } = await send({
        method: 'POST',
        url: delivery.url,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'FPay-Webhooks/1',
          'fpay-event-id': delivery.uid,
          'fpay-event-type': delivery.kind,
          'fpay-signature': webhookSignature(secret, body, startedAt),
        },
        body,
        timeoutMs: given.timeoutMs ?? timeoutMs,
        mostBytes: 0,
      });
      return outcome(status, null);
    } catch (error) {
      if (!(error instanceof OutsideError)) throw error;
      return outcome(null, error.message);
    }
  }

  async function record(step: Step, delivery: DueDelivery, claim: number, outcome: Outcome): Promise<void> {
    const { startedAt, tookMs, httpStatus, error } = outcome;
    const now = clock.now();
    // The endpoint is locked before its deliveries, as the pause and staff do.
    const endpoint = await step.db
      .selectFrom('webhook_endpoints')
      .select(['failures', 'failing_since', 'paused_at'])
      .where('id', '=', delivery.endpoint)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
    const row = await step.db
      .selectFrom('webhook_deliveries')
      .select(['attempts', 'retry_until', 'due_claim', 'status'])
      .where('id', '=', delivery.id)
      .forUpdate()
      .executeTakeFirst();
    if (!row) return;
    await step.db
      .insertInto('webhook_attempts')
      .values({ delivery_id: delivery.id, started_at: startedAt, took_ms: tookMs, http_status: httpStatus, error })
      .execute();
    const attempts = row.attempts + 1;
    const isCurrent = row.due_claim === claim && row.status === 'pending';
    if (isSuccess(outcome)) {
      const done = { attempts, ...(isCurrent && { status: 'delivered', next_action_at: null }) };
      await step.db.updateTable('webhook_deliveries').set(done).where('id', '=', delivery.id).execute();
      if (endpoint.failures === 0) return;
      await step.db
        .updateTable('webhook_endpoints')
        .set({ failures: 0, failing_since: null })
        .where('id', '=', delivery.endpoint)
        .execute();
      return;
    }
    const next = nextAttempt(attempts, now, row.retry_until);
    const retried = {
      attempts,
      // Another attempt may have paused the endpoint meanwhile; staff resume what waits.
      ...(isCurrent && {
        next_action_at: endpoint.paused_at === null ? next : null,
        ...(next === null && { status: 'failed' }),
      }),
    };
    await step.db.updateTable('webhook_deliveries').set(retried).where('id', '=', delivery.id).execute();
    await countFailure(step, delivery.endpoint, endpoint, now);
  }

  async function countFailure(
    step: Step,
    id: number,
    before: { failures: number; failing_since: Date | null; paused_at: Date | null },
    now: Date,
  ): Promise<void> {
    const failures = before.failures + 1;
    const failingSince = before.failing_since ?? now;
    const isPaused = before.paused_at === null && isPauseDue(failures, failingSince, now);
    await step.db
      .updateTable('webhook_endpoints')
      .set({
        failures,
        failing_since: failingSince,
        ...(isPaused && { paused_at: now, pause_cause: 'failures' }),
      })
      .where('id', '=', id)
      .execute();
    if (!isPaused) return;
    await step.db
      .updateTable('webhook_deliveries')
      .set({ next_action_at: null })
      .where('endpoint_id', '=', id)
      .where('status', '=', 'pending')
      .execute();
  }

  return {
    name: 'webhook-delivery',
    table: 'webhook_deliveries',
    async run(id, claim) {
      const delivery = await find(id, claim);
      if (!delivery) return;
      if (!delivery.isSendable) {
        await db
          .updateTable('webhook_deliveries')
          .set({ next_action_at: null })
          .where('id', '=', id)
          .where('due_claim', '=', claim)
          .execute();
        return;
      }
      const { endpoint } = delivery;
      const running = inProgress.get(endpoint) ?? 0;
      if (running >= mostAtOnce) return postponeAll(endpoint, id, claim);
      inProgress.set(endpoint, running + 1);
      try {
        const outcome = await attempt(delivery);
        await steps.run((step) => record(step, delivery, claim, outcome));
      } finally {
        const left = (inProgress.get(endpoint) ?? 1) - 1;
        if (left === 0) inProgress.delete(endpoint);
        else inProgress.set(endpoint, left);
      }
    },
  };
}
