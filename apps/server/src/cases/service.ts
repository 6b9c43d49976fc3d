import { ratingMood } from '@fpay/contract/admin/feedback';
import { failedStatuses, type OperationStatus } from '@fpay/contract/charging';
import type { SupportThreadDetail, SupportThreadItem } from '@fpay/contract/support';
import type { Clock } from '../platform/clock.ts';
import type { Viewer } from '../platform/http/session.ts';
import type { DueWork } from '../platform/jobs/due-work.ts';
import type { RateLimits } from '../platform/rate-limits.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step, Steps } from '../platform/step.ts';
import { caseAfter, caseSubjectOf, sourceOfFeedback } from './case.ts';
import type { CaseRow, CaseStore, ChannelReport, NewCase } from './store.ts';

/** The charge that a case is about. */
export interface CaseCharge {
  user: number;
  station: number;
  status: OperationStatus;
}

/** Where cases come from, and the conversation as its driver sees it. */
export interface Cases {
  /** In the step that stores the feedback. A rating that is not bad opens no case. */
  fromFeedback(
    step: Step,
    feedback: { operation: number; charge: CaseCharge; rating: number; comment: string | null },
  ): Promise<void>;
  /** In the step that lists the anomaly. */
  fromAnomaly(step: Step, anomaly: { kind: string; user: number; operation: number | null }): Promise<void>;
  threads(viewer: Viewer): Promise<SupportThreadItem[]>;
  /** @refuses not_found */
  thread(viewer: Viewer, id: number): Promise<SupportThreadDetail>;
  /** @refuses not_found, too_many_attempts */
  ask(viewer: Viewer, asked: { text: string; operation: number | null }): Promise<number>;
  /** @refuses not_found, too_many_attempts */
  write(viewer: Viewer, id: number, text: string): Promise<void>;
  /** @refuses not_found */
  read(viewer: Viewer, id: number): Promise<void>;
  /** What the channel of a message has reported. */
  messageReported(entry: number, report: ChannelReport): Promise<void>;
  /** Once a minute: asks what became of accepted SMS. */
  sweep(): Promise<void>;
}

interface Dependencies {
  store: CaseStore;
  steps: Steps;
  clock: Clock;
  limits: RateLimits;
  dueWork: Pick<DueWork, 'register'>;
  /** Null: there is no such operation. */
  chargeOf: (operation: number) => Promise<CaseCharge | null>;
  stationNumbers: (ids: number[]) => Promise<Map<number, string>>;
  smsDeliveries: (ids: readonly string[]) => Promise<Map<string, 'delivered' | 'failed'>>;
}

/** More than a driver in trouble writes, and less than staff cannot read. */
const messagesAnHour = { most: 20, windowMs: 60 * 60_000 };
const messagesADay = { most: 60, windowMs: 24 * 60 * 60_000 };
const mostThreads = 100;
/** A provider stops trying after a day; by then its last status is there. */
const askedMs = 48 * 60 * 60_000;
const mostAsked = 100;

