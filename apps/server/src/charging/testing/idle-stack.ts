import { getOperation } from '@fpay/contract/charging';
import { sql } from 'kysely';
import { vi } from 'vitest';
import { type Stack, startStack } from '../../testing/stack.ts';

type Operation = Pick<Awaited<ReturnType<Stack['startCharge']>>, 'client' | 'id'>;

/** The time within which a state is reached, and what the stack takes. */
type Options = { timeout?: number } & Parameters<typeof startStack>[0];

/** How the tariff of 15 UAH per kWh bills idle time: 2 UAH a minute after 10 minutes. */
export const idleTerms = { fee: 2_00, grace: 10, price: 15_00 } as const;

/** A stack whose usual tariff has an idle fee, and the time of which a test moves. */
export async function startIdleStack({ timeout = 20_000, ...options }: Options = {}) {
  const stack = await startStack(options);
  await stack.addScripted();
  const idle = JSON.stringify({ fee: idleTerms.fee, grace_minutes: idleTerms.grace });
  await sql`update tariffs set idle = ${idle} where price = ${idleTerms.price}`.execute(stack.db);
  const soon = { timeout, interval: 200 };

  const read = async ({ client, id }: Operation) =>
    (await client.call(getOperation, { params: { id: String(id) } })).body;
  const lookNow = ({ id }: { id: number }) =>
    sql`update idle_watches set next_action_at = now() where id = ${id}`.execute(stack.db);

  return {
    ...stack,
    soon,
    read,
    lookNow,
    /** The open interval began this much earlier, as if it had been observed since; those before it are as much older. */
    passed: ({ id }: { id: number }, minutes: number) =>
      sql`update idle_intervals set began_at = began_at - ${minutes} * interval '1 minute',
          seen_at = case when is_open then seen_at else seen_at - ${minutes} * interval '1 minute' end
        where operation_id = ${id}`.execute(stack.db),
    /** Waits until the idle time of the operation passes the check, and looks at it at once each time. */
    idleIs: (operation: Operation, check: (idle: Awaited<ReturnType<typeof read>>['idle']) => void) =>
      vi.waitFor(async () => {
        await lookNow(operation);
        check((await read(operation)).idle);
      }, soon),
  };
}
