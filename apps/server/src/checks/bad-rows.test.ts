import { kopecks } from '@fpay/contract/money';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { figure } from '../testing/figures.ts';
import { keptLog } from '../testing/kept-log.ts';
import { addOperation } from '../testing/operation.ts';
import { asOwner, poison } from '../testing/poison.ts';
import { type Stack, startStack } from '../testing/stack.ts';

/** One row of every loop outside charging cannot be handled; the others must be handled all the same. */
const { log, lines } = keptLog();
let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ log });
});
afterAll(() => stack.close());
beforeEach(() => void lines.splice(0));

const failures = (loop: string) => figure(stack, 'fpay_row_failures_total', `{loop="${loop}"}`);
async function expectFailed(loop: string, id: number | string): Promise<void> {
  expect(lines).toContainEqual(expect.objectContaining({ level: 50, msg: 'row failed', loop, id }));
  expect(await failures(loop)).toBeGreaterThan(0);
}

async function orphanHold(reference: string): Promise<string> {
  const opened = await stack.bank.open({
    reference,
    amount: kopecks(30_00),
    kind: 'hold',
    description: 'Charging',
    redirectUrl: 'https://fpay.test/',
    validSeconds: 900,
    fiscalItem: null,
  });
  if (opened.kind !== 'done') throw new Error(`no invoice: ${opened.reason}`);
  await stack.payAtBank(opened.value.pageUrl);
  return opened.value.invoice;
}

test('reconciliation: a line that cannot be recorded does not keep other lines of the statement from being compared', async () => {
  const [bad, good] = [await orphanHold('FPAY-900001'), await orphanHold('FPAY-900002')];
  await poison(stack.database, 'money_anomalies', `new.subject = '${bad}'`);
  await stack.payments.reconcile(new Date());
  const found = await stack.payments.anomalies.open({ limit: 100 });
  expect(found.map(({ subject }) => subject)).toContain(good);
  await expectFailed('reconciliation.line', bad);
});

test('reconciliation: a payment missing in the statement that cannot be recorded does not keep others from being recorded', async () => {
  const { id: user } = await stack.driver(100_00);
  const { wallet_id } = await stack.db
    .selectFrom('users')
    .select('wallet_id')
    .where('id', '=', user)
    .executeTakeFirstOrThrow();
  const ids: number[] = [];
  for (const index of [1, 2]) {
    const { id } = await stack.db
      .insertInto('payments')
      .values({
        purpose: 'top_up',
        method: 'bank',
        user_id: user,
        amount: 100,
        captured: 100,
        status: 'success',
        invoice_id: `not-at-the-bank-${index}`,
        description: 'Top-up',
        created_at: new Date(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await asOwner(
      stack.database,
      `insert into transfers (key, kind, from_account, to_account, amount, payment_id, created_at)
       values ('absent:${id}', 'deposit', 1, ${wallet_id}, 100, ${id}, now() - interval '1 hour')`,
    );
    ids.push(id);
  }
  const [bad = 0, good = 0] = ids;
  await poison(stack.database, 'money_anomalies', `new.payment_id = ${bad}`);
  await stack.payments.reconcile(new Date(Date.now() - 3_600_000));
  const found = await stack.payments.anomalies.open({ limit: 100 });
  expect(found.map(({ payment_id }) => payment_id)).toContain(good);
  await expectFailed('reconciliation.absent', bad);
});

test('messages: a notification that cannot be written does not keep other drivers from getting theirs', async () => {
  const ids: number[] = [];
  for (const _ of ['bad', 'good']) {
    const { id } = await stack.addUser();
    await sql`update users set telegram_id = ${800_000_000 + id} where id = ${id}`.execute(stack.db);
    ids.push(await addOperation(stack, id, 'ongoing'));
  }
  const [bad = 0, good = 0] = ids;
  await poison(stack.database, 'notices', `new.operation_id = ${bad}`);
  await stack.messages.sweep();
  const sent = await stack.db.selectFrom('notices').select('operation_id').where('operation_id', 'in', ids).execute();
  expect(sent).toEqual([{ operation_id: good }]);
  await expectFailed('messages.notice', bad);
});

async function guests(count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let index = 0; index < count; index += 1) ids.push((await stack.addUser('Guest')).id);
  await sql`update users set is_temporary = true, created_at = now() - interval '31 days'
    where id = any(${ids}::bigint[])`.execute(stack.db);
  return ids;
}

test('accounts: a guest who cannot be removed does not keep other old guests in the database', async () => {
  const [bad = 0, good = 0] = await guests(2);
  await poison(stack.database, 'users', `new.id = ${bad}`);
  await stack.accounts.nightly();
  const left = await stack.db.selectFrom('users').select('id').where('id', 'in', [bad, good]).execute();
  expect(left).toEqual([{ id: bad }]);
  await expectFailed('account.guest', bad);
});

test('accounts: operations of a guest who signed up are moved, although those of another guest cannot be', async () => {
  const [bad = 0, good = 0] = await guests(2);
  const { id: account } = await stack.addUser();
  await sql`update users set joined_id = ${account} where id in (${bad}, ${good})`.execute(stack.db);
  const stays = await addOperation(stack, bad, 'finished');
  const follows = await addOperation(stack, good, 'finished');
  await poison(stack.database, 'operations', `new.id = ${stays}`);
  await stack.accounts.sweep();
  const rows = await stack.db.selectFrom('operations').select('user_id').where('id', '=', follows).execute();
  expect(rows).toEqual([{ user_id: account }]);
  await expectFailed('account.follow', bad);
});

test('events: a listener that throws at one event does not keep it from other listeners, nor later events from itself', async () => {
  const received: string[] = [];
  const ends = [
    stack.outbox.subscribe('wallet', (ref) => {
      if (ref === '-1') throw new Error('this event is poisoned');
      received.push(`first:${ref}`);
    }),
    stack.outbox.subscribe('wallet', (ref) => received.push(`second:${ref}`)),
  ];
  await stack.steps.run(async (step) => {
    for (const ref of [-1, -2]) step.publish('wallet', ref);
  });
  await vi.waitFor(() => expect(received.sort()).toEqual(['first:-2', 'second:-1', 'second:-2']));
  await expectFailed('outbox.event', 'wallet -1');
  for (const end of ends) end();
});

test('a job with one failing part runs the other parts, counts as failed, and the server stays ready', async () => {
  await asOwner(stack.database, 'alter table rate_limits rename to rate_limits_away');
  await sql`insert into request_nonces (owner, nonce, request_hash, claimed_until, created_at)
    values ('user:0', 'long-ago', '', now(), now() - interval '2 days')`.execute(stack.db);
  const failed = () => figure(stack, 'fpay_job_failures_total', '{queue="platform.sweep"}');
  await stack.steps.run((step) => stack.jobs.send(step, 'platform.sweep', {}));
  await vi.waitFor(async () => expect(await failed()).toBeGreaterThan(0), { timeout: 10_000 });
  const left = await stack.db.selectFrom('request_nonces').select('nonce').where('nonce', '=', 'long-ago').execute();
  expect(left).toEqual([]);
  expect(lines).toContainEqual(
    expect.objectContaining({ level: 50, msg: 'job failed', queue: 'platform.sweep', job: expect.any(String) }),
  );
  expect((await fetch(`${stack.url}/readyz`)).status).toBe(200);
  await asOwner(stack.database, 'alter table rate_limits_away rename to rate_limits');
});
