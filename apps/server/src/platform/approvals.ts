import type { Endpoint } from '@fpay/contract/endpoint';
import { type Kopecks, kopecks } from '@fpay/contract/money';
import { can, type Role } from '@fpay/contract/roles';
import { type Audit, noRecord, type StaffAction } from './audit.ts';
import type { Clock } from './clock.ts';
import { Refusal } from './refusal.ts';
import type { Step, Steps } from './step.ts';

/**
 * The kinds of actions that wait for a second staff member, each with what it stores to be carried out. The platform knows none
 * of them: the product declares its kinds by merging them into this interface (`seams.ts`).
 */
// biome-ignore lint/suspicious/noEmptyInterface: the product adds the members by declaration merging
export interface ApprovalKinds {}

export type KindOfApproval = keyof ApprovalKinds;

/** What a payload may hold: it is stored as JSON and shown to the one who decides. */
export type ApprovalPayload = Record<string, string | number | boolean | null>;

export interface StaffApproval<Kind extends KindOfApproval = KindOfApproval> {
  id: number;
  kind: Kind;
  subject: StaffAction['subject'];
  worth: Kopecks;
  /** The user whose money it is; null for the network's. */
  recipient: number | null;
  payload: ApprovalKinds[Kind];
  /** Why it is asked for; null when no reason was given. Without it the kind asks for none. */
  reason?: string | null;
  requestedBy: number;
}

export interface ApprovalRequest<Kind extends KindOfApproval> extends Omit<StaffApproval<Kind>, 'id' | 'requestedBy'> {
  staff: number;
  /** Of the signed request that asked: its repeat finds the same row. */
  requestKey: string;
}

/** Who decides: a staff member, or the operator's command line, which may decide everything because it has the database anyway. */
export interface Decider {
  id: number;
  role: Role;
}
export const commandLine = 'command line';

/** What a feature says about one of its kinds. */
export interface ApprovalHandler<Kind extends KindOfApproval> {
  /** Who may make one of these calls may also approve what it asked for. */
  calls: readonly Pick<Endpoint, 'access'>[];
  /** The first part of the names in the audit: `balance` gives `balance.approve-increase`. */
  area: string;
  /** Who asks is asked for a reason, and the records of the decision name it. */
  hasReason?: boolean;
  /** Before the step: asks an external system, for which no step may wait. */
  prepare?(approval: Pick<StaffApproval<Kind>, 'subject'>): Promise<unknown>;
  /** Refuses somebody who would profit from the action. The request stays open for others. */
  refuseDecider(step: Step, approval: StaffApproval<Kind>, decider: number): Promise<void>;
  /**
   * Does what was asked for, in the step of the decision and in the state of this moment. A refusal means that the action is not
   * possible any more: nothing of it happens, and the request ends with this reason. `staff` approved it; on the command line it
   * is who asked for it.
   */
  carryOut(step: Step, approval: StaffApproval<Kind>, staff: number): Promise<void>;
}

export interface Approvals {
  /** What happens when a request of this kind is approved. Every declared kind has one handler. */
  on<Kind extends KindOfApproval>(kind: Kind, handler: ApprovalHandler<Kind>): void;
  /** The id of the request that this signed request has made; null: none. */
  waiting(step: Step, requestKey: string): Promise<number | null>;
  /** Whether a request of this kind about this subject waits. */
  isOpen(step: Step, kind: KindOfApproval, subject: StaffAction['subject']): Promise<boolean>;
  /** The id of the request; of its first one when the same signed request comes again. */
  request<Kind extends KindOfApproval>(step: Step, request: ApprovalRequest<Kind>): Promise<number>;
  /** The kinds that this role may decide. */
  kindsOf(role: Role): KindOfApproval[];
  /**
   * Carries the action out, or ends the request when the action refuses.
   * @refuses not_found, forbidden, action_not_applicable, own_request
   */
  approve(id: number, decider: Decider | typeof commandLine): Promise<StaffApproval>;
  /** @refuses not_found, forbidden, action_not_applicable */
  decline(id: number, decider: Decider): Promise<void>;
}

interface Dependencies {
  steps: Steps;
  audit: Audit;
  clock: Clock;
  /** Called in every step that changes what waits. */
  changed: (step: Step) => void;
}

const idOf = (decider: Decider | typeof commandLine): number | null => (decider === commandLine ? null : decider.id);

type AnyHandler = ApprovalHandler<KindOfApproval>;
type Outcome = { outcome: 'approved' | 'declined' } | { outcome: 'ended'; because: string };

