import type { Step } from '../../platform/step.ts';
import type { IdleCause, IdleInterval, Observation } from './observed-time.ts';

/** The observed idle times of operations. All of it runs while the operation is locked. */
export function createIdleIntervals() {
  return {
    async of(step: Step, operation: number): Promise<{ closed: IdleInterval[]; open: IdleInterval | null }> {
      const rows = await step.db
        .selectFrom('idle_intervals')
        .select(['cause', 'began_at', 'seen_at', 'is_open'])
        .where('operation_id', '=', operation)
        .orderBy('id')
        .execute();
      const intervals = rows.map(({ cause, began_at, seen_at, is_open }) => ({
        isOpen: is_open,
        interval: { cause: cause as IdleCause, beganAt: began_at, seenAt: seen_at },
      }));
      return {
        closed: intervals.filter(({ isOpen }) => !isOpen).map(({ interval }) => interval),
        open: intervals.find(({ isOpen }) => isOpen)?.interval ?? null,
      };
    },

    async write(step: Step, operation: number, { closed, open }: Observation): Promise<void> {
      const present = step.db
        .updateTable('idle_intervals')
        .where('operation_id', '=', operation)
        .where('is_open', '=', true);
      if (closed) await present.set({ seen_at: closed.seenAt, is_open: false }).execute();
      if (!open) return;
      const { numUpdatedRows } = closed
        ? { numUpdatedRows: 0n }
        : await present.set({ seen_at: open.seenAt }).executeTakeFirst();
      if (numUpdatedRows > 0n) return;
      await step.db
        .insertInto('idle_intervals')
        .values({ operation_id: operation, cause: open.cause, began_at: open.beganAt, seen_at: open.seenAt })
        .execute();
    },
  };
}
