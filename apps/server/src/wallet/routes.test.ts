import { cancelPayment } from '@fpay/contract/admin/actions/cancel-payment';
import { kopecks } from '@fpay/contract/money';

import {
  balanceTransactions,
  balanceTransactionTypes,
  cancelBalanceTransaction,
  decreaseBalance,
  dissolveWallet,
  giftBalance,
  giftRecipient,
  increaseBalance,
  shareWallet,
} from '@fpay/contract/wallet';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type MoneyApi, startMoneyApi } from '../payments/testing/money-api.ts';
import { createRateLimits } from '../platform/rate-limits.ts';
import { createGiftProbes } from './gift-probes.ts';

let money: MoneyApi;
beforeAll(async () => {
  money = await startMoneyApi();
  await money.listen();
});
afterAll(() => money.close());

const body = (to: string, amount: number) => ({ body: { to, amount } });
const balance = (user: { id: number }) => money.wallet.balanceOf(user.id);

async function party(isClosed: boolean, ...members: { id: number }[]): Promise<void> {
  const [first] = members;
  const row = await money.db
    .insertInto('parties')
    .values({ name: 'A party', owner_id: first?.id ?? 0, is_closed: isClosed, created_at: money.clock.now() })
    .returning('id')
    .executeTakeFirstOrThrow();
  const joined = members.map(({ id }) => ({ user_id: id, party_id: row.id, joined_at: money.clock.now() }));
  await money.db.insertInto('party_members').values(joined).execute();
}