/** Carries the refusal of an action out of the step that it undoes. */
class NotPossible extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** Actions of staff that wait for a second staff member. The row is the request; the action runs in the step that decides it. */
export function createApprovals({ steps, audit, clock, changed }: Dependencies): Approvals {
  const handlers = new Map<KindOfApproval, AnyHandler>();

  function handlerOf(kind: KindOfApproval): AnyHandler {
    const handler = handlers.get(kind);
    if (!handler) throw new Error(`no handler for approvals of ${kind}`);
    return handler;
  }

  const mayDecide = ({ calls }: AnyHandler, role: Role): boolean =>
    calls.some(({ access }) => typeof access !== 'string' && access.every((permission) => can(role, permission)));

  /** Locks the row, so that only one of several deciders finds it open. */
  async function open(
    step: Step,
    id: number,
    decider: Decider | typeof commandLine,
  ): Promise<{ approval: StaffApproval; handler: AnyHandler }> {
    const row = await step.db
      .selectFrom('staff_approvals')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!row) throw new Refusal('not_found');
    const handler = handlerOf(row.kind);
    if (decider !== commandLine && !mayDecide(handler, decider.role)) throw new Refusal('forbidden');
    if (row.outcome !== null) throw new Refusal('action_not_applicable');
    const approval: StaffApproval = {
      id,
      kind: row.kind,
      subject: { kind: row.subject_kind, id: row.subject_id } as StaffAction['subject'],
      worth: kopecks(row.worth),
      recipient: row.recipient_id,
      payload: row.payload as unknown as StaffApproval['payload'],
      ...(handler.hasReason && { reason: row.reason }),
      requestedBy: row.requested_by,
    };
    return { approval, handler };
  }

  async function prepare(id: number): Promise<void> {
    const { prepare: ask, subject } = await steps.run(async (step) => {
      const row = await step.db
        .selectFrom('staff_approvals')
        .select(['kind', 'subject_kind', 'subject_id'])
        .where('id', '=', id)
        .where('outcome', 'is', null)
        .executeTakeFirst();
      const about = { kind: row?.subject_kind, id: row?.subject_id } as StaffAction['subject'];
      return { prepare: row && handlerOf(row.kind).prepare, subject: about };
    });
    await ask?.({ subject });
  }

  async function waiting(step: Step, requestKey: string): Promise<number | null> {
    const row = await step.db
      .selectFrom('staff_approvals')
      .select('id')
      .where('request_key', '=', requestKey)
      .executeTakeFirst();
    if (row) noRecord('repeated');
    return row?.id ?? null;
  }

  async function close(step: Step, { id }: StaffApproval, decider: number | null, outcome: Outcome): Promise<void> {
    await step.db
      .updateTable('staff_approvals')
      .set({
        outcome: outcome.outcome,
        ended_because: outcome.outcome === 'ended' ? outcome.because : null,
        decided_by: decider,
        decided_at: clock.now(),
      })
      .where('id', '=', id)
      .execute();
    changed(step);
  }

  async function record(
    step: Step,
    act: string,
    staff: number | null,
    about: StaffApproval,
    more: object,
  ): Promise<void> {
    const { id, kind, subject, worth, reason, recipient } = about;
    const action = `${handlerOf(kind).area}.${act}-${kind}`;
    const by = staff === null ? commandLine : 'staff';
    const after = { amount: worth, approval: id, ...more };
    const said = reason !== undefined && { reason, ...(recipient !== null && { person: recipient }) };
    await audit(step, { staff, by, action, subject, after, ...said });
  }

  async function end(id: number, decider: Decider | typeof commandLine, because: string): Promise<void> {
    await steps.run(async (step) => {
      const { approval } = await open(step, id, decider);
      await close(step, approval, idOf(decider), { outcome: 'ended', because });
      await record(step, 'end', idOf(decider), approval, { because, requested_by: approval.requestedBy });
    });
  }

  return {
    on(kind, handler) {
      handlers.set(kind, handler as unknown as AnyHandler);
    },

    waiting,

    async isOpen(step, kind, subject) {
      const row = await step.db
        .selectFrom('staff_approvals')
        .select('id')
        .where('outcome', 'is', null)
        .where('kind', '=', kind)
        .where('subject_kind', '=', subject.kind)
        .where('subject_id', '=', subject.id)
        .executeTakeFirst();
      return row !== undefined;
    },

    async request(step, { staff, requestKey, ...asked }) {
      const earlier = await waiting(step, requestKey);
      if (earlier !== null) return earlier;
      const { id } = await step.db
        .insertInto('staff_approvals')
        .values({
          kind: asked.kind,
          subject_kind: asked.subject.kind,
          subject_id: asked.subject.id,
          worth: asked.worth,
          recipient_id: asked.recipient,
          payload: JSON.stringify(asked.payload),
          reason: asked.reason?.trim() || null,
          requested_by: staff,
          request_key: requestKey,
          created_at: clock.now(),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      changed(step);
      await record(step, 'request', staff, { ...asked, id, requestedBy: staff }, {});
      return id;
    },

    kindsOf: (role) => [...handlers].filter(([, handler]) => mayDecide(handler, role)).map(([kind]) => kind),

    async approve(id, decider) {
      await prepare(id);
      try {
        return await steps.run(async (step) => {
          const { approval, handler } = await open(step, id, decider);
          if (decider !== commandLine) {
            if (approval.requestedBy === decider.id) throw new Refusal('own_request');
            await handler.refuseDecider(step, approval, decider.id);
          }
          await close(step, approval, idOf(decider), { outcome: 'approved' });
          await record(step, 'approve', idOf(decider), approval, { requested_by: approval.requestedBy });
          try {
            await handler.carryOut(step, approval, idOf(decider) ?? approval.requestedBy);
          } catch (error) {
            throw error instanceof Refusal ? new NotPossible(error) : error;
          }
          return approval;
        });
      } catch (error) {
        if (!(error instanceof NotPossible)) throw error;
        await end(id, decider, error.refusal.code);
        throw error.refusal;
      }
    },

    decline: (id, decider) =>
      steps.run(async (step) => {
        const { approval } = await open(step, id, decider);
        await close(step, approval, decider.id, { outcome: 'declined' });
        await record(step, 'decline', decider.id, approval, {});
      }),
  };
}
