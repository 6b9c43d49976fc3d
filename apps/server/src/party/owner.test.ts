import { getUser, signIn } from '@fpay/contract/account';
import { kopecks } from '@fpay/contract/money';
import {
  giveToMembers,
  mostAllowance,
  partyData,
  partyOperations,
  partyStats,
  removeAllowance,
  renameMember,
  resetMemberPassword,
  setAllowance,
} from '@fpay/contract/party';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PartyServer, refusalCodeOf, startPartyServer } from './testing/parties.ts';

let server: PartyServer;
let now = new Date('2026-11-15T12:35:00Z');
beforeAll(async () => {
  server = await startPartyServer({ clock: { now: () => now } });
});
afterAll(() => server.close());

const today = { period: 'today', tz: 'Europe/Kyiv' } as const;

describe('the party', () => {
  test('is shown to its owner with members and their figures [API-54] [ENT-26] [ENT-27] [PARTY-04]', async () => {
    const { id, owner, member, other } = await server.partyOf({ isClosed: true });
    const station = await server.station({ number: 'F5001', partyId: id });
    await server.give(member.id, 640_00);
    await server.db.updateTable('users').set({ last_login_at: now }).where('id', '=', member.id).execute();
    await server.charge({ user: member.id, station, at: new Date('2026-11-15T10:00:00Z'), energyWh: 42_600 });
    await server.charge({ user: member.id, station, at: new Date('2026-11-10T10:00:00Z'), energyWh: 20_000 });
    await server.charge({ user: member.id, station, at: new Date('2026-11-01T10:00:00Z'), energyWh: 99_000 });
    await server.charge({
      user: member.id,
      station,
      at: new Date('2026-11-15T11:00:00Z'),
      energyWh: 7_000,
      status: 'failed',
    });
    const { body } = await owner.client.call(partyData, {});
    expect(body).toMatchObject({ party_name: 'Green park', is_closed: true, is_owner: true });
    expect(body.member_list.map((one: { id: number }) => one.id)).toEqual([owner.id, member.id, other.id]);
    expect(body.member_list[1]).toEqual({
      id: member.id,
      name: expect.any(String),
      phone_number: member.phone,
      icon: 4,
      is_owner: false,
      party_balance: 0,
      balance: 640_00,
      last_login: now.toISOString(),
      operations_24h: 1,
      energy_24h: 42_600,
      energy_week: 62_600,
      allowance: null,
    });
    expect(body.station_list).toEqual([
      expect.objectContaining({
        number: 'F5001',
        is_online: true,
        connectors: [expect.objectContaining({ status: 'free' })],
      }),
    ]);
  });

  test('is shown to a member without other members, statistics or operations [ROLE-17] [PARTY-03]', async () => {
    const { id, owner, member, other } = await server.partyOf({ isClosed: true });
    await server.station({ number: 'F5002', partyId: id });
    const { status, body } = await member.client.call(partyData, {});
    expect(status).toBe(200);
    expect(body).toMatchObject({ is_owner: false, member_list: [], invitations: [] });
    expect(body.owner).toEqual({ name: expect.any(String), icon: 4 });
    expect(JSON.stringify(body)).not.toContain(owner.phone);
    expect(body.station_list.map((one: { number: string }) => one.number)).toEqual(['F5002']);

    const to = { params: { id: String(other.id) } };
    const answers = [
      await member.client.call(partyStats, { query: { user: 'all', ...today } }),
      await member.client.call(partyOperations, { query: { user: 'all', ...today } }),
      await member.client.call(renameMember, { ...to, body: { name: 'Somebody' } }),
      await member.client.call(resetMemberPassword, to),
      await member.client.call(giveToMembers, { body: { members: [other.id], amount: kopecks(1) } }),
      await member.client.call(setAllowance, { ...to, body: { amount: kopecks(100), day: 1 } }),
    ];
    for (const answer of answers) expect([answer.status, refusalCodeOf(answer)]).toEqual([403, 'not_party_owner']);
  });

  test('does not exist for an outsider, for staff and for the owner of another party [GUARD-12]', async () => {
    const { member } = await server.partyOf({ isClosed: true });
    const elsewhere = await server.partyOf({ isClosed: true });
    const to = { params: { id: String(member.id) } };
    const others = { outsider: await server.signedIn(), staff: await server.signedIn('Admin'), owner: elsewhere.owner };
    for (const [who, { client }] of Object.entries(others)) {
      if (who !== 'owner') expect((await client.call(partyData, {})).status).toBe(404);
      const answers = [
        await client.call(partyStats, { query: { user: String(member.id) as 'all', ...today } }),
        await client.call(partyOperations, { query: { user: String(member.id) as 'all', ...today } }),
        await client.call(renameMember, { ...to, body: { name: 'Somebody' } }),
        await client.call(resetMemberPassword, to),
        await client.call(giveToMembers, { body: { members: [member.id], amount: kopecks(1) } }),
        await client.call(setAllowance, { ...to, body: { amount: kopecks(100), day: 1 } }),
        await client.call(removeAllowance, to),
      ];
      expect([who, ...answers.map(({ status }) => status)]).toEqual([who, 404, 404, 404, 404, 404, 404, 404]);
    }
    const guest = await server.signedIn('Guest');
    expect((await guest.client.call(partyData, {})).status).toBe(403);
  });
});

