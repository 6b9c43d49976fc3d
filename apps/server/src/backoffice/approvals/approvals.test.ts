import { randomUUID } from 'node:crypto';
import { kopecks } from '@fpay/contract/money';
import type { Role } from '@fpay/contract/roles';
import { increaseBalance } from '@fpay/contract/wallet';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { approvalUserTables } from '../../platform/approval-user-tables.ts';
import { type ApprovalHandler, type Approvals, createApprovals } from '../../platform/approvals.ts';
import { createAudit } from '../../platform/audit.ts';
import { Refusal } from '../../platform/refusal.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

/** The mechanism alone, with a kind whose action is a line in the log of the user. */
let server: TestServer;
let approvals: Approvals;
let changes: number;
let carryOut: ApprovalHandler<'increase'>['carryOut'];
let people: Record<'author' | 'second' | 'user', number>;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

beforeEach(async () => {
  const [author, second, user] = [
    await server.addUser('Admin'),
    await server.addUser('Admin'),
    await server.addUser('Admin'),
  ];
  people = { author: author.id, second: second.id, user: user.id };
  changes = 0;
  const changed = () => {
    changes += 1;
  };
  approvals = createApprovals({ steps: server.steps, audit: createAudit(server.clock), clock: server.clock, changed });
  carryOut = (step, { recipient, worth }, decider) =>
    server.features.accounts.users.note(step, recipient ?? 0, `staff ${decider}`, `did ${worth}`);
  approvals.on('increase', {
    calls: [increaseBalance],
    area: 'balance',
    async refuseDecider(_step, { recipient }, decider) {
      if (recipient === decider) throw new Refusal('own_balance');
    },
    carryOut: (...given) => carryOut(...given),
  });
});

const ask = (requestKey: string = randomUUID()) =>
  server.steps.run((step) =>
    approvals.request(step, {
      kind: 'increase',
      subject: { kind: 'user', id: people.user },
      worth: kopecks(7_000_00),
      recipient: people.user,
      payload: {},
      reason: 'Paid twice',
      staff: people.author,
      requestKey,
    }),
  );
const by = (who: keyof typeof people, role: Role = 'Admin') => ({ id: people[who], role });
const row = (id: number) =>
  server.db.selectFrom('staff_approvals').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const refusalOf = (work: Promise<unknown>) => work.then(() => null).catch(({ code }: Refusal) => code);
const lines = async () => {
  const found = server.db.selectFrom('user_log').select('text').where('user_id', '=', people.user).orderBy('id');
  return (await found.execute()).map(({ text }) => text).filter((text) => text.startsWith('did '));
};

test('one request is one row, is carried out once in the step of its decision, and is on record', async () => {
  const id = await ask('the same');
  expect(await ask('the same')).toBe(id);
  const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => approvals.approve(id, by('second'))));
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
  expect(await lines()).toEqual(['did 700000']);
  expect(await row(id)).toMatchObject({ outcome: 'approved', decided_by: people.second, ended_because: null });
  expect(changes).toBeGreaterThanOrEqual(2);
  const records = server.db
    .selectFrom('audit')
    .select(['staff_id', 'action', 'after'])
    .where('subject_kind', '=', 'user');
  expect(await records.where('subject_id', '=', String(people.user)).orderBy('id').execute()).toEqual([
    { staff_id: people.author, action: 'balance.request-increase', after: { amount: 7_000_00, approval: id } },
    {
      staff_id: people.second,
      action: 'balance.approve-increase',
      after: { amount: 7_000_00, approval: id, requested_by: people.author },
    },
  ]);
});

test('the reason of a decided request goes with the account, and nothing else of it changes', async () => {
  const id = await ask();
  const change = (reason: string | null) =>
    server.db.updateTable('staff_approvals').set({ reason }).where('id', '=', id).execute();
  await expect(change('Another')).rejects.toThrow('cannot be changed');
  await approvals.approve(id, by('second'));
  await expect(change('Another')).rejects.toThrow('is decided');
  const before = await row(id);
  expect(before.reason).toBe('Paid twice');
  const { onUserDeleted } = approvalUserTables.staff_approvals ?? {};
  if (typeof onUserDeleted === 'function') await server.steps.run((step) => onUserDeleted(step, people.user));
  expect(await row(id)).toEqual({ ...before, reason: null });
});

test('the permission of the action decides, never the author, and never somebody who profits', async () => {
  const id = await ask();
  expect([
    await refusalOf(approvals.approve(id, by('second', 'Operator'))),
    await refusalOf(approvals.decline(id, by('second', 'Support'))),
    await refusalOf(approvals.approve(id, by('author'))),
    await refusalOf(approvals.approve(id, by('user'))),
    await refusalOf(approvals.approve(999_999, by('second'))),
  ]).toEqual(['forbidden', 'forbidden', 'own_request', 'own_balance', 'not_found']);
  expect(await row(id)).toMatchObject({ outcome: null, decided_by: null });
  expect([approvals.kindsOf('Operator'), approvals.kindsOf('Admin')]).toEqual([[], ['increase']]);
  await approvals.decline(id, by('author'));
  expect(await row(id)).toMatchObject({ outcome: 'declined', decided_by: people.author });
  expect(await refusalOf(approvals.approve(id, by('second')))).toBe('action_not_applicable');
});

test('an action that is not possible any more changes nothing and ends its request with the reason', async () => {
  const id = await ask();
  carryOut = async (step) => {
    await server.features.accounts.users.note(step, people.user, 'staff', 'did half of it');
    throw new Refusal('insufficient_balance');
  };
  expect(await refusalOf(approvals.approve(id, by('second')))).toBe('insufficient_balance');
  expect(await lines()).toEqual([]);
  expect(await row(id)).toMatchObject({
    outcome: 'ended',
    ended_because: 'insufficient_balance',
    decided_by: people.second,
  });
});

test('an error of ours decides nothing', async () => {
  const id = await ask();
  carryOut = () => Promise.reject(new Error('a bug'));
  await expect(approvals.approve(id, by('second'))).rejects.toThrow('a bug');
  expect((await row(id)).outcome).toBe(null);
});

test('a request cannot be changed, a decision cannot be taken back, and neither can be deleted', async () => {
  const id = await ask();
  await expect(sql`update staff_approvals set worth = 1 where id = ${id}`.execute(server.db)).rejects.toThrow();
  await approvals.decline(id, by('second'));
  await expect(
    sql`update staff_approvals set outcome = 'approved' where id = ${id}`.execute(server.db),
  ).rejects.toThrow();
  await expect(sql`delete from staff_approvals where id = ${id}`.execute(server.db)).rejects.toThrow();
});
