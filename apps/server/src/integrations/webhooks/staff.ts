import { randomBytes } from 'node:crypto';
import type {
  WebhookDelivery,
  WebhookItem,
  WebhookKind,
  WebhookSettings,
} from '@fpay/contract/admin/integrations/webhooks';
import type { webhookEvents } from '@fpay/contract/webhook-events';
import { sql } from 'kysely';
import type * as z from 'zod/mini';
import type { Audit } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { DueWork } from '../../platform/jobs/due-work.ts';
import { type OutsidePolicy, refusedUrl } from '../../platform/outside/outside-call.ts';
import type { SecretBox } from '../../platform/outside/secret-box.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Step, Steps } from '../../platform/step.ts';
import { retryUntil } from './schedule.ts';

/** A member of staff, and the key of theirs that made the call, if it was one. */
export interface IntegrationActor {
  staff: number;
  apiKey: number | null;
}

/** What staff and keys of the scope `webhooks` may do to endpoints, on record. */
export interface WebhookStaff {
  list(): Promise<WebhookItem[]>;
  /** @refuses webhook_address_refused */
  add(actor: IntegrationActor, settings: WebhookSettings): Promise<{ id: number; secret: string }>;
  /** @refuses not_found, webhook_address_refused */
  change(actor: IntegrationActor, id: number, settings: WebhookSettings): Promise<void>;
  /** @refuses not_found */
  remove(actor: IntegrationActor, id: number): Promise<void>;
  /** @refuses not_found */
  renewSecret(actor: IntegrationActor, id: number): Promise<{ id: number; secret: string }>;
  /** @refuses not_found, action_not_applicable */
  pause(actor: IntegrationActor, id: number): Promise<void>;
  /** @refuses not_found, action_not_applicable */
  resume(actor: IntegrationActor, id: number): Promise<void>;
  /** @refuses not_found, action_not_applicable */
  test(actor: IntegrationActor, id: number): Promise<{ delivery: number }>;
  /** @refuses not_found */
  deliveries(id: number, page: { before?: number | undefined; limit: number }): Promise<WebhookDelivery[]>;
  /** @refuses not_found, action_not_applicable */
  redeliver(actor: IntegrationActor, delivery: number): Promise<void>;
}

interface Dependencies {
  db: Database;
  steps: Steps;
  clock: Clock;
  audit: Audit;
  box: SecretBox;
  policy: OutsidePolicy;
  dueWork: Pick<DueWork, 'wake'>;
}

const testData: z.infer<(typeof webhookEvents)['test']['data']> = { message: 'This is a test.' };

/** How many attempts of a delivery are listed. */
const shownAttempts = 20;

