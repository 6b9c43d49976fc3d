import { requestRfidBind } from '@fpay/contract/rfid';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { cardUser } from '../../rfid/testing/card-users.ts';
import { type Stack, startStack } from '../../testing/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

const failuresOf = async (table: string, id: number) => {
  const { rows } = await sql<{ due_failures: number; is_due: boolean }>`
    select due_failures, next_action_at is not null as is_due from ${sql.table(table)} where id = ${id}`.execute(
    stack.db,
  );
  return rows[0];
};

test('an operation whose due step succeeds after failures is no longer delayed by them', async () => {
  const { id } = await stack.startCharge();
  await sql`update operations set due_failures = 7, next_action_at = now() where id = ${id}`.execute(stack.db);
  await vi.waitFor(async () => expect(await failuresOf('operations', id)).toMatchObject({ due_failures: 0 }));
});

test('a bind request that expires after failed steps has its failures cleared', async () => {
  const { client, id: user } = await cardUser(stack);
  const station = await stack.addScripted();
  await client.call(requestRfidBind, { body: { station_number: station.number } });
  const { id } = await stack.db
    .selectFrom('rfid_requests')
    .select('id')
    .where('user_id', '=', user)
    .executeTakeFirstOrThrow();
  await sql`update rfid_requests set due_failures = 7, next_action_at = now() where id = ${id}`.execute(stack.db);
  await vi.waitFor(async () =>
    expect(await failuresOf('rfid_requests', id)).toEqual({ due_failures: 0, is_due: false }),
  );
});
