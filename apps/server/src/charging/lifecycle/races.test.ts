import { setTimeout as sleep } from 'node:timers/promises';
import { kopecks } from '@fpay/contract/money';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Refusal } from '../../platform/refusal.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { runsAll } from '../../testing/slice.ts';
import { type Stack, startStack } from '../../testing/stack.ts';
import type { PaymentRequest } from './opening.ts';

/** Two nodes on one database. Each race is run 50 times, ten in parallel, and only the database can decide it. */
let stack: Stack;
let other: TestServer;
let paid: number[];
let free: number[];
beforeAll(async () => {
  stack = await startStack();
  other = await startTestServer({ database: stack.database, env: { BANK_URL: stack.bankUrl } });
  paid = (await stack.addScripted({ connectors: 20 })).connectors;
  free = (await stack.addScripted({ connectors: 20, price: 0 })).connectors;
});
afterAll(async () => {
  await other.close();
  await stack.close();
});

/** Of each race; all of them with `npm test -- --all`. */
const times = runsAll ? 50 : 20;
const atOnce = 10;
let requests = 0;

async function race(run: (lane: number) => Promise<void>): Promise<void> {
  for (let begun = 0; begun < times; begun += atOnce) {
    await Promise.all(Array.from({ length: atOnce }, (_, lane) => run(lane)));
  }
}