export function createCases(dependencies: Dependencies): Cases {
  const { store, steps, clock, limits, dueWork, chargeOf, stationNumbers, smsDeliveries } = dependencies;
  const changed = (step: Step) => step.publish('staff-list', 'cases');

  dueWork.register({
    name: 'case',
    table: 'cases',
    async act(step, id) {
      const row = await store.lock(step, id);
      const after = row && caseAfter(row, 'wake', clock.now());
      if (!after) return;
      await store.change(step, id, after);
      await store.addEntry(step, id, { kind: 'event', event: 'woke' });
      changed(step);
    },
  });

  /** One open case for each charge and source. What comes second joins it. */
  async function openOrJoin(step: Step, given: NewCase): Promise<{ row: CaseRow; isNew: boolean }> {
    for (;;) {
      const open = given.operation === null ? null : await store.lockOpen(step, given.operation, given.source);
      if (open) return { row: open, isNew: false };
      const row = await store.add(step, given);
      if (row) return { row, isNew: true };
    }
  }

  async function addMessage(step: Step, row: CaseRow, text: string | null): Promise<void> {
    const after = caseAfter(row, 'driver_wrote', clock.now());
    if (!after) throw new Error(`case ${row.id} cannot be written in`);
    await store.addEntry(step, row.id, { kind: 'from_driver', text });
    await store.change(step, row.id, { ...after, shown_at: clock.now() });
    changed(step);
  }

  async function takeLimits(user: number): Promise<void> {
    await limits.take({ key: `support:hour:${user}`, ...messagesAnHour });
    await limits.take({ key: `support:day:${user}`, ...messagesADay });
  }

  /** The case of another driver, and one of which its driver sees nothing, are not found. */
  const isVisible = (row: CaseRow | null, viewer: Viewer): row is CaseRow =>
    row !== null && row.user_id === viewer.id && row.shown_at !== null;

  return {
    async fromFeedback(step, { operation, charge, rating, comment }) {
      if (ratingMood(rating) !== 'bad') return;
      const hasFailed = failedStatuses.some((status) => status === charge.status);
      const { row } = await openOrJoin(step, {
        source: sourceOfFeedback(hasFailed),
        user: charge.user,
        operation,
        station: charge.station,
        subject: caseSubjectOf(comment),
        // A report has no rating: the app sends 1 with each.
        ...(!hasFailed && { rating }),
        isWaiting: true,
      });
      await addMessage(step, row, comment);
    },

    async fromAnomaly(step, { kind, user, operation }) {
      const charge = operation === null ? null : await chargeOf(operation);
      const station = charge?.station ?? null;
      const opening = { source: 'anomaly', user, operation, station, subject: null, anomaly: kind } as const;
      const { row, isNew } = await openOrJoin(step, { ...opening, isWaiting: false });
      await store.addEntry(step, row.id, { kind: 'event', event: isNew ? 'opened' : 'joined' });
      if (!isNew) await store.change(step, row.id, {});
      changed(step);
    },

    async threads(viewer) {
      const rows = await store.shownTo(viewer.id, mostThreads);
      const numbers = await stationNumbers(rows.flatMap(({ station_id }) => station_id ?? []));
      return rows.map((row) => ({
        id: row.id,
        charging_operation_id: row.operation_id,
        charging_station: numbers.get(row.station_id ?? 0) ?? null,
        is_closed: row.state === 'closed',
        opened_at: row.opened_at.toISOString(),
        last_text: row.last_text,
        last_at: (row.shown_at ?? row.opened_at).toISOString(),
        unread: row.unread ?? 0,
      }));
    },

    async thread(viewer, id) {
      const row = await store.find(id);
      if (!isVisible(row, viewer)) throw new Refusal('not_found');
      const [messages, numbers] = await Promise.all([
        store.messagesOf(id),
        stationNumbers(row.station_id === null ? [] : [row.station_id]),
      ]);
      return {
        id,
        charging_operation_id: row.operation_id,
        charging_station: numbers.get(row.station_id ?? 0) ?? null,
        is_closed: row.state === 'closed',
        opened_at: row.opened_at.toISOString(),
        messages: messages.map((message) => ({
          id: message.id,
          from: message.kind === 'from_driver' ? 'driver' : 'staff',
          text: message.text,
          created_at: message.created_at.toISOString(),
        })),
      };
    },

    async ask(viewer, { text, operation }) {
      const charge = operation === null ? null : await chargeOf(operation);
      if (operation !== null && charge?.user !== viewer.id) throw new Refusal('not_found');
      await takeLimits(viewer.id);
      return steps.run(async (step) => {
        const { row } = await openOrJoin(step, {
          source: 'report',
          user: viewer.id,
          operation,
          station: charge?.station ?? null,
          subject: caseSubjectOf(text),
          isWaiting: true,
        });
        await addMessage(step, row, text.trim());
        return row.id;
      });
    },

    async write(viewer, id, text) {
      if (!isVisible(await store.find(id), viewer)) throw new Refusal('not_found');
      await takeLimits(viewer.id);
      await steps.run(async (step) => {
        const row = await store.lock(step, id);
        if (!isVisible(row, viewer)) throw new Refusal('not_found');
        // The same charge has a newer open case, so the message joins that one.
        const open =
          row.state === 'closed' && row.operation_id !== null
            ? await store.lockOpen(step, row.operation_id, row.source)
            : null;
        await addMessage(step, open ?? row, text.trim());
      });
    },

    async read(viewer, id) {
      if (!isVisible(await store.find(id), viewer)) throw new Refusal('not_found');
      await steps.run(async (step) => {
        if ((await store.markRead(step, id)) > 0) changed(step);
      });
    },

    async messageReported(entry, report) {
      await steps.run(async (step) => {
        if ((await store.reported(step, entry, report)) !== null) changed(step);
      });
    },

    async sweep() {
      const waiting = await store.acceptedSms(new Date(clock.now().getTime() - askedMs), mostAsked);
      if (waiting.length === 0) return;
      const known = await smsDeliveries(waiting.flatMap(({ sms_id }) => sms_id ?? []));
      if (known.size === 0) return;
      await steps.run(async (step) => {
        for (const { id, sms_id } of waiting) {
          const state = known.get(sms_id ?? '');
          if (state) await store.setDelivery(step, id, state);
        }
        changed(step);
      });
    },
  };
}
