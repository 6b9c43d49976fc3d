import { forceEnergyAction } from '@fpay/contract/admin/actions/force-energy';
import type { Effect } from '@fpay/contract/admin/effect';
import { isOpen, type OperationStatus } from '@fpay/contract/charging';
import { isAboutMoney } from '@fpay/contract/endpoint';
import type { Kopecks, WattHours } from '@fpay/contract/money';
import type { RefusalCode } from '@fpay/contract/refusals';
import type { Commands } from '../../ocpp/commands/service.ts';
import { transactionOfOperation } from '../../ocpp/transactions/find-transaction.ts';
import type { Payment } from '../../payments/payment-row.ts';
import type { PaymentService } from '../../payments/service.ts';
import type { ApprovalPayload, Approvals } from '../../platform/approvals.ts';
import { type Audit, recordedOutcome } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { isUniqueViolation } from '../../platform/database.ts';
import type { DueWork } from '../../platform/jobs/due-work.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Step, Steps } from '../../platform/step.ts';
import type { StaffLimits } from '../../wallet/staff-limits.ts';
import { billFor } from '../moves/bill.ts';
import { settledEnergy } from '../moves/billed-energy.ts';
import type { Settling } from '../moves/settling.ts';
import type { Starting } from '../moves/starting.ts';
import type { Stopping } from '../moves/stopping.ts';
import type { Transitions } from '../moves/transition.ts';
import { isPowerFlowing } from '../operation.ts';
import type { OperationStore, StoredOperation } from '../store.ts';
import type { ActionDone, ActionTools, Locked } from './action.ts';
import { type OperationOrder, operationEffect, operationWorks, workOf } from './actions.ts';
import { remoteStop, type Subject } from './effect.ts';
import { givenAway } from './given.ts';

/**
 * What staff can do to a charge, on record and once per request key. Each action refuses `not_found`, `connector_taken` and the
 * refusal that `preview` shows for it.
 */
export interface OperationStaffActions {
  /** @refuses not_found */
  find(id: number): Promise<StoredOperation>;
  /**
   * What the action would change now, without doing it; for this staff member also whether it would wait for a second one.
   * @refuses not_found
   */
  preview(id: number, order: OperationOrder, staff?: number | null): Promise<Effect>;
  act(command: OperationCommand, order: OperationOrder): Promise<ActionDone>;
}

interface Dependencies {
  operations: OperationStore;
  transitions: Transitions;
  starting: Starting;
  stopping: Stopping;
  settling: Settling;
  payments: PaymentService;
  commands: Pick<Commands, 'enqueue'>;
  dueWork: Pick<DueWork, 'wake'>;
  steps: Steps;
  audit: Audit;
  clock: Clock;
  staffLimits: StaffLimits;
  approvals: Pick<Approvals, 'on'>;
}

/** Which staff member acts on which operation, and by which request. */
export interface OperationCommand {
  staff: number;
  operation: number;
  requestKey: string;
  reason?: string | null;
}