describe('a gift', () => {
  test('moves money to another user, by phone number and in kopecks [API-35]', async () => {
    const [sender, recipient] = [await money.signedIn(), await money.addUser()];
    await money.give(sender.id, 100_00);
    const answer = await sender.client.call(giftBalance, body(recipient.phone, 30_50));
    expect([answer.status, answer.body]).toEqual([200, { balance: 69_50 }]);
    expect([await balance(sender), await balance(recipient)]).toEqual([69_50, 30_50]);
  });

  test('repeated under the same signature is made once and answered the same', async () => {
    const [sender, recipient] = [await money.signedIn(), await money.addUser()];
    await money.give(sender.id, 40_00);
    const nonce = 'a-gift-made-only-once';
    for (const _ of [1, 2, 3]) {
      const answer = await sender.client.call(giftBalance, body(recipient.phone, 30_00), { nonce });
      expect([answer.status, answer.body]).toEqual([200, { balance: 10_00 }]);
    }
    expect(await balance(recipient)).toBe(30_00);
  });

  test('to a guest or a banned user is refused with 403 [BAL-12]', async () => {
    const sender = await money.signedIn();
    await money.give(sender.id, 100_00);
    const guest = await money.addUser('Guest', '+380930000001');
    const banned = await money.addUser('Banned');
    for (const { phone } of [guest, banned]) {
      const answer = await sender.client.call(giftBalance, body(phone, 1_00));
      expect([answer.status, answer.body.message]).toEqual([403, 'You cannot transfer money to this user']);
    }
  });

  test('to an unknown number is 404; to one’s own, to a bad number, of a bad amount is 422 and says which [BAL-12]', async () => {
    const sender = await money.signedIn();
    await money.give(sender.id, 100_00);
    const other = await money.addUser();
    const outcome = async (to: string, amount: number) => {
      const answer = await sender.client.call(giftBalance, body(to, amount));
      return [answer.status, Object.keys(answer.body.errors ?? {})];
    };
    expect(await outcome('+380671234567', 1_00)).toEqual([404, []]);
    expect(await outcome(sender.phone, 1_00)).toEqual([422, ['to']]);
    expect(await outcome('0671234567', 1_00)).toEqual([422, ['to']]);
    expect(await outcome('+38', 1_00)).toEqual([422, ['to']]);
    for (const amount of [0, -5, 1.5]) expect(await outcome(other.phone, amount)).toEqual([422, ['amount']]);
    expect(await balance(sender)).toBe(100_00);
  });

  test('of more than the balance is 402', async () => {
    const [sender, recipient] = [await money.signedIn(), await money.addUser()];
    const answer = await sender.client.call(giftBalance, body(recipient.phone, 1));
    expect([answer.status, answer.body.message]).toEqual([402, 'Insufficient balance!']);
  });

  test('that the sender cannot pay for is 402 for every recipient, so that numbers cannot be probed', async () => {
    const sender = await money.signedIn();
    const [known, banned] = [await money.addUser(), await money.addUser('Banned')];
    for (const phone of [known.phone, banned.phone, '+380671234567', sender.phone]) {
      expect((await sender.client.call(giftBalance, body(phone, 1_00))).status).toBe(402);
    }
  });

  test('to unknown numbers is answered 20 times a minute for an address; then known numbers get 429 too', async () => {
    money.manual.advance(61_000);
    const [sender, neighbour, recipient] = [await money.signedIn(), await money.signedIn(), await money.addUser()];
    for (const { id } of [sender, neighbour]) await money.give(id, 100_00);
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => sender.client.call(giftBalance, body(`+3806712300${10 + index}`, 1_00))),
    );
    expect(Map.groupBy(answers, ({ status }) => status)).toEqual(
      new Map([
        [404, expect.objectContaining({ length: 20 })],
        [429, expect.objectContaining({ length: 10 })],
      ]),
    );
    expect((await sender.client.call(giftBalance, body(recipient.phone, 1_00))).status).toBe(429);
    const refused = await neighbour.client.call(giftRecipient, { body: { to: recipient.phone } });
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    money.manual.advance(61_000);
    expect((await sender.client.call(giftBalance, body(recipient.phone, 1_00))).status).toBe(200);
  });

  test('is preceded by the recipient’s masked name, or refused as the gift would be', async () => {
    const [sender, member] = [await money.signedIn(), await money.signedIn()];
    const [guest, outside] = [await money.addUser('Guest', '+380930000002'), await money.addUser()];
    await money.db.updateTable('users').set({ name: 'Олена Коваль' }).where('id', '=', outside.id).execute();
    const ask = async (from: typeof sender, to: string) => {
      const answer = await from.client.call(giftRecipient, { body: { to } });
      return [answer.status, answer.body.name ?? answer.body.code];
    };
    expect(await ask(sender, outside.phone)).toEqual([200, 'Ол… К.']);
    expect(await ask(sender, '+380671234567')).toEqual([404, 'user_not_found']);
    expect(await ask(sender, guest.phone)).toEqual([403, 'transfer_refused']);
    expect(await ask(sender, sender.phone)).toEqual([422, 'invalid_input']);
    await party(true, member);
    expect(await ask(member, outside.phone)).toEqual([403, 'transfer_refused']);
    expect((await sender.client.call(giftRecipient, { body: { to: '0671234567' } })).status).toBe(422);
    money.manual.advance(61_000);
    const statuses = [];
    for (let time = 0; time < 21; time += 1) statuses.push((await ask(sender, outside.phone))[0]);
    expect(statuses).toEqual([...Array(20).fill(200), 429]);
    money.manual.advance(61_000);
  });

  test('is limited for a user at all addresses together', async () => {
    const { count } = createGiftProbes(createRateLimits(money.db, money.clock));
    const user = (await money.addUser()).id;
    for (let time = 0; time < 20; time += 1) await count({ user, address: `10.0.0.${time}` });
    await expect(count({ user, address: '10.0.0.99' })).rejects.toThrow('Too Many Attempts.');
  });

  test('stops at the daily limit, however many come at once, and goes on the next day [BAL-16]', async () => {
    const [sender, recipient] = [await money.signedIn(), await money.addUser()];
    await money.give(sender.id, 30_000_00);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => sender.client.call(giftBalance, body(recipient.phone, 2_500_00))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 403, 403]);
    expect(await balance(recipient)).toBe(10_000_00);
    money.manual.advance(24 * 60 * 60_000);
    expect((await sender.client.call(giftBalance, body(recipient.phone, 2_500_00))).status).toBe(200);
  });

  test('stops where the setting says [BAL-16]', async () => {
    const small = await startMoneyApi({ giftsPerDay: 25_00 });
    await small.listen();
    onTestFinished(() => small.close());
    const [sender, recipient] = [await small.signedIn(), await small.addUser()];
    await small.give(sender.id, 100_00);
    const send = async (amount: number) =>
      (await sender.client.call(giftBalance, body(recipient.phone, amount))).status;
    expect([await send(25_01), await send(20_00), await send(5_01), await send(5_00)]).toEqual([403, 200, 403, 200]);
    expect(await small.wallet.balanceOf(recipient.id)).toBe(25_00);
  });

  test('does not cross the border of a closed party, in either direction; inside it, and with an open party, it is allowed [PARTY-18]', async () => {
    const [owner, member, outsider] = [await money.signedIn(), await money.signedIn(), await money.signedIn()];
    for (const { id } of [owner, member, outsider]) await money.give(id, 100_00);
    await party(true, owner, member);
    const status = async (from: typeof owner, to: typeof owner) =>
      (await from.client.call(giftBalance, body(to.phone, 1_00))).status;
    expect([await status(member, outsider), await status(outsider, member)]).toEqual([403, 403]);
    expect([await status(owner, member), await status(member, owner)]).toEqual([200, 200]);
    await money.db.updateTable('parties').set({ is_closed: false }).where('owner_id', '=', owner.id).execute();
    expect([await status(member, outsider), await status(outsider, member)]).toEqual([200, 200]);
    // The product opens a party only together with a return to the owner; the books of the other tests have none.
    await money.db.updateTable('parties').set({ is_closed: true }).where('owner_id', '=', owner.id).execute();
  });

  test('of a party’s money: it returns to the owner in one step, and the member’s own stays [PARTY-18]', async () => {
    const [owner, member] = [await money.signedIn(), await money.signedIn()];
    await money.give(owner.id, 42_00);
    await money.give(member.id, 7_00);
    await party(true, owner, member);
    expect((await owner.client.call(giftBalance, body(member.phone, 42_00))).status).toBe(200);
    const returned = await money.steps.run((step) =>
      money.gifts.returnToOwner(step, { member: member.id, owner: owner.id }),
    );
    expect([returned, await balance(member), await balance(owner)]).toEqual([42_00, 7_00, 42_00]);
  });
});

