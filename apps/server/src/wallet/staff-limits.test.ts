import { approvals, approve } from '@fpay/contract/admin/approvals';
import { previewBalance } from '@fpay/contract/admin/balance';
import { adminUser } from '@fpay/contract/admin/users';
import { kopecks } from '@fpay/contract/money';
import { cancelBalanceTransaction, decreaseBalance, increaseBalance, shareWallet } from '@fpay/contract/wallet';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../testing/server.ts';

/** 24 hours of what staff give away, per staff member and per recipient, against a limit of 5,000 UAH. */
let server: TestServer;
let admin: Awaited<ReturnType<TestServer['signedIn']>>;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  admin = await server.signedIn('Admin');
});

type Staff = typeof admin;
const give = async (user_id: number, amount: number, by: Staff = admin) =>
  (await by.client.call(increaseBalance, { body: { user_id, amount: kopecks(amount) } })).body;
const balance = ({ id }: { id: number }) => server.wallet.balanceOf(id);
const approveAs = (staff: Staff, id: number | null) => staff.client.call(approve, { params: { id: String(id) } });
/** As if it had all happened some hours before. */
const later = (hours: number) =>
  sql`update staff_money_out set created_at = created_at - ${hours} * interval '1 hour'`.execute(server.db);

describe('gifts of staff', () => {
  test('five times the limit to one user is the limit once, and then it waits: scene S5 [ADM-OP-31]', async () => {
    const user = await server.addUser();
    const answers = [];
    for (let nth = 0; nth < 5; nth += 1) answers.push(await give(user.id, 5_000_00));
    expect(answers.map(({ approval_id }) => approval_id === null)).toEqual([true, false, false, false, false]);
    expect(await balance(user)).toBe(5_000_00);
  });

  test('count per staff member over all users, and per user over all staff [ADM-OP-31]', async () => {
    const [first, second, third] = [await server.addUser(), await server.addUser(), await server.addUser()];
    const colleague = await server.signedIn('Admin');
    expect((await give(first.id, 3_000_00)).approval_id).toBe(null);
    expect((await give(second.id, 2_000_00)).approval_id).toBe(null);
    expect((await give(third.id, 1)).approval_id).not.toBe(null);
    expect((await give(first.id, 2_000_01, colleague)).approval_id).not.toBe(null);
    expect((await give(first.id, 2_000_00, colleague)).approval_id).toBe(null);
    expect([await balance(first), await balance(second), await balance(third)]).toEqual([5_000_00, 2_000_00, 0]);
  });

  test('leave the sum after 24 hours, one by one [ADM-OP-31]', async () => {
    const user = await server.addUser();
    await give(user.id, 3_000_00);
    await later(12);
    await give(user.id, 2_000_00);
    await later(11.9);
    expect((await give(user.id, 1)).approval_id).not.toBe(null);
    await later(0.2);
    expect((await give(user.id, 3_000_00)).approval_id).toBe(null);
    expect((await give(user.id, 1)).approval_id).not.toBe(null);
  });

  test('to users of one wallet are gifts to one recipient [ADM-OP-31]', async () => {
    const [owner, member] = [await server.addUser(), await server.addUser()];
    const colleague = await server.signedIn('Admin');
    await admin.client.call(shareWallet, { body: { owner_id: owner.id, user_ids: [member.id] } });
    expect((await give(owner.id, 4_000_00)).approval_id).toBe(null);
    expect((await give(member.id, 1_000_01, colleague)).approval_id).not.toBe(null);
  });

  test('that a second staff member approved use up nothing [ADM-OP-31]', async () => {
    const user = await server.addUser();
    const colleague = await server.signedIn('Admin');
    const { approval_id } = await give(user.id, 9_000_00);
    expect((await approveAs(admin, approval_id)).status).toBe(403);
    expect((await approveAs(colleague, approval_id)).body).toEqual({ balance: 9_000_00 });
    expect((await give(user.id, 5_000_00)).approval_id).toBe(null);
    expect((await give(user.id, 1)).approval_id).not.toBe(null);
    expect(await balance(user)).toBe(14_000_00);
  });

  test('at once never pass the limit together [ADM-OP-31]', async () => {
    const [user, other] = [await server.addUser(), await server.addUser()];
    const colleague = await server.signedIn('Admin');
    const all = Array.from({ length: 12 }, (_, nth) =>
      give(nth % 3 === 0 ? other.id : user.id, 1_000_00, nth % 2 === 0 ? admin : colleague),
    );
    await Promise.all(all);
    expect(await balance(user)).toBeLessThanOrEqual(5_000_00);
    const sums = server.db
      .selectFrom('staff_money_out')
      .select((row) => row.fn.sum<string>('amount').as('sum'))
      .where('staff_id', 'in', [admin.id, colleague.id])
      .groupBy('staff_id');
    for (const { sum } of await sums.execute()) expect(Number(sum)).toBeLessThanOrEqual(5_000_00);
  });

  test('are previewed as they will be, and the page lists what waits [ADM-OP-31]', async () => {
    const user = await server.addUser();
    await give(user.id, 4_000_00);
    const preview = async (amount: number) =>
      (
        await admin.client.call(previewBalance, {
          body: { user_id: user.id, amount: kopecks(amount), action: 'give' },
        })
      ).body.needs_approval;
    expect([await preview(1_000_00), await preview(1_000_01)]).toEqual([false, true]);
    const { approval_id } = await give(user.id, 1_000_01);
    const waiting = (await admin.client.call(approvals)).body.find(({ id }) => id === approval_id);
    expect(waiting).toMatchObject({ action: 'increase', amount: 1_000_01, user: { id: user.id } });
  });
});