/** What staff can do to a charge. Each action is decided by its effect, and its audit record is part of its step. */
export function createOperationStaffActions(dependencies: Dependencies): OperationStaffActions {
  const { operations, transitions, starting, stopping, settling, payments, commands, dueWork, steps, audit, clock } =
    dependencies;
  const { staffLimits: limits, approvals } = dependencies;

  async function subjectOf(step: Step, operation: StoredOperation, stored: Payment | null): Promise<Subject> {
    const taken = isOpen(operation.status) ? false : await operations.isConnectorTaken(operation.connector, step.db);
    // What the bank or the reserve has decides, whatever state staff forced before.
    const payment = stored && (await payments.withoutOverride(step, stored));
    const earned = await payments.earnedBy(operation.id, step);
    const settled = settledEnergy(operation);
    return { operation, payment, settled, earned, isConnectorTaken: taken };
  }

  /** Does the action in this step, unless `waitsFor` makes it wait for a second staff member. */
  async function perform(
    step: Step,
    { staff, operation: id, requestKey, reason = null }: OperationCommand,
    order: OperationOrder,
    waitsFor: (amount: Kopecks, user: number) => Promise<number | null>,
  ): Promise<number | null> {
    const work = workOf(order);
    const operation = await operations.lock(step, id);
    if (!operation) throw new Refusal('not_found');
    const payment = await payments.ofOperation(id, step.db);
    const subject = await subjectOf(step, operation, payment);
    const effect = work.effect(subject, order);
    if (effect.refusal !== null && work.isRefusedByEffect) throw new Refusal(effect.refusal as RefusalCode);
    const waits = await waitsFor(givenAway(subject, effect), operation.user);
    if (waits !== null) return waits;
    await work.work(tools, step, { operation, payment, effect, why: work.why(staff) }, order);
    const after = await operations.lock(step, id);
    await audit(step, {
      staff,
      action: `operation.${work.audited}`,
      subject: { kind: 'operation', id },
      before: sumsOf(operation),
      after: after ? sumsOf(after) : {},
      ...(work.record.reasons !== null && { reason, person: operation.user }),
      requestKey,
    });
    step.afterCommit(() => dueWork.wake('operation'));
    return null;
  }

  async function act(command: OperationCommand, order: OperationOrder): Promise<ActionDone> {
    const { staff, operation: id, requestKey, reason = null } = command;
    const { way } = workOf(order);
    const before = await find(id);
    const approval = await withRefusals(() =>
      steps.run(async (step) => {
        if (await recordedOutcome(step, requestKey)) return null;
        const earlier = await limits.waiting(step, requestKey);
        if (earlier !== null) return earlier;
        await limits.lock(step, staff, before.user);
        const subject = { kind: 'operation', id } as const;
        const asked = { way, staff, subject, isSafety: isSafety(order), payload: payloadOf(order), reason, requestKey };
        return perform(step, command, order, (amount, user) =>
          limits.count(step, { ...asked, kind: 'operation-action', amount, user }),
        );
      }),
    );
    return { before, after: await find(id), approval };
  }

  approvals.on('operation-action', {
    calls: [forceEnergyAction.endpoint],
    area: 'operation',
    hasReason: true,
    async refuseDecider(step, { recipient }, decider) {
      if (await limits.sharesWallet(step, recipient, decider)) throw new Refusal('own_balance');
    },
    async carryOut(step, approval, staff) {
      const order = approval.payload as unknown as OperationOrder;
      const command = {
        staff,
        operation: approval.subject.id,
        requestKey: `approval:${approval.id}`,
        reason: approval.reason ?? null,
      };
      await withRefusals(() =>
        perform(step, command, order, async (amount, user) => {
          await limits.countApproved(step, approval, { way: workOf(order).way, amount, user });
          return null;
        }),
      );
    },
  });

  async function find(id: number): Promise<StoredOperation> {
    const operation = await operations.find(id);
    if (!operation) throw new Refusal('not_found');
    return operation;
  }

  async function sendStop(step: Step, { operation, effect }: Locked): Promise<void> {
    if (effect.command !== remoteStop) return;
    const transaction = await transactionOfOperation(step.db, operation.id);
    if (!transaction || transaction.isStopped) return;
    await commands.enqueue(step, {
      chargePointId: operation.chargePoint,
      action: remoteStop,
      payload: { transactionId: transaction.id },
      operationId: operation.id,
      outcomeTo: 'charging',
    });
  }

  async function end(step: Step, locked: Locked, status: OperationStatus): Promise<void> {
    const { operation, payment, effect, why } = locked;
    await sendStop(step, locked);
    const now = clock.now();
    const settled = effect.total && effect.energy;
    const bill = billFor(operation, (effect.energy?.to ?? operation.energy) as WattHours);
    await transitions.move(step, operation, {
      event: { overriddenTo: status },
      actor: 'staff',
      why,
      changes: {
        power_w: null,
        current_ma: null,
        stop_due_at: null,
        stop_cause: operation.stopCause ?? 'staff',
        finished_at: isPowerFlowing(operation.status) || operation.startedAt !== null ? now : null,
        charge_ended_at: null,
        ...(settled && {
          energy_wh: effect.energy?.to,
          total: effect.total?.to,
          real_total: bill.realTotal,
          idle_total: bill.idleTotal,
        }),
      },
    });
    // A payment that is final is brought in line too: what is above the total goes back, what is missing is lost.
    if (payment === null) return;
    const { lost } = effect.total
      ? await payments.capture(step, payment.id, effect.total.to)
      : await payments.release(step, payment.id);
    // A loss that was booked before staff let the charge go on may have been collected since.
    await operations.change(step, operation.id, { lost });
  }

  async function reopen(step: Step, { operation, why }: Locked, status: OperationStatus): Promise<void> {
    const now = clock.now();
    const isStart = status === 'pending' || status === 'starting';
    // A reopened charge is watched from its next idle status on.
    await step.db.deleteFrom('idle_watches').where('id', '=', operation.id).execute();
    await transitions.move(step, operation, {
      event: { overriddenTo: status },
      actor: 'staff',
      why,
      changes: {
        finished_at: null,
        charge_ended_at: null,
        failure_reason: null,
        failure_cause: null,
        start_phase: null,
        next_action_at: isStart || status === 'finishing' ? now : null,
        ...(status === 'finishing'
          ? { stop_requested_at: now, stop_cause: operation.stopCause ?? 'staff' }
          : { stop_requested_at: null, stop_cause: null, billed_until: null }),
        ...(status === 'ongoing' && operation.startedAt === null ? { started_at: now } : {}),
      },
    });
  }

  const tools: ActionTools = { operations, starting, stopping, settling, payments, clock, sendStop, end, reopen };

  return {
    find,

    async preview(id: number, order: OperationOrder, staff: number | null = null): Promise<Effect> {
      const operation = await find(id);
      return steps.run(async (step) => {
        const subject = await subjectOf(step, operation, await payments.ofOperation(id, step.db));
        const effect = operationEffect(subject, order);
        if (staff === null || !effect.is_allowed) return effect;
        const amount = givenAway(subject, effect);
        const about = { subject: { kind: 'operation', id } as const, isSafety: isSafety(order) };
        return {
          ...effect,
          needs_approval: await limits.isAbove(step, { amount, staff, user: operation.user, ...about }),
        };
      });
    },
    act,
  };
}

const isSafety = ({ action }: OperationOrder) => !isAboutMoney(operationWorks[action].record.endpoint.money);
const payloadOf = (order: OperationOrder) => order as unknown as ApprovalPayload;

async function withRefusals<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // Another driver took the connector between the check and the change.
    if (isUniqueViolation(error, 'operations_one_open_per_connector')) throw new Refusal('connector_taken');
    // The driver has another operation that is not paid yet.
    if (isUniqueViolation(error, 'operations_one_unpaid_per_user')) throw new Refusal('action_not_applicable');
    throw error;
  }
}

function sumsOf({ status, energy, total }: StoredOperation) {
  return { status, energy, total };
}
