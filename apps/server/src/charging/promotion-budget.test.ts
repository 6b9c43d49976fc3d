import { getUser } from '@fpay/contract/account';
import { moneyCases } from '@fpay/contract/admin/money';
import { getOperation } from '@fpay/contract/charging';
import { kopecks } from '@fpay/contract/money';
import { getStation } from '@fpay/contract/stations';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { takeFromBudget } from '../stations/promotion-budget.ts';
import { type Stack, startStack } from '../testing/stack.ts';

/** A promotion pays as far as the budget of its day in Kyiv goes, and drivers know it before and after. */
let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

async function promotion(number: string, budget: number | null, amount = 1_00): Promise<number> {
  const terms = JSON.stringify({ min_energy_wh: 1, amount });
  const { rows } = await sql<{ id: number }>`insert into promotions (code, kind, station_id, terms, budget_per_day)
    select 'free_parking', 'reward', id, ${terms}, ${budget} from stations where number = ${number}
    returning id`.execute(stack.db);
  return rows[0]?.id ?? 0;
}

const lines = async (operation: number) => {
  const rows = await stack.db
    .selectFrom('operation_log')
    .select('text')
    .where('operation_id', '=', operation)
    .execute();
  return rows.map(({ text }) => text).join('\n');
};

test('a reward that the budget of the day does not cover is not paid, and the driver and staff see it [ADM-OP-31]', async () => {
  const first = await stack.startCharge('150', 0);
  const id = await promotion(first.number, 1_50);
  const page = async () => (await first.client.call(getStation, { params: { number: first.number } })).body.reward;
  expect(await page()).toEqual({ min_energy: 1, amount: 1_00, has_budget: true, is_used_up: false });
  await first.device.stop(first.transactionId, 100);
  await stack.until(first.client, first.id, 'finished');
  expect((await first.client.call(getUser)).body.balance).toBe(1000_00 - 1_50 + 1_00);
  expect(await page()).toMatchObject({ is_used_up: true });

  const next = await stack.driver(1000_00);
  await first.device.status(1, 'Available');
  await first.device.status(1, 'Preparing');
  const paid = await stack.pay(next.client, { connector: first.connector, amount: '150' });
  const second = Number(paid.body.page_url.slice(2));
  const { idTag } = await first.device.asked('RemoteStartTransaction', 1);
  const { transactionId } = await first.device.start(1, String(idTag), 1_000);
  await first.device.stop(transactionId, 1_100);
  await stack.until(next.client, second, 'finished');
  expect((await next.client.call(getUser)).body.balance).toBe(1000_00 - 1_50);
  const seen = async (client: typeof next.client, operation: number) =>
    (await client.call(getOperation, { params: { id: String(operation) } })).body.missed_reward;
  expect([await seen(first.client, first.id), await seen(next.client, second)]).toEqual([null, 1_00]);
  expect(await lines(second)).toContain(`promotion ${id}: no reward, its budget of today is used up`);
  await stack.checkBooks();
});

test('rewards at the same moment never pass the budget of the day, and the next day has its own [ADM-OP-31]', async () => {
  const { number } = await stack.addScripted();
  const id = await promotion(number, 5_00);
  const take = (at: Date) => stack.steps.run((step) => takeFromBudget(step, id, kopecks(1_50), at));
  // In Kyiv the day ends at 22:00 of universal time.
  const evening = new Date('2026-12-01T21:59:59Z');
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => take(evening)));
  expect(outcomes.filter((isPaid) => isPaid)).toHaveLength(3);
  expect(await take(new Date('2026-12-01T22:00:00Z'))).toBe(true);
});

test('the database refuses what passes the budget of a day, whatever the server decided [ADM-OP-31]', async () => {
  const { number } = await stack.addScripted();
  const id = await promotion(number, 5_00);
  const pay = (sum: number) =>
    sql`insert into promotion_days (promotion_id, day, paid, budget) values (${id}, '2026-12-01', ${sum}, 500)
      on conflict (promotion_id, day) do update set paid = promotion_days.paid + excluded.paid`.execute(stack.db);
  await pay(5_00);
  await expect(pay(1)).rejects.toThrow('promotion_days');
});

test('who gets rewards above the limit gets them, and staff see it [ADM-OP-31]', async () => {
  const charge = await stack.startCharge('150', 0);
  await promotion(charge.number, 10_00);
  await sql`insert into staff_money_out (user_id, wallet_id, way, amount, subject_kind, subject_id, created_at)
    select id, wallet_id, 'reward', 499999, 'promotion', 1, now() from users where id = ${charge.userId}`.execute(
    stack.db,
  );
  await charge.device.stop(charge.transactionId, 100);
  await stack.until(charge.client, charge.id, 'finished');
  expect((await charge.client.call(getUser)).body.balance).toBe(1000_00 - 1_50 + 1_00);
  const operator = await stack.signedIn('Operator');
  const { body: cases } = await operator.client.call(moneyCases, { params: { kind: 'reward' }, query: {} });
  expect(cases).toMatchObject([{ kind: 'reward', user_id: charge.userId, amount: 1_00, is_resolvable: false }]);
});
