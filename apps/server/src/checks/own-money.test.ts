import { randomUUID } from 'node:crypto';
import type { Endpoint } from '@fpay/contract/endpoint';
import { isAboutMoney } from '@fpay/contract/endpoint';
import { endpoints } from '@fpay/contract/endpoints';
import { kopecks } from '@fpay/contract/money';
import type { MoneyOf, MoneyOwner } from '@fpay/contract/staff-money';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { Client } from '../testing/client.ts';
import { createDice } from '../testing/fuzz/dice.ts';
import { createValues } from '../testing/fuzz/values.ts';
import { addOperation } from '../testing/operation.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

/** Every call of staff that is about money, with money of the caller and with money of somebody else. */
let server: TestServer;
let staff: { client: Client; id: number };
let giver: number;
beforeAll(async () => {
  server = await startTestServer();
  staff = await server.signedIn('SuperAdmin');
  giver = (await server.addUser('Admin')).id;
});
afterAll(() => server.close());
beforeEach(() => server.db.deleteFrom('rate_limits').execute());

async function addPayment(user: number): Promise<number> {
  const operation = await addOperation(server, user, 'ongoing');
  const { id } = await server.db
    .insertInto('payments')
    .values({
      user_id: user,
      operation_id: operation,
      purpose: 'operation',
      method: 'bank',
      amount: 300_00,
      status: 'pending',
      description: 'Charging',
      created_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Something whose money is this user's. */
const added: Record<MoneyOwner, (user: number) => Promise<number | string>> = {
  operation: (user) => addOperation(server, user, 'ongoing'),
  payment: addPayment,
  user: async (user) => user,
  typed_user: async (user) => String(user),
  card_lines: async (user) => `04${randomUUID().slice(0, 6).toUpperCase()};${user}`,
  async transaction(user) {
    await server.staffMoney.give({ staff: giver, user, amount: kopecks(5_00), requestKey: randomUUID() });
    return (await server.wallet.transactions(user, {}))[0]?.id ?? 0;
  },
  async party(user) {
    const party = { name: 'A party', owner_id: user, created_at: new Date() };
    return (await server.db.insertInto('parties').values(party).returning('id').executeTakeFirstOrThrow()).id;
  },
  async approval(user) {
    const request = {
      kind: 'increase' as const,
      subject_kind: 'user',
      subject_id: user,
      recipient_id: user,
      worth: 100,
    };
    const asked = { ...request, requested_by: giver, request_key: randomUUID(), created_at: new Date() };
    return (await server.db.insertInto('staff_approvals').values(asked).returning('id').executeTakeFirstOrThrow()).id;
  },
  async anomaly(user) {
    const found = { kind: 'amount_mismatch', subject: randomUUID(), payment_id: await addPayment(user) };
    const row = server.db.insertInto('money_anomalies').values({ ...found, found_at: new Date() });
    return (await row.returning('id').executeTakeFirstOrThrow()).id;
  },
};

const values = createValues(createDice(7), ['F2001']);
/** Such text is refused in every field. */
const hasNul = (value: unknown) => JSON.stringify(value).includes('\\u0000');

/** A request that the schema accepts, with these values at the places where the endpoint says that owners of money are named. */
function inputWith({ params, body }: Endpoint, named: ReadonlyMap<string, number | string>) {
  const made = (part: 'params' | 'body', schema: Endpoint['body']): Record<string, unknown> => {
    const own = [...named].filter(([at]) => at.startsWith(`${part}.`)).map(([at, value]) => [at.split('.')[1], value]);
    if (!schema) return {};
    for (let tries = 0; tries < 500; tries += 1) {
      const some = values.valid(schema) as object;
      if (hasNul(some)) continue;
      // What an address has is text, and some calls name several owners.
      const forms = [(one: unknown) => one, String, (one: unknown) => [one]];
      for (const form of forms) {
        const whole = { ...some, ...Object.fromEntries(own.map(([field, value]) => [field, form(value)])) };
        if (z.safeParse(schema, whole).success) return whole;
        const first = { ...whole, ...Object.fromEntries(own.slice(0, 1)) };
        if (z.safeParse(schema, first).success) return first;
      }
    }
    throw new Error(`no valid ${part}`);
  };
  return { params: made('params', params), body: made('body', body) };
}

/** The call with this user's money at one place, and with a stranger's at its other places. */
async function answerTo(endpoint: Endpoint, money: MoneyOf, user: number) {
  const named = new Map<string, number | string>();
  for (const one of endpoint.money as readonly MoneyOf[])
    named.set(one.at, await added[one.of](one.at === money.at ? user : (await server.addUser('User')).id));
  const { params, body } = inputWith(endpoint, named);
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const { status, body: answer } = await staff.client.mutate(endpoint.method, path, body);
  return { status, code: (answer as { code?: string } | null)?.code };
}

const cases = endpoints.flatMap((endpoint) =>
  isAboutMoney(endpoint.money) ? endpoint.money.map((money) => ({ endpoint, money })) : [],
);

test('there are calls about money', () => expect(cases.length).toBeGreaterThan(20));

test.each(cases.map((one) => [`${one.endpoint.method} ${one.endpoint.path}, ${one.money.at}`, one] as const))(
  '%s: own money is refused to every role, other money is not [ADM-OP-30]',
  async (_, { endpoint, money }) => {
    expect(await answerTo(endpoint, money, staff.id)).toEqual({ status: 403, code: 'own_money' });
    const other = await server.addUser('User');
    const { status, code } = await answerTo(endpoint, money, other.id);
    expect(['own_money', 'own_request', 'invalid_input']).not.toContain(code);
    expect(status).toBeLessThan(500);
  },
);

test('calls that stop or reset a device, and those that read, stay open for the own charge [ADM-OP-30]', async () => {
  const id = await addOperation(server, staff.id, 'ongoing');
  const stop = await staff.client.mutate('POST', `/api/admin/operation/soft-stop/${id}`, {});
  expect(stop.status).toBe(200);
  const seen = await staff.client.get(`/api/admin/operation/${id}`);
  expect(seen.body).toMatchObject({ own_money: 'own' });
  const { actions } = seen.body as { actions: string[] };
  expect(actions).toContain('reset');
  expect(actions).not.toContain('force_status');
  const preview = { action: 'force_status', status: 'failed' };
  const effect = await staff.client.mutate('POST', `/api/admin/operation/preview/${id}`, preview);
  expect(effect.body).toMatchObject({ is_allowed: false, refusal: 'own_money' });
});

/** What makes money of another account the own one. */
const ties: Record<string, (user: number) => Promise<unknown>> = {
  'a shared wallet': (user) =>
    server.db
      .updateTable('users')
      .set((row) => ({ wallet_id: row.selectFrom('wallets').select('id').where('owner_id', '=', staff.id) }) as never)
      .where('id', '=', user)
      .execute(),
  'a party that both left': async (user) => {
    const party = Number(await added.party(giver));
    for (const one of [user, staff.id])
      await server.db
        .insertInto('party_stays')
        .values({ user_id: one, party_id: party, joined_at: new Date(), left_at: new Date() })
        .execute();
  },
  'a party of the staff member': async (user) => {
    const party = Number(await added.party(staff.id));
    const member = { user_id: user, party_id: party, joined_at: new Date() };
    await server.db.insertInto('party_members').values(member).execute();
  },
  'a Telegram that both had': async (user) => {
    for (const one of [user, staff.id]) {
      const former = { user_id: one, kind: 'telegram', value: '777' };
      await server.db
        .insertInto('former_contacts')
        .values(former)
        .onConflict((all) => all.doNothing())
        .execute();
    }
  },
  'a phone number that the staff member gave up': async (user) => {
    const { phone_number: value } = await server.db
      .selectFrom('users')
      .select('phone_number')
      .where('id', '=', user)
      .executeTakeFirstOrThrow();
    await server.db.insertInto('former_contacts').values({ user_id: staff.id, kind: 'phone', value }).execute();
  },
  'a guest who joined the staff member': (user) =>
    server.db.updateTable('users').set({ joined_id: staff.id }).where('id', '=', user).execute(),
};
const increase = (user: number) =>
  staff.client.mutate('POST', '/api/admin/users/balance/increase', { user_id: user, amount: 100 });

test.each(Object.entries(ties))('%s makes it own money [ADM-OP-30]', async (_, tie) => {
  const { id } = await server.addUser('User');
  expect((await increase(id)).status).toBe(200);
  await tie(id);
  expect(await increase(id)).toMatchObject({ status: 403, body: { code: 'own_money' } });
});

test('a card with the same visible digits alone makes an action wait for a second person, whatever its sum [ADM-OP-30]', async () => {
  const { id } = await server.addUser('User');
  for (const user of [id, staff.id])
    await server.db
      .updateTable('payments')
      .set({ masked_pan: '444433******1111' })
      .where('id', '=', await addPayment(user))
      .execute();
  const asked = await increase(id);
  expect(asked).toMatchObject({ status: 200, body: { balance: 0, approval_id: expect.any(Number) } });
  const { approval_id: approval } = asked.body as { approval_id: number };
  const decrease = await staff.client.mutate('POST', '/api/admin/users/balance/decrease', { user_id: id, amount: 1 });
  expect(decrease.body).toMatchObject({ balance: 0, approval_id: expect.any(Number) });
  const operation = await addOperation(server, id, 'ongoing');
  const path = `/api/admin/status/operation/${operation}`;
  const forced = await staff.client.mutate('PATCH', path, { status: 'failed', override: true });
  expect(forced.body).toMatchObject({ approval_id: expect.any(Number) });
  const seen = await staff.client.get(`/api/admin/operation/${operation}`);
  expect(seen.body).toMatchObject({ status: 'ongoing', own_money: 'second_person' });
  expect((seen.body as { actions: string[] }).actions).toContain('force_status');
  const order = { action: 'force_status', status: 'failed' };
  const effect = await staff.client.mutate('POST', `/api/admin/operation/preview/${operation}`, order);
  expect(effect.body).toMatchObject({ is_allowed: true, needs_approval: true });
  // A stop is safety and does not wait; a call that cannot wait is made by a colleague.
  expect((await staff.client.mutate('POST', `/api/admin/operation/soft-stop/${operation}`, {})).body).toMatchObject({
    approval_id: null,
  });
  const party = await staff.client.mutate('POST', '/api/admin/network/parties', {
    name: 'Taxi',
    owner: String(id),
    is_closed: false,
  });
  expect(party).toMatchObject({ status: 403, body: { code: 'own_request' } });

  expect(await staff.client.mutate('POST', `/api/admin/approvals/${approval}`, {})).toMatchObject({ status: 403 });
  const colleague = await server.signedIn('SuperAdmin');
  const approved = await colleague.client.mutate('POST', `/api/admin/approvals/${approval}`, {});
  expect(approved).toMatchObject({ status: 200, body: { balance: 100 } });
});

test('accounts have one wallet at the bank only when one is a guest who joined the other, and that is own money [ADM-OP-30]', async () => {
  const { walletIdOf } = server.features.payments.savedCards;
  const guest = await server.addUser('Guest');
  expect(walletIdOf(guest.id)).not.toBe(walletIdOf(staff.id));
  await server.db.updateTable('users').set({ joined_id: staff.id }).where('id', '=', guest.id).execute();
  const operation = await addOperation(server, guest.id, 'ongoing');
  const path = `/api/admin/status/operation/${operation}`;
  const forced = await staff.client.mutate('PATCH', path, { status: 'failed', override: true });
  expect(forced).toMatchObject({ status: 403, body: { code: 'own_money' } });
});

test('a charge that becomes the own one while the call waits for it is refused too, and nothing changes [ADM-OP-30]', async () => {
  const { id: driver } = await server.addUser('User');
  const operation = await addOperation(server, driver, 'ongoing');
  const call = await server.db.transaction().execute(async (step) => {
    await step.updateTable('operations').set({ user_id: staff.id }).where('id', '=', operation).execute();
    const waiting = staff.client.mutate('PATCH', `/api/admin/status/operation/${operation}`, {
      status: 'failed',
      override: true,
    });
    // The call has passed its first check and waits for the row.
    await expect
      .poll(async () => {
        const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(server.db);
        return rows[0]?.count;
      })
      .toBeGreaterThan(0);
    return { waiting };
  });
  expect(await call.waiting).toMatchObject({ status: 403, body: { code: 'own_money' } });
  const after = await server.db
    .selectFrom('operations')
    .select('status')
    .where('id', '=', operation)
    .executeTakeFirst();
  expect(after?.status).toBe('ongoing');
});
