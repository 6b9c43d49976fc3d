import { randomUUID } from 'node:crypto';
import { forceOperationStatus } from '@fpay/contract/admin/actions/force-status';
import { approvals, approve } from '@fpay/contract/admin/approvals';
import { auditList } from '@fpay/contract/admin/audit';
import { actionRecords } from '@fpay/contract/admin/operation-actions';
import { type ListedReason, longestReason, saveStaffReasons, staffReasons } from '@fpay/contract/admin/reasons';
import { banUser, unbanUser } from '@fpay/contract/admin/users';
import { languages } from '@fpay/contract/languages';
import { cancelBalanceTransaction, decreaseBalance, increaseBalance } from '@fpay/contract/wallet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOperation } from '../../testing/operation.ts';
import { type Stack, startStack } from '../../testing/stack.ts';

let stack: Stack;
let boss: Awaited<ReturnType<Stack['signedIn']>>;
let second: Awaited<ReturnType<Stack['signedIn']>>;
beforeAll(async () => {
  stack = await startStack();
  boss = await stack.signedIn('SuperAdmin');
  second = await stack.signedIn('SuperAdmin');
}, 60_000);
afterAll(() => stack.close());

/** The newest record of this action, as the audit page gets it. */
async function lastOf(action: string) {
  const { body } = await boss.client.call(auditList, { query: { action, limit: '1' } });
  return body[0]?.personal;
}

test('every money action, ban and forced state records its reason, and that none was given', async () => {
  const user = await stack.addUser();
  const money = { user_id: user.id, amount: 5_00 };
  for (const [reason, recorded] of [
    ['  Paid twice ', 'Paid twice'],
    ['   ', null],
    [undefined, null],
  ] as const) {
    const said = reason === undefined ? {} : { reason };
    await boss.client.call(increaseBalance, { body: { ...money, ...said } } as never);
    expect(await lastOf('balance.increase')).toEqual({ reason: recorded });
    await boss.client.call(decreaseBalance, { body: { ...money, ...said } } as never);
    expect(await lastOf('balance.decrease')).toEqual({ reason: recorded });
    await boss.client.call(banUser, { body: { user_id: user.id, ...said } });
    expect(await lastOf('user.ban')).toEqual({ reason: recorded });
    await boss.client.call(unbanUser, { body: { user_id: user.id, ...said } });
    expect(await lastOf('user.unban')).toEqual({ reason: recorded });
    const id = await addOperation(stack, user.id, 'starting');
    const forced = { params: { id: String(id) }, body: { status: 'failed', override: true, ...said } } as const;
    expect((await boss.client.call(forceOperationStatus, forced)).status).toBe(200);
    expect(await lastOf('operation.force-status')).toEqual({ reason: recorded });
  }
  const { id } = await stack.db.selectFrom('transfers').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow();
  const body = { id, cancel_payment: false, allow_partial: false, reason: 'A mistake' };
  expect((await boss.client.call(cancelBalanceTransaction, { body })).status).toBe(200);
  expect(await lastOf('balance.cancel-transaction')).toEqual({ reason: 'A mistake' });
});

test('a reason is at most 500 characters', async () => {
  const { id } = await stack.addUser();
  const send = (length: number) => boss.client.call(banUser, { body: { user_id: id, reason: 'x'.repeat(length) } });
  expect([(await send(longestReason + 1)).status, (await send(longestReason)).status]).toEqual([422, 200]);
});

test('each action that offers reasons takes one, and no other does', () => {
  const takes = actionRecords.map(({ name, reasons, endpoint: { body } }) => {
    const shape = (body as { def?: { shape?: object } } | undefined)?.def?.shape ?? {};
    return [name, reasons !== null, 'reason' in shape];
  });
  expect(takes).toEqual(takes.map(([name, asks]) => [name, asks, asks]));
});

test('the approver sees the reason, and what is carried out has it in its record', async () => {
  const user = await stack.addUser();
  const body = { user_id: user.id, amount: 7_000_00, reason: 'The charge broke off' } as never;
  const asked = await boss.client.call(increaseBalance, { body }, { nonce: randomUUID().slice(0, 22) });
  const id = asked.body.approval_id ?? 0;
  const listed = (await second.client.call(approvals)).body.find((approval) => approval.id === id);
  expect(listed?.reason).toBe('The charge broke off');
  expect(await lastOf('balance.request-increase')).toEqual({ reason: 'The charge broke off' });
  expect((await second.client.call(approve, { params: { id: String(id) } })).status).toBe(200);
  expect(await lastOf('balance.approve-increase')).toEqual({ reason: 'The charge broke off' });
});

const inAll = (text: string) =>
  Object.fromEntries(languages.map((language) => [language, `${text} in ${language}`])) as ListedReason['texts'];

test('the list has first entries for every kind, and is replaced as a whole', async () => {
  const first = (await boss.client.call(staffReasons)).body;
  const kinds = new Set(first.flatMap(({ kinds }) => kinds));
  expect([...kinds].sort()).toEqual(['ban', 'force', 'give', 'refund', 'settle', 'take']);
  const texts = inAll('Thanks');
  const [kept] = first.slice(-1);
  const entry = { id: kept?.id ?? 0, texts: kept?.texts ?? texts, kinds: kept?.kinds ?? [] };
  const body = { reasons: [{ texts, kinds: ['give', 'give'] as ('give' | 'ban')[] }, entry] };
  const saved = await boss.client.call(saveStaffReasons, { body });
  expect(saved.body.map(({ texts: { en }, kinds: of }) => [en, of])).toEqual([
    ['Thanks in en', ['give']],
    [entry.texts.en, entry.kinds],
  ]);
  const support = await stack.signedIn('Support');
  expect((await support.client.call(staffReasons)).body).toEqual(saved.body);
  expect((await support.client.call(saveStaffReasons, { body })).status).toBe(403);
  // A colleague has removed it meanwhile.
  const gone = { reasons: [{ ...entry, id: first[0]?.id ?? 0 }] };
  expect((await boss.client.call(saveStaffReasons, { body: gone })).status).toBe(404);
  const incomplete = { reasons: [{ texts: { ...texts, pl: ' ' }, kinds: [] }] };
  expect((await boss.client.call(saveStaffReasons, { body: incomplete })).status).toBe(422);
});

test('an entry that was written before a language came has its text in the first one', async () => {
  const texts = JSON.stringify({ uk: 'Подяка' });
  await stack.db
    .insertInto('staff_reasons')
    .values({ position: 99, texts, kinds: ['give'] })
    .execute();
  const last = (await boss.client.call(staffReasons)).body.at(-1);
  expect(last?.texts).toEqual(Object.fromEntries(languages.map((language) => [language, 'Подяка'])));
});