export function createWebhookStaff(given: Dependencies): WebhookStaff {
  const { db, steps, clock, audit, box, policy, dueWork } = given;
  const newSecret = () => `whsec_${randomBytes(32).toString('base64url')}`;

  function checkUrl(url: string): void {
    const reason = refusedUrl(url, policy);
    if (reason !== null) throw new Refusal('webhook_address_refused', { fields: { url: [reason] } });
  }

  async function lock(step: Step, id: number) {
    const endpoint = await step.db
      .selectFrom('webhook_endpoints')
      .select(['id', 'name', 'url', 'kinds', 'paused_at', 'failures'])
      .where('id', '=', id)
      .where('removed_at', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!endpoint) throw new Refusal('not_found');
    return endpoint;
  }

  async function record(
    step: Step,
    { staff, apiKey }: IntegrationActor,
    action: string,
    id: number,
    { before, after }: { before?: object; after?: object } = {},
  ): Promise<void> {
    await audit(step, {
      staff,
      action: `webhook.${action}`,
      subject: { kind: 'webhook', id },
      ...(before && { before }),
      ...((after || apiKey !== null) && { after: { ...after, ...(apiKey !== null && { api_key: apiKey }) } }),
    });
  }

  const update = (step: Step, id: number) => step.db.updateTable('webhook_endpoints').where('id', '=', id);
  const pendingOf = (step: Step, id: number) =>
    step.db.updateTable('webhook_deliveries').where('endpoint_id', '=', id).where('status', '=', 'pending');
  const wake = (step: Step) => step.afterCommit(() => dueWork.wake('webhook-delivery'));

  return {
    async list() {
      const since = new Date(clock.now().getTime() - 30 * 24 * 3_600_000);
      const rows = await db
        .selectFrom('webhook_endpoints as e')
        .leftJoin('webhook_deliveries as d', (join) =>
          join.onRef('d.endpoint_id', '=', 'e.id').on('d.status', '<>', 'delivered').on('d.created_at', '>', since),
        )
        .select([
          'e.id',
          'e.name',
          'e.url',
          'e.kinds',
          'e.pause_cause',
          'e.failures',
          'e.created_at',
          sql<number>`(count(*) filter (where d.status = 'pending'))::int`.as('pending'),
          sql<number>`(count(*) filter (where d.status = 'failed'))::int`.as('failed'),
        ])
        .where('e.removed_at', 'is', null)
        .groupBy('e.id')
        .orderBy('e.id')
        .execute();
      return rows.map(({ pause_cause: cause, kinds, created_at, ...row }) => ({
        ...row,
        kinds: kinds as WebhookKind[],
        state: cause === null ? 'active' : cause === 'staff' ? 'paused_by_staff' : 'paused_by_failures',
        created_at: created_at.toISOString(),
      }));
    },

    add(actor, settings) {
      checkUrl(settings.url);
      return steps.run(async (step) => {
        const secret = newSecret();
        const kinds = [...new Set(settings.kinds)];
        const { id } = await step.db
          .insertInto('webhook_endpoints')
          .values({ ...settings, kinds, secret: box.seal(secret), staff_id: actor.staff, created_at: clock.now() })
          .returning('id')
          .executeTakeFirstOrThrow();
        await record(step, actor, 'add', id, { after: { ...settings, kinds } });
        return { id, secret };
      });
    },

    async change(actor, id, settings) {
      checkUrl(settings.url);
      await steps.run(async (step) => {
        const { name, url, kinds } = await lock(step, id);
        const after = { ...settings, kinds: [...new Set(settings.kinds)] };
        await update(step, id).set(after).execute();
        await record(step, actor, 'change', id, { before: { name, url, kinds }, after });
      });
    },

    remove: (actor, id) =>
      steps.run(async (step) => {
        const { name, url, kinds } = await lock(step, id);
        await update(step, id).set({ removed_at: clock.now() }).execute();
        await pendingOf(step, id).set({ next_action_at: null, status: 'failed' }).execute();
        await record(step, actor, 'remove', id, { before: { name, url, kinds } });
      }),

    renewSecret: (actor, id) =>
      steps.run(async (step) => {
        await lock(step, id);
        const secret = newSecret();
        await update(step, id)
          .set({ secret: box.seal(secret) })
          .execute();
        await record(step, actor, 'renew-secret', id);
        return { id, secret };
      }),

    pause: (actor, id) =>
      steps.run(async (step) => {
        const { paused_at } = await lock(step, id);
        if (paused_at !== null) throw new Refusal('action_not_applicable');
        await update(step, id).set({ paused_at: clock.now(), pause_cause: 'staff' }).execute();
        await pendingOf(step, id).set({ next_action_at: null }).execute();
        await record(step, actor, 'pause', id);
      }),

    resume: (actor, id) =>
      steps.run(async (step) => {
        const { paused_at, failures } = await lock(step, id);
        if (paused_at === null) throw new Refusal('action_not_applicable');
        const none = { paused_at: null, pause_cause: null, failures: 0, failing_since: null };
        await update(step, id).set(none).execute();
        await pendingOf(step, id)
          .set({ next_action_at: clock.now(), retry_until: retryUntil(clock.now()) })
          .execute();
        await record(step, actor, 'resume', id, { before: { failures } });
        wake(step);
      }),

    test: (actor, id) =>
      steps.run(async (step) => {
        const { paused_at } = await lock(step, id);
        if (paused_at !== null) throw new Refusal('action_not_applicable');
        const now = clock.now();
        const event = await step.db
          .insertInto('webhook_events')
          .values({ kind: 'test', payload: JSON.stringify(testData), created_at: now })
          .returning('id')
          .executeTakeFirstOrThrow();
        const times = { created_at: now, retry_until: retryUntil(now), next_action_at: now };
        const { id: delivery } = await step.db
          .insertInto('webhook_deliveries')
          .values({ event_id: event.id, endpoint_id: id, ...times })
          .returning('id')
          .executeTakeFirstOrThrow();
        await record(step, actor, 'test', id);
        wake(step);
        return { delivery };
      }),

    async deliveries(id, { before, limit }) {
      const endpoint = await db.selectFrom('webhook_endpoints').select('id').where('id', '=', id).executeTakeFirst();
      if (!endpoint) throw new Refusal('not_found');
      const { rows } = await sql<DeliveryRow>`
        select d.id, v.uid as event, v.kind, v.operation_id as operation, d.status, d.attempts, d.created_at,
          case when d.status = 'pending' then d.next_action_at end as next_at,
          coalesce((select json_agg(a order by a.id desc) from (
            select id, started_at, took_ms, http_status, error from webhook_attempts
            where delivery_id = d.id order by id desc limit ${shownAttempts}) a), '[]') as log
        from webhook_deliveries d join webhook_events v on v.id = d.event_id
        where d.endpoint_id = ${id} and (${before ?? null}::bigint is null or d.id < ${before ?? null})
        order by d.id desc limit ${limit}`.execute(db);
      return rows.map((row) => ({
        ...row,
        created_at: row.created_at.toISOString(),
        next_at: row.next_at?.toISOString() ?? null,
        log: row.log.map(({ started_at, took_ms, http_status, error }) => ({
          at: new Date(started_at).toISOString(),
          took_ms,
          http_status,
          error,
        })),
      }));
    },

    redeliver: (actor, delivery) =>
      steps.run(async (step) => {
        const found = await step.db
          .selectFrom('webhook_deliveries')
          .select(['endpoint_id', 'status'])
          .where('id', '=', delivery)
          .executeTakeFirst();
        if (!found) throw new Refusal('not_found');
        const { paused_at } = await lock(step, found.endpoint_id);
        if (paused_at !== null) throw new Refusal('action_not_applicable');
        await step.db
          .updateTable('webhook_deliveries')
          .set({ status: 'pending', next_action_at: clock.now(), retry_until: retryUntil(clock.now()) })
          .where('id', '=', delivery)
          .execute();
        await record(step, actor, 'redeliver', found.endpoint_id, { after: { delivery } });
        wake(step);
      }),
  };
}

interface DeliveryRow extends Omit<WebhookDelivery, 'created_at' | 'next_at' | 'log'> {
  created_at: Date;
  next_at: Date | null;
  log: { started_at: string; took_ms: number; http_status: number | null; error: string | null }[];
}
