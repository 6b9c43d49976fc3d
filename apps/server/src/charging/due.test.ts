import { requestRfidBind } from '@fpay/contract/rfid';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { cardHolder } from '../rfid/card-holders.test-support.ts';
import { startWorld, type World } from '../testing/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const failuresOf = async (table: string, id: number) => {
  const { rows } = await sql<{ due_failures: number; is_due: boolean }>`
    select due_failures, next_action_at is not null as is_due from ${sql.table(table)} where id = ${id}`.execute(
    world.db,
  );
  return rows[0];
};

test('an operation whose due step succeeds after failures is not slowed down by them any more', async () => {
  const { id } = await world.startCharge();
  await sql`update operations set due_failures = 7, next_action_at = now() where id = ${id}`.execute(world.db);
  await vi.waitFor(async () => expect(await failuresOf('operations', id)).toMatchObject({ due_failures: 0 }));
});

test('a bind request that expires after failed steps has its failures cleared', async () => {
  const { client, id: user } = await cardHolder(world);
  const station = await world.addScripted();
  await client.call(requestRfidBind, { body: { station_number: station.number } });
  const { id } = await world.db
    .selectFrom('rfid_requests')
    .select('id')
    .where('user_id', '=', user)
    .executeTakeFirstOrThrow();
  await sql`update rfid_requests set due_failures = 7, next_action_at = now() where id = ${id}`.execute(world.db);
  await vi.waitFor(async () =>
    expect(await failuresOf('rfid_requests', id)).toEqual({ due_failures: 0, is_due: false }),
  );
});
