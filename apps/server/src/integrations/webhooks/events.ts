import assert from 'node:assert/strict';
import type { WebhookKind } from '@fpay/contract/admin/integrations/webhooks';
import type { OperationStatus } from '@fpay/contract/charging';
import type { HoldStatus } from '@fpay/contract/payments';
import { type WebhookRefund, type WebhookType, webhookEvents } from '@fpay/contract/webhook-events';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Clock } from '../../platform/clock.ts';
import type { DueWork } from '../../platform/jobs/due-work.ts';
import type { Step } from '../../platform/step.ts';
import { retryUntil } from './schedule.ts';

type Kinds = readonly WebhookKind[];

/** The events of an operation that enters a status. A status that is not named here does not compile. */
const statusEvents: Record<OperationStatus, Kinds> = {
  created: [],
  pending: [],
  starting: [],
  ongoing: ['operation.started'],
  finishing: ['operation.started'],
  pending_final_payment: ['operation.finished'],
  // A charge without a debt comes here directly from its end.
  finished: ['operation.finished', 'operation.settled'],
  canceled: ['operation.failed'],
  failed: ['operation.failed'],
  failed_hold: ['operation.failed'],
};

/**
 * The events of a payment that enters a state. There are none, because receivers learn the same from the status of the operation.
 * Money that goes back is an event in every state. A state that is not named here does not compile.
 */
const stateEvents: Record<Exclude<HoldStatus, 'unknown'>, Kinds> = {
  pending: [],
  created: [],
  processing: [],
  hold: [],
  success: [],
  failure: [],
  expired: [],
  reversed: [],
};

/** Writes the events of a change in the step of the change, so that neither exists without the other. */
export interface WebhookRecorder {
  /** The same change of one or more operations; `before` is null for one that was just opened. */
  operationsChanged(
    step: Step,
    change: { operations: readonly number[]; before: OperationStatus | null; status: OperationStatus; at: Date },
  ): Promise<void>;
  /** The payment of an operation; sums are everything that went back until then. */
  paymentChanged(
    step: Step,
    change: {
      operation: number;
      before: { state: keyof typeof stateEvents; refunded: number };
      state: keyof typeof stateEvents;
      refunded: number;
    },
  ): Promise<void>;
}

interface Dependencies {
  clock: Clock;
  dueWork: Pick<DueWork, 'wake'>;
  /** Outside production data that is not as its contract says is a failure of the step. */
  checksData: boolean;
}

/** Fails for data that is not as the contract says. */
export function assertWebhookData(type: WebhookType, data: object): void {
  const checked = z.safeParse(webhookEvents[type].data, JSON.parse(JSON.stringify(data)));
  assert(checked.success, `the webhook ${type} is outside its contract: ${checked.error?.message}`);
}

export function createWebhookRecorder({ clock, dueWork, checksData }: Dependencies): WebhookRecorder {
  async function write(
    step: Step,
    operations: readonly number[],
    kinds: Kinds,
    at: Date,
    refund?: WebhookRefund,
  ): Promise<void> {
    if (kinds.length === 0) return;
    for (const operation of await describeOperations(step, operations, kinds)) {
      await writeOne(step, { operation, ...(refund && { refund }) }, kinds, at);
    }
  }

  async function writeOne(step: Step, data: { operation: DescribedOperation }, kinds: Kinds, at: Date): Promise<void> {
    if (checksData) for (const kind of kinds) assertWebhookData(kind, data);
    const { rows } = await sql<{ isDue: boolean }>`
      with events as (
        insert into webhook_events (kind, operation_id, payload, created_at)
        select kind, ${data.operation.id}, ${JSON.stringify(data)}::jsonb, ${at} from unnest(${kinds}::text[]) as kind
        where exists (select from webhook_endpoints e where e.removed_at is null and kind = any(e.kinds))
        on conflict do nothing
        returning id, kind
      )
      insert into webhook_deliveries (event_id, endpoint_id, created_at, retry_until, next_action_at)
      select v.id, e.id, ${at}, ${retryUntil(at)}, case when e.paused_at is null then ${at}::timestamptz end
      from events v join webhook_endpoints e on e.removed_at is null and v.kind = any(e.kinds)
      returning next_action_at is not null as "isDue"`.execute(step.db);
    if (rows.some(({ isDue }) => isDue)) step.afterCommit(() => dueWork.wake('webhook-delivery'));
  }

  return {
    async operationsChanged(step, { operations, before, status, at }) {
      if (before === status) return;
      const opened: Kinds = before === null ? ['operation.opened'] : [];
      await write(step, operations, [...opened, ...statusEvents[status]], at);
    },

    async paymentChanged(step, { operation, before, state, refunded }) {
      const now = clock.now();
      if (before.state !== state) await write(step, [operation], stateEvents[state], now);
      if (refunded <= before.refunded) return;
      const refund = { amount: refunded - before.refunded, refunded_total: refunded } as WebhookRefund;
      await write(step, [operation], ['operation.refunded'], now, refund);
    },
  };
}

interface DescribedOperation {
  id: number;
}

/** None when no endpoint wants any of these events, which one round trip decides. */
async function describeOperations(
  step: Step,
  operations: readonly number[],
  kinds: Kinds,
): Promise<DescribedOperation[]> {
  const { rows } = await sql<DescribedOperation>`
    select o.id, o.status, s.number as station, o.connector_id as connector, o.source, o.payment_type, o.price, o.energy_wh,
      o.total, o.stop_cause, o.created_at, o.started_at, o.finished_at
    from operations o join stations s on s.id = o.station_id
    where o.id = any(${operations}::bigint[]) and exists (
      select from webhook_endpoints e where e.removed_at is null and e.kinds && ${kinds}::text[])
    order by o.id`.execute(step.db);
  return rows;
}
