import { kopecks } from '@fpay/contract/money';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { figure } from './testing/figures.ts';
import { keptLog } from './testing/kept-log.ts';
import { addOperation } from './testing/operation.ts';
import { asOwner, poison } from './testing/poison.ts';
import { startWorld, type World } from './testing/world.ts';

/** Of every loop beside charging one row is poisoned; the others must be served all the same. */
const { log, lines } = keptLog();
let world: World;
beforeAll(async () => {
  world = await startWorld({ log });
});
afterAll(() => world.close());
beforeEach(() => void lines.splice(0));

const failures = (loop: string) => figure(world, 'fpay_row_failures_total', `{loop="${loop}"}`);
async function expectFailed(loop: string, id: number | string): Promise<void> {
  expect(lines).toContainEqual(expect.objectContaining({ level: 50, msg: 'row failed', loop, id }));
  expect(await failures(loop)).toBeGreaterThan(0);
}

async function orphanHold(reference: string): Promise<string> {
  const opened = await world.bank.open({
    reference,
    amount: kopecks(30_00),
    kind: 'hold',
    description: 'Charging',
    redirectUrl: 'https://fpay.test/',
    validSeconds: 900,
    goods: null,
  });
  if (opened.kind !== 'done') throw new Error(`no invoice: ${opened.reason}`);
  await world.payAtBank(opened.value.pageUrl);
  return opened.value.invoice;
}

test('reconciliation: a line that cannot be noted keeps no other line of the statement from being compared', async () => {
  const [bad, good] = [await orphanHold('FPAY-900001'), await orphanHold('FPAY-900002')];
  await poison(world.database, 'money_anomalies', `new.subject = '${bad}'`);
  await world.payments.reconcile(new Date());
  const found = await world.payments.anomalies.open({ limit: 100 });
  expect(found.map(({ subject }) => subject)).toContain(good);
  await expectFailed('reconciliation.line', bad);
});

test('reconciliation: a payment that the statement lacks and that cannot be noted keeps no other from being noted', async () => {
  const { id: user } = await world.driver(100_00);
  const { wallet_id } = await world.db
    .selectFrom('users')
    .select('wallet_id')
    .where('id', '=', user)
    .executeTakeFirstOrThrow();
  const ids: number[] = [];
  for (const index of [1, 2]) {
    const { id } = await world.db
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
      world.database,
      `insert into transfers (key, kind, from_account, to_account, amount, payment_id, created_at)
       values ('absent:${id}', 'deposit', 1, ${wallet_id}, 100, ${id}, now() - interval '1 hour')`,
    );
    ids.push(id);
  }
  const [bad = 0, good = 0] = ids;
  await poison(world.database, 'money_anomalies', `new.payment_id = ${bad}`);
  await world.payments.reconcile(new Date(Date.now() - 3_600_000));
  const found = await world.payments.anomalies.open({ limit: 100 });
  expect(found.map(({ payment_id }) => payment_id)).toContain(good);
  await expectFailed('reconciliation.absent', bad);
});

test('messages: a notice that cannot be written keeps no other driver from getting theirs', async () => {
  const ids: number[] = [];
  for (const _ of ['bad', 'good']) {
    const { id } = await world.addUser();
    await sql`update users set telegram_id = ${800_000_000 + id} where id = ${id}`.execute(world.db);
    ids.push(await addOperation(world, id, 'ongoing'));
  }
  const [bad = 0, good = 0] = ids;
  await poison(world.database, 'notices', `new.operation_id = ${bad}`);
  await world.messages.sweep();
  const sent = await world.db.selectFrom('notices').select('operation_id').where('operation_id', 'in', ids).execute();
  expect(sent).toEqual([{ operation_id: good }]);
  await expectFailed('messages.notice', bad);
});

async function guests(count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let index = 0; index < count; index += 1) ids.push((await world.addUser('Guest')).id);
  await sql`update users set is_temporary = true, created_at = now() - interval '31 days'
    where id = any(${ids}::bigint[])`.execute(world.db);
  return ids;
}

test('accounts: a guest who cannot be removed keeps no other old guest in the database', async () => {
  const [bad = 0, good = 0] = await guests(2);
  await poison(world.database, 'users', `new.id = ${bad}`);
  await world.accounts.nightly();
  const left = await world.db.selectFrom('users').select('id').where('id', 'in', [bad, good]).execute();
  expect(left).toEqual([{ id: bad }]);
  await expectFailed('account.guest', bad);
});

test('accounts: operations of a guest who joined follow, although those of another cannot', async () => {
  const [bad = 0, good = 0] = await guests(2);
  const { id: account } = await world.addUser();
  await sql`update users set joined_id = ${account} where id in (${bad}, ${good})`.execute(world.db);
  const stays = await addOperation(world, bad, 'finished');
  const follows = await addOperation(world, good, 'finished');
  await poison(world.database, 'operations', `new.id = ${stays}`);
  await world.accounts.sweep();
  const rows = await world.db.selectFrom('operations').select('user_id').where('id', '=', follows).execute();
  expect(rows).toEqual([{ user_id: account }]);
  await expectFailed('account.follow', bad);
});

test('events: a listener that throws at one event keeps it from no other listener, and no other event from it', async () => {
  const heard: string[] = [];
  const ends = [
    world.outbox.subscribe(({ topic, ref }) => {
      if (topic === 'poison' && ref === '1') throw new Error('this event is poisoned');
      if (topic === 'poison') heard.push(`first:${ref}`);
    }),
    world.outbox.subscribe(({ topic, ref }) => void (topic === 'poison' && heard.push(`second:${ref}`))),
  ];
  await world.steps.run(async (step) => {
    for (const ref of [1, 2]) step.tell('poison', ref);
  });
  await vi.waitFor(() => expect(heard.sort()).toEqual(['first:2', 'second:1', 'second:2']));
  await expectFailed('outbox.event', 'poison 1');
  for (const end of ends) end();
});

test('a job of which one part fails does the rest, is counted as failed, and the server stays ready', async () => {
  await asOwner(world.database, 'alter table rate_limits rename to rate_limits_away');
  await sql`insert into request_nonces (owner, nonce, request_hash, claimed_until, created_at)
    values ('user:0', 'long-ago', '', now(), now() - interval '2 days')`.execute(world.db);
  const failed = () => figure(world, 'fpay_job_failures_total', '{queue="platform.sweep"}');
  await world.steps.run((step) => world.jobs.send(step, 'platform.sweep', {}));
  await vi.waitFor(async () => expect(await failed()).toBeGreaterThan(0), { timeout: 10_000 });
  const left = await world.db.selectFrom('request_nonces').select('nonce').where('nonce', '=', 'long-ago').execute();
  expect(left).toEqual([]);
  expect(lines).toContainEqual(
    expect.objectContaining({ level: 50, msg: 'job failed', queue: 'platform.sweep', job: expect.any(String) }),
  );
  expect((await fetch(`${world.url}/readyz`)).status).toBe(200);
  await asOwner(world.database, 'alter table rate_limits_away rename to rate_limits');
});