describe('a reversal of a balance transaction', () => {
  async function taken(user: { id: number }, amount: number): Promise<number> {
    await admin.client.call(decreaseBalance, { body: { user_id: user.id, amount: kopecks(amount) } });
    const { body } = await admin.client.call(adminUser, { params: { id: String(user.id) } });
    return body.balance_transactions[0]?.id ?? 0;
  }
  const reverse = async (id: number, by: Staff = admin) =>
    (await by.client.call(cancelBalanceTransaction, { body: { id, cancel_payment: false, allow_partial: false } }))
      .body;

  test('that gives to a user counts beside gifts, and waits above the limit [ADM-OP-31]', async () => {
    const user = await server.addUser();
    const colleague = await server.signedIn('Operator');
    await give(user.id, 5_000_00);
    const [first, second] = [await taken(user, 2_000_00), await taken(user, 3_000_00)];
    await later(25);
    await give(user.id, 3_000_00);
    expect(await reverse(first)).toEqual({ reversed: 2_000_00, approval_id: null });
    const waits = await reverse(second);
    expect(waits).toEqual({ reversed: 0, approval_id: expect.any(Number) });
    expect(await balance(user)).toBe(5_000_00);
    expect((await approveAs(colleague, waits.approval_id)).body).toEqual({ balance: 8_000_00 });
  });

  test('that is not possible any more ends its request with the reason [ADM-OP-31]', async () => {
    const user = await server.addUser();
    const [colleague, third] = [await server.signedIn('Admin'), await server.signedIn('Admin')];
    await give(user.id, 5_000_00);
    const transaction = await taken(user, 3_000_00);
    const { approval_id } = await reverse(transaction);
    await later(25);
    expect((await reverse(transaction, third)).reversed).toBe(3_000_00);
    expect((await approveAs(colleague, approval_id)).body).toMatchObject({ code: 'already_reversed' });
    const row = server.db.selectFrom('staff_approvals').select(['outcome', 'ended_because']);
    expect(await row.where('id', '=', Number(approval_id)).executeTakeFirst()).toEqual({
      outcome: 'ended',
      ended_because: 'already_reversed',
    });
    expect(await balance(user)).toBe(5_000_00);
  });

  test('that returns money to the network gives nothing away [ADM-OP-31]', async () => {
    const user = await server.addUser();
    await give(user.id, 5_000_00);
    const { body } = await admin.client.call(adminUser, { params: { id: String(user.id) } });
    expect(await reverse(body.balance_transactions[0]?.id ?? 0)).toEqual({ reversed: 5_000_00, approval_id: null });
  });
});
