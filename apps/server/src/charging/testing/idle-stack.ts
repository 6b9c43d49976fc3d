import { getOperation } from '@fpay/contract/charging';
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { type MovedStack, startMovedStack } from '../../testing/stack.ts';

type Operation = Pick<Awaited<ReturnType<MovedStack['startCharge']>>, 'client' | 'id'>;

/** The time within which a state is reached, and what the stack takes. */
type Options = { timeout?: number } & Parameters<typeof startMovedStack>[0];

/** How the tariff of 15 UAH per kWh bills idle time: 2 UAH a minute after 10 minutes. */
export const idleTerms = { fee: 2_00, grace: 10, price: 15_00 } as const;

/** Looks are at most a minute apart, and the real time of a busy machine comes on top. */
const observedSeconds = 40;
const aLook = { timeout: 200, interval: 10 };

/** A stack whose usual tariff has an idle fee, and the time of which a test moves. */
export async function startIdleStack({ timeout = 20_000, ...options }: Options = {}) {
  const stack = await startMovedStack(options);
  await stack.addScripted();
  const idle = JSON.stringify({ fee: idleTerms.fee, grace_minutes: idleTerms.grace });
  await sql`update tariffs set idle = ${idle} where price = ${idleTerms.price}`.execute(stack.db);
  const soon = { timeout, interval: 200 };

  const read = async ({ client, id }: Operation) =>
    (await client.call(getOperation, { params: { id: String(id) } })).body;
  const lookNow = async ({ id }: { id: number }) => {
    await sql`update idle_watches set next_action_at = ${stack.clock.now()} where id = ${id}`.execute(stack.db);
    stack.dueWork.wake('idle-watch');
  };
  /** Looks until the open interval was seen at this time or later. A look that was running when the time moved is too early. */
  async function lookAt(operation: { id: number }, time: Date): Promise<void> {
    const open = stack.db.selectFrom('idle_intervals').select('seen_at').where('operation_id', '=', operation.id);
    await vi.waitFor(async () => {
      await lookNow(operation);
      await vi.waitFor(async () => {
        const row = await open.where('is_open', '=', true).executeTakeFirst();
        expect(row === undefined || row.seen_at >= time).toBe(true);
      }, aLook);
    }, soon);
  }

  return {
    ...stack,
    soon,
    read,
    lookNow,
    /** This much time passes while the operation is looked at; what is not looked at for a minute is not billed. */
    async passed(operation: { id: number }, minutes: number): Promise<void> {
      for (let seconds = minutes * 60; seconds > 0; seconds -= observedSeconds) {
        stack.ahead({ seconds: Math.min(seconds, observedSeconds) });
        await lookAt(operation, stack.clock.now());
      }
    },
    /** Waits until the idle time of the operation passes the check, and looks at it at once each time. */
    idleIs: (operation: Operation, check: (idle: Awaited<ReturnType<typeof read>>['idle']) => void) =>
      vi.waitFor(async () => {
        await lookNow(operation);
        check((await read(operation)).idle);
      }, soon),
  };
}