describe('a gift of the owner', () => {
  test('reaches one member or several, all or none [PARTY-07]', async () => {
    const { owner, member, other } = await server.partyOf({ isClosed: true });
    await server.give(owner.id, 100_00);
    const both = { members: [member.id, other.id], amount: kopecks(40_00) };
    const { status, body } = await owner.client.call(giveToMembers, { body: both });
    expect([status, body]).toEqual([200, { balance: 20_00 }]);
    expect(await server.balanceOf(member.id)).toBe(40_00);
    expect(await server.balanceOf(other.id)).toBe(40_00);

    const tooMuch = await owner.client.call(giveToMembers, { body: { ...both, amount: kopecks(15_00) } });
    expect([tooMuch.status, refusalCodeOf(tooMuch)]).toEqual([402, 'insufficient_balance']);
    expect(await server.balanceOf(member.id)).toBe(40_00);
  });

  test('is refused to oneself, to another party’s member, to a guest and to a member who left [PARTY-07]', async () => {
    const { id, owner, member, other } = await server.partyOf({ isClosed: true });
    const elsewhere = await server.partyOf({ isClosed: true });
    const guest = await server.signedIn('Guest');
    await server.give(owner.id, 100_00);
    await server.db.deleteFrom('party_members').where('user_id', '=', other.id).execute();
    for (const [to, code] of [
      [owner.id, 'transfer_refused'],
      [elsewhere.member.id, 'not_found'],
      [guest.id, 'not_found'],
      [other.id, 'not_found'],
      [999_999, 'not_found'],
    ] as const) {
      const answer = await owner.client.call(giveToMembers, {
        body: { members: [member.id, to], amount: kopecks(1_00) },
      });
      expect([to, refusalCodeOf(answer)]).toEqual([to, code]);
    }
    expect(await server.balanceOf(owner.id)).toBe(100_00);
    expect(await server.balanceOf(member.id)).toBe(0);
    expect(id).toBeGreaterThan(0);
  });

  test.each(['1,50', '1.505', 1.5, 0, -1, null])('of %j is no amount, and nothing moves', async (amount) => {
    const { owner, member } = await server.partyOf({ isClosed: false });
    await server.give(owner.id, 100_00);
    const answer = await owner.client.mutate('POST', '/api/party/gift', { members: [member.id], amount });
    expect(answer.status).toBe(422);
    expect(await server.balanceOf(member.id)).toBe(0);
  });
});

describe('the name of a member', () => {
  test('is changed by the owner [PARTY-09] [API-57]', async () => {
    const { owner, member } = await server.partyOf({ isClosed: false });
    const answer = await owner.client.call(renameMember, {
      params: { id: String(member.id) },
      body: { name: '  Ihor   Savchenko ' },
    });
    expect([answer.status, answer.body]).toEqual([200, { name: 'Ihor Savchenko' }]);
    expect((await member.client.call(getUser, {})).body.name).toBe('Ihor Savchenko');
  });

  test.each([
    ['', 'Enter a name'],
    ['   ', 'Enter a name'],
    ['Ян', 'The name must have at least 3 characters.'],
    ['A name that is longer than twenty', 'Name must be up to 20 characters and 4 words!'],
  ])('%j is refused', async (name, text) => {
    const { owner, member } = await server.partyOf({ isClosed: false });
    const answer = await owner.client.mutate('PATCH', `/api/party/members/${member.id}`, { name });
    expect([answer.status, answer.body.errors]).toEqual([422, { name: [text] }]);
  });
});

describe('a password reset by the owner', () => {
  test('gives a new password, ends sessions, sends an SMS and is audited [PARTY-10] [PARTY-21] [API-56]', async () => {
    const { owner, member } = await server.partyOf({ isClosed: true });
    const { status, body } = await owner.client.call(resetMemberPassword, { params: { id: String(member.id) } });
    expect([status, body]).toEqual([200, { success: true, new_password: expect.stringMatching(/^[a-z2-9]{12}$/) }]);
    expect((await member.client.call(getUser, {})).status).toBe(401);
    const again = { phone_number: member.phone, password: body.new_password };
    expect((await server.client().call(signIn, { body: again })).status).toBe(200);

    const audited = await server.db
      .selectFrom('audit')
      .selectAll()
      .where('subject_id', '=', String(member.id))
      .execute();
    expect(audited).toEqual([expect.objectContaining({ staff_id: owner.id, action: 'party.reset_password' })]);
    const sent = await sql<{ phone: string; text: string }>`
      select data->>'phone' as phone, data->>'text' as text from pgboss.job where name = 'messages.sms'
      and data->>'phone' = ${member.phone}`.execute(server.db);
    expect(sent.rows.map(({ text }) => text)).toEqual([expect.stringContaining('скинув ваш пароль')]);
    expect(JSON.stringify(sent.rows)).not.toContain(body.new_password);
  });

  test('is refused for oneself and for a member who is staff by now [PARTY-21]', async () => {
    const { owner, member } = await server.partyOf({ isClosed: true });
    await server.db.updateTable('users').set({ role: 'Support' }).where('id', '=', member.id).execute();
    for (const id of [owner.id, member.id]) {
      const answer = await owner.client.call(resetMemberPassword, { params: { id: String(id) } });
      expect([answer.status, refusalCodeOf(answer)]).toEqual([403, 'password_reset_refused']);
    }
    const again = { phone_number: owner.phone, password: 'a-test-password' };
    expect((await server.client().call(signIn, { body: again })).status).toBe(200);
  });
});

