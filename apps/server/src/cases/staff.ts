import type { CaseAction } from '@fpay/contract/admin/cases';
import { can, type Role } from '@fpay/contract/roles';
import { type Audit, recordedOutcome } from '../platform/audit.ts';
import type { Clock } from '../platform/clock.ts';
import { isUniqueViolation } from '../platform/database.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step, Steps } from '../platform/step.ts';
import { caseAfter, isSnoozeTime } from './case.ts';
import type { CaseCharge } from './service.ts';
import type { CaseRow, CaseStore } from './store.ts';
import type { AnswerDelivery } from './texts.ts';

/** Who acts on which case. A repeat of the same request does nothing again. */
export interface CaseCall {
  staff: number;
  id: number;
  requestKey: string;
}

/** What staff do with cases; each leaves one record. */
export interface CaseStaffActions {
  /** @refuses not_found */
  open(
    call: Omit<CaseCall, 'id'>,
    about: { user?: number | undefined; operation?: number | undefined; subject: string; note: string | null },
  ): Promise<number>;
  /** @refuses not_found, case_state */
  answer(call: CaseCall, text: string): Promise<void>;
  /** @refuses not_found, case_state */
  note(call: CaseCall, text: string): Promise<void>;
  /** @refuses not_found, case_state, user_not_found */
  assign(call: CaseCall, assignee: number | null): Promise<void>;
  /** @refuses not_found, case_state, snooze_time */
  snooze(call: CaseCall, until: Date): Promise<void>;
  /** @refuses not_found, case_state */
  close(call: CaseCall): Promise<void>;
  /** @refuses not_found, case_state */
  reopen(call: CaseCall): Promise<void>;
}

interface Dependencies {
  store: CaseStore;
  steps: Steps;
  clock: Clock;
  audit: Audit;
  chargeOf: (operation: number) => Promise<CaseCharge | null>;
  users: { find(id: number): Promise<{ id: number; role: Role } | null> };
  deliver: AnswerDelivery;
}

export function createCaseStaff({
  store,
  steps,
  clock,
  audit,
  chargeOf,
  users,
  deliver,
}: Dependencies): CaseStaffActions {
  /** The state after the action is stored, then what the action writes, then the record. */
  async function act(
    { staff, id, requestKey }: CaseCall,
    action: CaseAction,
    work: (step: Step, row: CaseRow) => Promise<{ after?: object; personal?: object }>,
    until?: Date,
  ): Promise<void> {
    await steps.run(async (step) => {
      if (await recordedOutcome(step, requestKey)) return;
      const row = await store.lock(step, id);
      if (!row) throw new Refusal('not_found');
      const after = caseAfter(row, action, clock.now(), until);
      // An open case of the same charge has been made since this one was closed.
      const isTaken =
        action === 'reopen' && row.operation_id !== null && (await store.lockOpen(step, row.operation_id, row.source));
      if (!after || isTaken) throw new Refusal('case_state');
      await store.change(step, id, after);
      const { personal, ...said } = await work(step, row);
      await audit(step, {
        staff,
        action: `case.${action}`,
        subject: { kind: 'case', id },
        before: { state: row.state },
        after: { state: after.state, ...said.after },
        person: row.user_id,
        ...(personal && { personal }),
        requestKey,
      });
      step.publish('staff-list', 'cases');
    });
  }

  async function own(step: Step, row: CaseRow, staff: number): Promise<void> {
    if (row.owner_id !== null) return;
    await store.change(step, row.id, { owner_id: staff });
    await store.addEntry(step, row.id, { kind: 'event', event: 'assigned', staff_id: staff, assignee_id: staff });
  }

  async function personOf(about: { user?: number | undefined; operation?: number | undefined }) {
    if (about.operation !== undefined) {
      const charge = await chargeOf(about.operation);
      if (!charge) throw new Refusal('not_found');
      return { user: charge.user, station: charge.station, operation: about.operation };
    }
    const user = await users.find(about.user ?? 0);
    if (!user) throw new Refusal('not_found');
    return { user: user.id, station: null, operation: null };
  }

  return {
    async open({ staff, requestKey }, { subject, note, ...about }) {
      const person = await personOf(about);
      return steps.run(async (step) => {
        const recorded = await recordedOutcome(step, requestKey);
        if (recorded) return Number(recorded.id);
        const open = person.operation === null ? null : await store.lockOpen(step, person.operation, 'call');
        const made = open ?? (await store.add(step, { source: 'call', ...person, subject, isWaiting: false }));
        // Another call about the same charge was stored at this moment; the caller presses again.
        if (!made) throw new Refusal('repeated_request');
        await store.addEntry(step, made.id, { kind: 'event', event: open ? 'joined' : 'opened', staff_id: staff });
        await own(step, made, staff);
        const said = [open && subject, note].filter(Boolean).join('\n');
        if (said !== '') await store.addEntry(step, made.id, { kind: 'note', staff_id: staff, text: said });
        await audit(step, {
          staff,
          action: 'case.open',
          subject: { kind: 'case', id: made.id },
          after: { id: made.id, operation: person.operation },
          person: person.user,
          personal: { subject, note },
          requestKey,
        });
        step.publish('staff-list', 'cases');
        return made.id;
      });
    },

    answer: (call, text) =>
      act(call, 'answer', async (step, row) => {
        await own(step, row, call.staff);
        const entry = await store.addEntry(step, row.id, { kind: 'to_driver', staff_id: call.staff, text });
        await store.change(step, row.id, { shown_at: clock.now() });
        const channels = await deliver(step, row.user_id, { id: row.id, entry, text });
        await store.setChannels(step, entry, channels);
        return { after: { channels }, personal: { text } };
      }),

    note: (call, text) =>
      act(call, 'note', async (step, row) => {
        await store.addEntry(step, row.id, { kind: 'note', staff_id: call.staff, text });
        return { personal: { text } };
      }),

    async assign(call, assignee) {
      if (assignee !== null) {
        const user = await users.find(assignee);
        if (!user || !can(user.role, 'contact-users')) throw new Refusal('user_not_found');
      }
      await act(call, 'assign', async (step, row) => {
        await store.change(step, row.id, { owner_id: assignee });
        const event = { kind: 'event', event: 'assigned', staff_id: call.staff, assignee_id: assignee } as const;
        await store.addEntry(step, row.id, event);
        return { after: { owner: assignee } };
      });
    },

    async snooze(call, until) {
      if (!isSnoozeTime(until, clock.now())) throw new Refusal('snooze_time');
      const event = { kind: 'event', event: 'snoozed', staff_id: call.staff } as const;
      await act(
        call,
        'snooze',
        async (step, row) => {
          await store.addEntry(step, row.id, event);
          return { after: { until: until.toISOString() } };
        },
        until,
      );
    },

    close: (call) =>
      act(call, 'close', async (step, row) => {
        await store.addEntry(step, row.id, { kind: 'event', event: 'closed', staff_id: call.staff });
        return {};
      }),

    async reopen(call) {
      try {
        await act(call, 'reopen', async (step, row) => {
          await store.addEntry(step, row.id, { kind: 'event', event: 'reopened', staff_id: call.staff });
          return {};
        });
      } catch (error) {
        // A report about the same charge was stored at this moment.
        if (isUniqueViolation(error)) throw new Refusal('case_state');
        throw error;
      }
    },
  };
}