describe('a shared wallet', () => {
  test('is used for payments by all its users, for gifts only by its owner, and all of them get its balance [BAL-15]', async () => {
    const admin = await money.signedIn('Admin');
    const [owner, member, other] = [await money.signedIn(), await money.signedIn(), await money.addUser()];
    await money.give(owner.id, 100_00);
    await money.give(member.id, 7_00);
    const shared = await admin.client.call(shareWallet, { body: { owner_id: owner.id, user_ids: [member.id] } });
    expect([shared.status, shared.body]).toEqual([200, { wallet_id: owner.wallet }]);
    expect(await balance(member)).toBe(100_00);

    const operation = await money.addOperation(member.id, { deposit: 60_00 });
    await money.steps.run((step) =>
      money.payments.service.openHold(step, {
        operation,
        user: member.id,
        method: 'bonuses',
        deposit: kopecks(60_00),
        description: 'Charging at F1001',
      }),
    );
    expect(await balance(owner)).toBe(40_00);
    expect(await money.ledger.usersOf(owner.wallet as never)).toEqual({ users: [owner.id, member.id], balance: 40_00 });

    expect((await member.client.call(giftBalance, body(other.phone, 1_00))).status).toBe(403);
    expect((await owner.client.call(giftBalance, body(other.phone, 1_00))).status).toBe(200);

    expect((await admin.client.call(dissolveWallet, { body: { owner_id: owner.id } })).status).toBe(200);
    expect([await balance(owner), await balance(member)]).toEqual([39_00, 7_00]);
  });

  test('is refused for users on two sides of a closed party’s border, and for a wallet that is already shared [BAL-17]', async () => {
    const admin = await money.signedIn('Admin');
    const [owner, inside, outside] = [await money.addUser(), await money.addUser(), await money.addUser()];
    await party(true, owner, inside);
    const share = (user_ids: number[], owner_id = owner.id) =>
      admin.client.call(shareWallet, { body: { owner_id, user_ids } });
    expect((await share([outside.id])).status).toBe(409);
    expect((await share([inside.id])).status).toBe(200);
    expect((await share([outside.id], inside.id)).status).toBe(409);
  });
});

