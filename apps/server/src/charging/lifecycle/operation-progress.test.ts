import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../platform/database.ts';
import { createSteps } from '../../platform/step.ts';
import { testDatabase } from '../../testing/database.ts';
import { addOperation } from '../../testing/operation.ts';
import { operationProgressUpdate, writeLastReading } from './operation-progress.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
let handle: ReturnType<typeof openDatabase>;
let user: number;
let id: number;
beforeAll(async () => {
  database = await testDatabase();
  handle = openDatabase({ url: database.appUrl, poolSize: 2 });
  const row = await handle.db
    .insertInto('users')
    .values({ name: 'A driver', phone_number: '+380670000001', created_at: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow();
  user = row.id;
});
beforeEach(async () => {
  await handle.db.updateTable('operations').set({ status: 'canceled' }).execute();
  id = await addOperation(handle, user, 'ongoing');
});
afterAll(async () => {
  await handle.close();
  await database.drop();
});

const start = Date.parse('2026-11-15T10:00:00Z');
const at = (seconds: number) => new Date(start + seconds * 1000);

interface Reading {
  energyWh: number;
  powerW: number | null;
  total: number;
  isAtLimit: boolean;
  stopAt: number | null;
  nextAt: number | null;
  billedAt: number;
}

const usual: Reading = {
  energyWh: 5_000,
  powerW: 40_000,
  total: 75_00,
  isAtLimit: false,
  stopAt: 1_200,
  nextAt: 1_200,
  billedAt: 0,
};
const now = 0;

/** The fragment inside the smallest statement that provides what it needs. Returns the operations that it wrote. */
async function write(changes: Partial<Reading> = {}, { isOpen = true } = {}): Promise<number[]> {
  const { energyWh, powerW, total, isAtLimit, stopAt, nextAt, billedAt } = { ...usual, ...changes };
  const ms = (seconds: number | null) => (seconds === null ? null : start + seconds * 1000);
  const { rows } = await sql<{ id: number }>`
    with reported as (select 1 as id, ${energyWh}::bigint as energy_wh, ${id}::bigint as operation_id, ${powerW}::int as power_w,
      null::int as current_ma, 40 as soc, ${ms(now)}::bigint as sampled_ms, ${ms(now)}::bigint as received_ms,
      ${total}::bigint as total, ${total}::bigint as real_total, ${Number(isAtLimit)}::int as is_at_limit,
      ${ms(stopAt)}::bigint as stop_due_ms, ${ms(nextAt)}::bigint as next_action_ms, 1 as is_published, ${ms(billedAt)}::bigint as billed_ms
    ), counted as (select 1 as id where ${isOpen}), shown as (${operationProgressUpdate})
    select id from shown`.execute(handle.db);
  return rows.map((row) => row.id);
}

const operation = () => handle.db.selectFrom('operations').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const given = (values: RawBuilder<unknown>) => sql`update operations set ${values} where id = ${id}`.execute(handle.db);

describe('the operations of a batch of readings', () => {
  test('a running charge shows the energy, the total and the planned stop of its reading', async () => {
    expect(await write()).toEqual([id]);
    expect(await operation()).toMatchObject({
      energy_wh: 5_000,
      total: 75_00,
      real_total: 75_00,
      power_w: 40_000,
      soc: 40,
      metered_at: at(now),
      last_sample_at: at(now),
      stop_due_at: at(1_200),
      next_action_at: at(1_200),
    });
  });

  test('energy and total never decrease', async () => {
    await write();
    await write({ energyWh: 4_000, total: 60_00 });
    expect(await operation()).toMatchObject({ energy_wh: 5_000, total: 75_00, real_total: 75_00 });
  });

  test.each(['created', 'pending', 'finished', 'canceled', 'failed', 'pending_final_payment'])(
    'an operation that is %s does not change',
    async (status) => {
      await given(sql`status = ${status}`);
      const before = await operation();
      expect(await write()).toEqual([]);
      expect(await operation()).toEqual(before);
    },
  );

  test('a transaction that ended in the meantime changes no operation', async () => {
    expect(await write({}, { isOpen: false })).toEqual([]);
  });

  test('before the start is confirmed neither total nor plan nor watchdog columns change', async () => {
    await given(sql`status = 'starting'`);
    expect(await write({ powerW: 0, isAtLimit: true })).toEqual([id]);
    expect(await operation()).toMatchObject({
      energy_wh: 5_000,
      total: 0,
      real_total: 0,
      stop_due_at: null,
      next_action_at: null,
      idle_since: null,
      limit_reached_at: null,
    });
  });

  test('while it is being stopped the total still rises, but the plan stays', async () => {
    await given(sql`status = 'finishing', stop_due_at = ${at(-5)}, next_action_at = ${at(30)}`);
    await write();
    expect(await operation()).toMatchObject({ total: 75_00, stop_due_at: at(-5), next_action_at: at(30) });
  });

  test('idle and at the limit are recorded at the first such reading and cleared with the next other one', async () => {
    await given(sql`idle_since = ${at(-60)}, limit_reached_at = ${at(-30)}`);
    await write({ powerW: 0, isAtLimit: true });
    expect(await operation()).toMatchObject({ idle_since: at(-60), limit_reached_at: at(-30) });
    await write();
    expect(await operation()).toMatchObject({ idle_since: null, limit_reached_at: null });
    await write({ powerW: 0, isAtLimit: true });
    expect(await operation()).toMatchObject({ idle_since: at(now), limit_reached_at: at(now) });
  });

  test('a reading without power keeps the last one', async () => {
    await write({ powerW: 0 });
    await write({ powerW: null });
    expect(await operation()).toMatchObject({ power_w: 0, idle_since: at(now) });
  });

  test.each([
    { title: 'earlier and still to come stays', planned: 1_150, nextAt: 1_200, expected: 1_150 },
    { title: 'a little later and far away stays', planned: 1_215, nextAt: 1_200, expected: 1_215 },
    { title: 'much later moves', planned: 1_230, nextAt: 1_200, expected: 1_200 },
    { title: 'a little later and near moves', planned: 65, nextAt: 60, expected: 60 },
    { title: 'past moves', planned: -1, nextAt: 1_200, expected: 1_200 },
  ])('a planned action that is $title', async ({ planned, nextAt, expected }) => {
    await given(sql`next_action_at = ${at(planned)}`);
    await write({ nextAt, stopAt: nextAt });
    expect((await operation()).next_action_at).toEqual(at(expected));
  });

  test('a profile that would cut the power before the stop is renewed 8 s ahead of it', async () => {
    await given(sql`device_cut_at = ${at(600)}`);
    await write();
    expect((await operation()).next_action_at).toEqual(at(592));
    await given(sql`device_cut_at = ${at(1_300)}, next_action_at = null`);
    await write();
    expect((await operation()).next_action_at).toEqual(at(1_200));
  });

  test('energy after the end of the bill raises nothing, and its first reading is recorded', async () => {
    await write();
    await given(sql`billed_until = ${at(10)}`);
    await write({ energyWh: 6_000, total: 90_00, billedAt: 20 });
    await write({ energyWh: 7_000, total: 105_00, billedAt: 30 });
    expect(await operation()).toMatchObject({
      energy_wh: 5_000,
      total: 75_00,
      first_unbilled_wh: 6_000,
      first_unbilled_at: at(20),
    });
  });
});

describe('the last reading of a charge', () => {
  const last = { energyWh: 6_000, stoppedAt: at(100), billedAt: at(100), powerW: 0, currentMa: null, soc: 80 };
  const stop = (changes: Partial<typeof last> = {}) =>
    createSteps(handle.db, () => {}).run((step) => writeLastReading(step, { operationId: id, ...last, ...changes }));

  test('raises the energy and shows the last values', async () => {
    await write();
    await stop();
    expect(await operation()).toMatchObject({ energy_wh: 6_000, power_w: 0, soc: 80, last_sample_at: at(100) });
    await stop({ energyWh: 5_500 });
    expect((await operation()).energy_wh).toBe(6_000);
  });

  test('changes nothing after the end of the bill', async () => {
    await given(sql`billed_until = ${at(50)}`);
    await stop();
    expect((await operation()).energy_wh).toBe(0);
  });

  test('changes nothing once the operation has ended', async () => {
    await given(sql`status = 'finished'`);
    await stop();
    expect((await operation()).energy_wh).toBe(0);
  });
});