/** `done`, or the code of the refusal. Anything else that is thrown is a bug and fails the test. */
async function outcome(work: () => Promise<unknown>): Promise<string> {
  // A random delay makes either of them first.
  await sleep(Math.random() * 4);
  try {
    await work();
    return 'done';
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

function open(node: Pick<TestServer, 'charging'>, user: { id: number }, connector: number, role: 'User' | 'Guest') {
  requests += 1;
  const request: PaymentRequest = {
    connector,
    hundredths: 50_00,
    method: 'card',
    target: 'uah',
    refId: null,
    price: null,
    card: null,
    savesCard: false,
  };
  return node.charging.open({ id: user.id, role }, request, `race:${requests}`);
}

const openOf = (user: number) =>
  stack.db
    .selectFrom('operations')
    .select(['id', 'status'])
    .where('user_id', '=', user)
    .where('status', 'in', ['created', 'pending', 'starting', 'ongoing', 'finishing'])
    .execute();

/** Frees the connectors of this worker for the next run. */
const end = (user: number) =>
  stack.db.updateTable('operations').set({ status: 'canceled' }).where('user_id', '=', user).execute();

/** Steps that the database undid, because two of them waited for each other. */
async function deadlocks(): Promise<number> {
  const figures = await Promise.all(
    [stack, other].map(({ metrics }) => metrics.registry.getSingleMetric('fpay_step_retries_total')?.get()),
  );
  const values = figures.flatMap((figure) => figure?.values ?? []);
  return values.filter(({ labels }) => labels.reason === 'deadlock').reduce((sum, { value }) => sum + value, 0);
}

test('a user who pays by card at two connectors at once has one unpaid operation', async () => {
  await race(async (lane) => {
    const user = await stack.addUser();
    const [first = 0, second = 0] = paid.slice(lane * 2);
    const outcomes = await Promise.all([
      outcome(() => open(stack, user, first, 'User')),
      outcome(() => open(other, user, second, 'User')),
    ]);
    expect((await openOf(user.id)).map(({ status }) => status)).toEqual(['created']);
    expect(outcomes).toContain('done');
    expect(['done', 'operation_open']).toEqual(expect.arrayContaining(outcomes));
    await end(user.id);
  });
  expect(await deadlocks()).toBe(0);
  await stack.checkBooks();
}, 60_000);

test('a step of a payment takes the operation before the payment, so it cannot deadlock with a step of the charge', async () => {
  const user = await stack.addUser();
  await open(stack, user, paid[0] ?? 0, 'User');
  const { id, operation_id } = await stack.db
    .selectFrom('payments')
    .select(['id', 'operation_id'])
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow();
  const isWaiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  let waiting: Promise<unknown> = Promise.resolve();
  await stack.steps.run(async (charge) => {
    await stack.operations.lock(charge, operation_id ?? 0);
    waiting = stack.steps.run((bank) => stack.payments.store.lock(bank, id));
    await vi.waitFor(async () => expect((await isWaiting.execute(stack.db)).rows).toHaveLength(1));
    const taken = charge.db.selectFrom('payments').select('id').where('id', '=', id).forNoKeyUpdate().noWait();
    expect(await taken.execute()).toEqual([{ id }]);
  });
  await waiting;
  await end(user.id);
});

test('the database itself refuses a second unpaid operation of one user', async () => {
  const user = await stack.addUser();
  await open(stack, user, paid[0] ?? 0, 'User');
  const [first] = await stack.db.selectFrom('operations').selectAll().where('user_id', '=', user.id).execute();
  if (!first) throw new Error('no operation was opened');
  // The database gives the number, and computes what was settled.
  const {
    id: _,
    settled_wh: __,
    settled_total: ___,
    ...copy
  } = { ...first, connector_id: paid[1] ?? 0, id_tag: 'SECOND', request_key: null };
  await expect(stack.db.insertInto('operations').values(copy).execute()).rejects.toThrow(
    'operations_one_unpaid_per_user',
  );
  await end(user.id);
});

test('a guest who starts at two free connectors at once has one open operation', async () => {
  await race(async (lane) => {
    const guest = await stack.addUser('Guest');
    const [first = 0, second = 0] = free.slice(lane * 2);
    const outcomes = await Promise.all([
      outcome(() => open(stack, guest, first, 'Guest')),
      outcome(() => open(other, guest, second, 'Guest')),
    ]);
    expect([outcomes.sort(), (await openOf(guest.id)).length]).toEqual([['done', 'operation_open'], 1]);
    await end(guest.id);
  });
}, 60_000);

test('an unpaid operation stays when the new connector turns out to be taken', async () => {
  const [user, neighbour] = [await stack.addUser(), await stack.addUser()];
  await open(stack, neighbour, free[0] ?? 0, 'User');
  await open(stack, user, paid[0] ?? 0, 'User');
  const before = await openOf(user.id);
  expect(await outcome(() => open(other, user, free[0] ?? 0, 'User'))).toBe('connector_taken');
  expect(await openOf(user.id)).toEqual(before);
  await end(user.id);
  await end(neighbour.id);
});

const deletedAt = async (user: number) =>
  (await stack.db.selectFrom('users').select('deleted_at').where('id', '=', user).executeTakeFirst())?.deleted_at;
/** Opening reads much before it decides, so the deletion begins up to 40 ms later and either may be first. */
const leave = (user: number) => sleep(Math.random() * 40).then(() => outcome(() => other.accounts.leaving.leave(user)));

test('an account that is deleted while it opens an operation has no open operation', async () => {
  await race(async (lane) => {
    const user = await stack.addUser();
    const outcomes = await Promise.all([outcome(() => open(stack, user, free[lane] ?? 0, 'User')), leave(user.id)]);
    const isDeleted = Boolean(await deletedAt(user.id));
    expect([outcomes, (await openOf(user.id)).length]).toEqual(
      isDeleted ? [['unauthenticated', 'done'], 0] : [['done', 'account_has_operations'], 1],
    );
    await end(user.id);
  });
}, 60_000);

test('an account that is deleted while it opens a top-up has no open payment', async () => {
  await race(async () => {
    const user = await stack.addUser();
    requests += 1;
    const topUp = { user: user.id, amount: kopecks(50_00), redirectTo: '/balance', requestKey: `top-up:${requests}` };
    const outcomes = await Promise.all([outcome(() => stack.payments.topUps.buy(topUp)), leave(user.id)]);
    const payments = await stack.db.selectFrom('payments').select('id').where('user_id', '=', user.id).execute();
    expect([outcomes, payments.length]).toEqual(
      (await deletedAt(user.id)) ? [['user_not_found', 'done'], 0] : [['done', 'account_has_operations'], 1],
    );
  });
}, 60_000);

test('an account that is deleted while a gift comes has no money', async () => {
  const sender = await stack.driver(1_000_00);
  await race(async () => {
    const user = await stack.addUser();
    requests += 1;
    const gift = { sender: sender.id, to: user.phone, amount: kopecks(1_00), requestKey: `gift:${requests}` };
    const outcomes = await Promise.all([outcome(() => stack.gifts.give(gift)), leave(user.id)]);
    expect([outcomes, await stack.wallet.balanceOf(user.id)]).toEqual(
      (await deletedAt(user.id)) ? [['user_not_found', 'done'], 0] : [['done', 'account_has_balance'], 1_00],
    );
  });
  await stack.checkBooks();
}, 60_000);

test('an account that is deleted while its wallet is shared shares nothing', async () => {
  const staff = await stack.addUser('Admin');
  await race(async () => {
    const [owner, member] = [await stack.addUser(), await stack.addUser()];
    await Promise.all([
      outcome(() => stack.sharedWallets.share(staff.id, owner.id, [member.id])),
      leave(owner.id),
      leave(member.id),
    ]);
    const wallets = await stack.db
      .selectFrom('users')
      .innerJoin('wallets', 'wallets.id', 'users.wallet_id')
      .select(['users.id', 'users.deleted_at', 'wallets.owner_id', 'wallets.is_shared'])
      .where('users.id', 'in', [owner.id, member.id])
      .execute();
    for (const { id, deleted_at, owner_id, is_shared } of wallets) {
      if (deleted_at) expect([owner_id, is_shared]).toEqual([id, false]);
    }
  });
}, 60_000);

test('an account that is deleted while it joins or founds a party is in none', async () => {
  const founder = await stack.addUser();
  const now = new Date();
  const party = await stack.db
    .insertInto('parties')
    .values({ name: 'Race', owner_id: founder.id, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  await race(async (lane) => {
    const user = await stack.addUser();
    const isFounding = lane % 2 === 0;
    const enter = () =>
      stack.steps.run((step) =>
        isFounding
          ? step.db.insertInto('parties').values({ name: 'New', owner_id: user.id, created_at: now }).execute()
          : step.db
              .insertInto('party_members')
              .values({ user_id: user.id, party_id: party.id, joined_at: now })
              .execute(),
      );
    const refused = (error: { constraint?: string }) => expect(error.constraint).toBe('user_not_deleted');
    await Promise.all([
      sleep(Math.random() * 4)
        .then(enter)
        .catch(refused),
      leave(user.id),
    ]);
    if (!(await deletedAt(user.id))) return;
    const owned = await stack.db.selectFrom('parties').select('id').where('owner_id', '=', user.id).execute();
    const joined = await stack.db.selectFrom('party_members').selectAll().where('user_id', '=', user.id).execute();
    expect([owned, joined]).toEqual([[], []]);
  });
}, 60_000);

test('a guest with an unpaid operation who signs in to an account with another keeps the newer one', async () => {
  const [guest, user] = [await stack.addUser('Guest'), await stack.addUser()];
  await stack.db.updateTable('users').set({ is_temporary: true }).where('id', '=', guest.id).execute();
  await open(stack, user, paid[0] ?? 0, 'User');
  await open(stack, guest, paid[1] ?? 0, 'Guest');
  const [wish] = await openOf(guest.id);
  await stack.steps.run((step) => stack.accounts.guests.join(step, guest.id, user.id));
  expect(await openOf(user.id)).toEqual([wish]);
  await end(user.id);
});