describe('balance transactions', () => {
  test('are those of the wallet, newest first, with the sign from its side and their subject [API-34] [ENT-19] [ENT-20] [ENT-21]', async () => {
    const admin = await money.signedIn('Admin');
    const [user, friend] = [await money.signedIn(), await money.signedIn()];
    await admin.client.call(increaseBalance, { body: { user_id: user.id, amount: 500_00 } });
    await user.client.call(giftBalance, body(friend.phone, 20_00));
    await friend.client.call(giftBalance, body(user.phone, 5_00));
    const topUp = await money.topUp(user.id, 100_00);
    await money.atBank(topUp.invoice, 'pay');
    await money.payments.service.lookNow(topUp.id);
    await money.runDue();
    const operation = await money.addOperation(user.id, { deposit: 60_00 });
    const held = await money.steps.run((step) =>
      money.payments.service.openHold(step, {
        operation,
        user: user.id,
        method: 'bonuses',
        deposit: kopecks(60_00),
        description: 'Charging',
      }),
    );
    await money.capture(held.id, 45_00);
    await money.steps.run((step) =>
      money.wallet.reward(step, { promo: 1, operation, user: user.id, amount: kopecks(40_00) }),
    );

    const { body: list } = await user.client.call(balanceTransactions, { query: {} });
    const nothing = {
      admin_id: null,
      charging_operation_id: null,
      invoice_id: null,
      recipient: null,
      sender: null,
      reversed_transaction_id: null,
      promo_id: null,
    };
    expect(list.map(({ type, amount, context }) => ({ type, amount, context }))).toEqual([
      { type: 'promo', amount: 40_00, context: { ...nothing, promo_id: 1, charging_operation_id: operation } },
      { type: 'operation_return', amount: 15_00, context: { ...nothing, charging_operation_id: operation } },
      { type: 'operation_payment', amount: -60_00, context: { ...nothing, charging_operation_id: operation } },
      { type: 'deposit', amount: 100_00, context: { ...nothing, invoice_id: topUp.id } },
      { type: 'gift_from', amount: 5_00, context: { ...nothing, sender: friend.phone } },
      { type: 'gift_to', amount: -20_00, context: { ...nothing, recipient: friend.phone } },
      { type: 'admin', amount: 500_00, context: { ...nothing, admin_id: admin.id } },
    ]);
    expect(list.reduce((sum, { amount }) => sum + amount, 0)).toBe(await balance(user));
    expect(list[0]).toMatchObject({
      date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      time: expect.stringMatching(/^\d\d:\d\d$/),
    });

    const taken = list[6]?.id ?? 0;
    await admin.client.call(cancelBalanceTransaction, {
      body: { id: taken, cancel_payment: false, allow_partial: true },
    });
    const { body: after } = await user.client.call(balanceTransactions, { query: {} });
    expect(after[0]).toMatchObject({
      type: 'payment_reversal',
      amount: -500_00,
      context: { reversed_transaction_id: taken },
    });
    const types = new Set(after.map(({ type }) => type));
    expect(balanceTransactionTypes.filter((type) => !types.has(type))).toEqual([]);
  });

  test('come page by page', async () => {
    const user = await money.signedIn();
    for (let amount = 1; amount <= 5; amount += 1) await money.give(user.id, amount);
    const page = async (query: object) =>
      (await user.client.call(balanceTransactions, { query })).body.map(({ id, amount }) => ({
        id,
        amount: amount as number,
      }));
    const first = await page({ limit: '2' });
    expect(first.map(({ amount }) => amount)).toEqual([5, 4]);
    const second = await page({ limit: '2', before: String(first[1]?.id) });
    expect(second.map(({ amount }) => amount)).toEqual([3, 2]);
    expect((await user.client.call(balanceTransactions, { query: { limit: 'all' } })).status).toBe(422);
  });

  test('are not for guests', async () => {
    const guest = await money.signedIn('Guest');
    expect((await guest.client.call(balanceTransactions, { query: {} })).status).toBe(403);
    expect((await guest.client.call(giftBalance, body('+380501112233', 1_00))).status).toBe(403);
  });
});