describe('a monthly allowance', () => {
  test('has an upper bound, in the call and in the database', async () => {
    const { owner, member } = await server.partyOf({ isClosed: true });
    const params = { id: String(member.id) };
    const set = (amount: number) =>
      owner.client.call(setAllowance, { params, body: { amount: kopecks(amount), day: 1 } });
    expect(await set(10 ** 12)).toMatchObject({ status: 422, body: { errors: { amount: [expect.any(String)] } } });
    expect((await set(mostAllowance + 1)).status).toBe(422);
    expect((await set(mostAllowance)).status).toBe(200);
    const raised = server.db.updateTable('party_allowances').set({ amount: mostAllowance + 1 });
    await expect(raised.where('user_id', '=', member.id).execute()).rejects.toThrow('party_allowances_most');
  });

  const due = async (user: number) => {
    const row = await server.db
      .selectFrom('party_allowances')
      .selectAll()
      .where('user_id', '=', user)
      .executeTakeFirst();
    if (!row) throw new Error('there is no allowance');
    await server.steps.run((step) => server.party.allowances.due.act(step, row.id));
    return server.db.selectFrom('party_allowances').selectAll().where('user_id', '=', user).executeTakeFirstOrThrow();
  };

  test('tops the balance up to its amount from the owner’s wallet and comes again next month', async () => {
    const { owner, member } = await server.partyOf({ isClosed: true });
    await server.give(owner.id, 1_000_00);
    await server.give(member.id, 120_00);
    const allowance = { amount: kopecks(500_00), day: 20 };
    const set = await owner.client.call(setAllowance, { params: { id: String(member.id) }, body: allowance });
    expect([set.status, set.body]).toEqual([200, { ...allowance, is_stopped: false }]);
    const stored = await server.db
      .selectFrom('party_allowances')
      .select('next_action_at')
      .where('user_id', '=', member.id)
      .executeTakeFirstOrThrow();
    expect(stored.next_action_at).toEqual(new Date('2026-11-19T22:00:00Z'));

    now = new Date('2026-11-19T22:00:01Z');
    const after = await due(member.id);
    expect(await server.balanceOf(member.id)).toBe(500_00);
    expect(await server.balanceOf(owner.id)).toBe(620_00);
    expect(after).toMatchObject({ next_action_at: new Date('2026-12-19T22:00:00Z'), stopped_at: null });
    now = new Date('2026-12-19T22:00:01Z');
    await due(member.id);
    expect(await server.balanceOf(owner.id)).toBe(620_00);
    now = new Date('2026-11-15T12:35:00Z');
  });

  test('stops with a notice to the owner when the wallet is too small, and nothing moves', async () => {
    const { owner, member } = await server.partyOf({ isClosed: true });
    await server.give(owner.id, 10_00);
    await owner.client.call(setAllowance, {
      params: { id: String(member.id) },
      body: { amount: kopecks(500_00), day: 1 },
    });
    const after = await due(member.id);
    expect(after).toMatchObject({ next_action_at: null, stopped_at: now });
    expect(await server.balanceOf(member.id)).toBe(0);
    const { body } = await owner.client.call(partyData, {});
    expect(body.member_list[1]?.allowance).toEqual({ amount: 500_00, day: 1, is_stopped: true });
    const sent =
      await sql`select from pgboss.job where name = 'messages.sms' and data->>'phone' = ${owner.phone}`.execute(
        server.db,
      );
    expect(sent.rows).toHaveLength(1);
  });

  test('ends when the owner removes it or the member leaves', async () => {
    const { owner, member, other } = await server.partyOf({ isClosed: false });
    for (const { id } of [member, other])
      await owner.client.call(setAllowance, { params: { id: String(id) }, body: { amount: kopecks(1_00), day: 1 } });
    const removed = await owner.client.call(removeAllowance, { params: { id: String(member.id) } });
    expect(removed.status).toBe(204);
    await server.party.joining.leave({ id: other.id, role: 'User' }, { returnsToOwner: false });
    const left = await server.db
      .selectFrom('party_allowances')
      .selectAll()
      .where('user_id', 'in', [member.id, other.id])
      .execute();
    expect(left).toEqual([]);
  });
});