describe('staff', () => {
  test('credit and debit balances, with a record, within the limits and never below zero [API-82]', async () => {
    const [admin, user] = [await money.signedIn('Admin'), await money.addUser()];
    const give = (amount: number, user_id = user.id) =>
      admin.client.call(increaseBalance, { body: { user_id, amount } });
    const take = (amount: number) => admin.client.call(decreaseBalance, { body: { user_id: user.id, amount } });
    expect((await give(5_000_00)).body).toEqual({ balance: 5_000_00, approval_id: null });
    expect((await take(4_000_00)).body).toEqual({ balance: 1_000_00, approval_id: null });
    expect((await take(2_000_00)).status).toBe(402);
    expect([(await give(1_000_001)).status, (await give(0)).status, (await give(5, 987_654)).status]).toEqual([
      422, 422, 404,
    ]);
    const records = await money.db
      .selectFrom('audit')
      .select(['staff_id', 'action', 'after'])
      .where('subject_id', '=', String(user.id))
      .where('subject_kind', '=', 'user')
      .orderBy('id')
      .execute();
    expect(records).toEqual([
      { staff_id: admin.id, action: 'balance.increase', after: { amount: 5_000_00 } },
      { staff_id: admin.id, action: 'balance.decrease', after: { amount: 4_000_00 } },
    ]);
  });

  test('neither credit nor debit themselves, nor reverse what their own wallet paid', async () => {
    const [admin, friend] = [await money.signedIn('Admin'), await money.signedIn()];
    await money.give(admin.id, 100_00);
    await money.give(friend.id, 100_00);
    const own = { body: { user_id: admin.id, amount: 5_00 } };
    for (const call of [increaseBalance, decreaseBalance]) {
      expect(await admin.client.call(call, own)).toMatchObject({ status: 403, body: { code: 'own_balance' } });
    }
    await admin.client.call(giftBalance, body(friend.phone, 20_00));
    const { body: list } = await admin.client.call(balanceTransactions, { query: {} });
    const cancel = { body: { id: list[0]?.id ?? 0, cancel_payment: false, allow_partial: true } };
    expect(await admin.client.call(cancelBalanceTransaction, cancel)).toMatchObject({ status: 403 });
    // A wallet that they share counts as their own.
    await money.db.updateTable('users').set({ wallet_id: friend.wallet }).where('id', '=', admin.id).execute();
    const shared = { body: { user_id: friend.id, amount: 5_00 } };
    expect(await admin.client.call(increaseBalance, shared)).toMatchObject({ status: 403 });
    expect(await money.wallet.balanceOf(friend.id)).toBe(120_00);
  });

  test('need the permission for each call', async () => {
    const [support, operator] = [await money.signedIn('Support'), await money.signedIn('Operator')];
    const { id } = await money.addUser();
    expect((await operator.client.call(increaseBalance, { body: { user_id: id, amount: 1 } })).status).toBe(403);
    const cancel = { body: { id: 1, cancel_payment: false, allow_partial: true } };
    expect((await support.client.call(cancelBalanceTransaction, cancel)).status).toBe(403);
  });

  test('cancel a gift: it returns completely, or in part when allowed, otherwise nothing is moved [ADM-USR-10] [ADM-USR-21] [API-79]', async () => {
    const [operator, sender, recipient] = [
      await money.signedIn('Operator'),
      await money.signedIn(),
      await money.signedIn(),
    ];
    const third = await money.addUser();
    await money.give(sender.id, 100_00);
    await sender.client.call(giftBalance, body(recipient.phone, 60_00));
    await recipient.client.call(giftBalance, body(third.phone, 45_00));
    const { body: list } = await sender.client.call(balanceTransactions, { query: {} });
    const id = list[0]?.id ?? 0;
    const cancel = (cancel_payment: boolean, allow_partial: boolean) =>
      operator.client.call(cancelBalanceTransaction, { body: { id, cancel_payment, allow_partial } });

    expect((await cancel(true, true)).status).toBe(422);
    expect((await cancel(true, false)).status).toBe(409);
    expect([await balance(sender), await balance(recipient)]).toEqual([40_00, 15_00]);
    const partial = await cancel(false, true);
    expect([partial.status, partial.body]).toEqual([200, { reversed: 15_00, approval_id: null }]);
    expect([await balance(sender), await balance(recipient)]).toEqual([55_00, 0]);
    expect(await cancel(false, true)).toMatchObject({ status: 409, body: { code: 'already_reversed' } });
    expect(
      (
        await operator.client.call(cancelBalanceTransaction, {
          body: { id: 9_999_999, cancel_payment: false, allow_partial: true },
        })
      ).status,
    ).toBe(404);
    expect(await money.faults()).toEqual([]);
  });

  test('cancel a top-up to the card: out of the wallet at once, out of clearing when the bank has done it [ADM-USR-22]', async () => {
    const [operator, user] = [await money.signedIn('Operator'), await money.signedIn()];
    const topUp = await money.topUp(user.id, 200_00);
    await money.atBank(topUp.invoice, 'pay');
    await money.payments.service.lookNow(topUp.id);
    await money.runDue();
    const { body: list } = await user.client.call(balanceTransactions, { query: {} });
    const request = { body: { id: list[0]?.id ?? 0, cancel_payment: true, allow_partial: false } };
    const answer = await operator.client.call(cancelBalanceTransaction, request);
    expect([answer.status, answer.body, await balance(user)]).toEqual([
      200,
      { reversed: 200_00, approval_id: null },
      0,
    ]);
    expect(await money.payment(topUp.id)).toMatchObject({ refunded: 0 });
    expect(await operator.client.call(cancelBalanceTransaction, request)).toMatchObject({ status: 409 });
    await money.runDue();
    await money.pass(5_000);
    expect(await money.payment(topUp.id)).toMatchObject({ state: 'reversed', refunded: 200_00 });
    expect(await money.faults()).toEqual([]);
  });

  test('do not return a top-up to the card after they took it out of the wallet, and the other way round', async () => {
    const [operator, user] = [await money.signedIn('Operator'), await money.signedIn()];
    await money.give(user.id, 500_00);
    const paid = async () => {
      const topUp = await money.topUp(user.id, 200_00);
      await money.atBank(topUp.invoice, 'pay');
      await money.payments.service.lookNow(topUp.id);
      await money.runDue();
      const { body: list } = await user.client.call(balanceTransactions, { query: {} });
      return { payment: { params: { paymentId: String(topUp.id) }, body: {} }, transaction: list[0]?.id ?? 0 };
    };
    const undo = (id: number) =>
      operator.client.call(cancelBalanceTransaction, { body: { id, cancel_payment: false, allow_partial: true } });

    const taken = await paid();
    expect((await undo(taken.transaction)).status).toBe(200);
    expect(await operator.client.call(cancelPayment, taken.payment)).toMatchObject({
      status: 409,
      body: { code: 'already_reversed' },
    });
    const returned = await paid();
    expect((await operator.client.call(cancelPayment, returned.payment)).status).toBe(200);
    expect(await undo(returned.transaction)).toMatchObject({ status: 409, body: { code: 'already_reversed' } });
    expect(await balance(user)).toBe(500_00);
  });

  test('cancel a top-up to the card: when the bank refuses, the money is back in the wallet [ADM-USR-22]', async () => {
    const [operator, user] = [await money.signedIn('Operator'), await money.signedIn()];
    const topUp = await money.topUp(user.id, 200_00);
    await money.atBank(topUp.invoice, 'pay');
    await money.payments.service.lookNow(topUp.id);
    await money.runDue();
    await money.switchBank({ reference: `FPAY-${topUp.id}`, cancelEndsIn: 'failure' });
    const { body: list } = await user.client.call(balanceTransactions, { query: {} });
    const request = { body: { id: list[0]?.id ?? 0, cancel_payment: true, allow_partial: false } };
    await operator.client.call(cancelBalanceTransaction, request);
    await money.runDue();
    await money.pass(5_000);
    expect([await balance(user), (await money.payment(topUp.id)).state]).toEqual([200_00, 'success']);
    expect(await money.faults()).toEqual([]);
  });
});
