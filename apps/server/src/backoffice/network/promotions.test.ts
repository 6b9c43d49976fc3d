import { approvals, approve } from '@fpay/contract/admin/approvals';
import {
  addPromotion,
  changePromotion,
  endPromotion,
  networkPromotions,
  type PromotionForm,
} from '@fpay/contract/admin/network/promotions';
import { kopecks, wattHours } from '@fpay/contract/money';
import { getPromotions, getStation } from '@fpay/contract/stations';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rewardsAt } from '../../stations/connectors.ts';
import { networkFixture } from '../../stations/testing/network.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

/** Staff start, change and end promotions of every kind, and drivers see them. */
let server: TestServer;
let admin: Awaited<ReturnType<TestServer['signedIn']>>;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn('Admin');
  await networkFixture(server.db, server.steps, server.clock).station({ number: 'F1400' });
});
afterAll(() => server.close());

const form = (rest: Partial<PromotionForm>): PromotionForm => ({
  kind: 'banner',
  code: 'free_parking',
  station_number: 'F1400',
  days: null,
  reward: null,
  budget_per_day: null,
  ...rest,
});
const add = (rest: Partial<PromotionForm>) => admin.client.call(addPromotion, { body: form(rest) });
const list = async () => (await admin.client.call(networkPromotions)).body;

test('a banner, a marker and a reward are started, and drivers see those of today', async () => {
  const reward = { min_energy: wattHours(40_000), amount: kopecks(40_00) };
  const banner = await add({});
  await add({ kind: 'marker', code: 'event', station_number: null, days: { from: '01-01', to: '12-31' } });
  const { body: page } = await admin.client.call(getStation, { params: { number: 'F1400' } });
  await add({ kind: 'reward', reward, budget_per_day: kopecks(400_00) });
  expect(page.promo).toBe('free_parking');
  const { body: shown } = await server.client().call(getPromotions);
  expect(shown).toContainEqual({ code: 'event', kind: 'marker', station_number: null });
  expect(await list()).toMatchObject([
    { kind: 'banner', station_number: 'F1400', days: null, is_running: true },
    { kind: 'marker', station_number: null, days: { from: '01-01', to: '12-31' }, is_running: true },
    { kind: 'reward', reward, budget_per_day: 400_00, paid_today: 0, is_waiting: false, is_running: true },
  ]);
  expect(page).toMatchObject({ reward: null });
  const { body: withReward } = await admin.client.call(getStation, { params: { number: 'F1400' } });
  expect(withReward.reward).toEqual({ ...reward, has_budget: true, is_used_up: false });

  const params = { id: String(banner.body.id) };
  const changed = await admin.client.call(changePromotion, { params, body: form({ code: 'solar' }) });
  expect(changed.body).toEqual({ is_waiting: false });
  expect((await admin.client.call(getStation, { params: { number: 'F1400' } })).body.promo).toBe('solar');
  expect((await admin.client.call(endPromotion, { params })).status).toBe(204);
  expect((await admin.client.call(endPromotion, { params })).status).toBe(404);
  expect((await admin.client.call(getStation, { params: { number: 'F1400' } })).body.promo).toBeNull();
  const records = server.db.selectFrom('audit').select('action').where('subject_kind', '=', 'promotion');
  const own = await records.where('subject_id', '=', params.id).orderBy('id').execute();
  expect(own.map(({ action }) => action)).toEqual(['promotion.add', 'promotion.change', 'promotion.end']);
});

test.each([
  ['station_number', { station_number: 'F9999' }],
  ['station_number', { station_number: null }],
  ['code', { code: 'unheard' }],
  ['reward', { kind: 'reward' as const }],
  ['budget_per_day', { budget_per_day: kopecks(100_00) }],
  [
    'budget_per_day',
    {
      kind: 'reward' as const,
      reward: { min_energy: wattHours(40_000), amount: kopecks(40_00) },
      budget_per_day: kopecks(39_99),
    },
  ],
  ['days.from', { days: { from: '13-01', to: '12-31' } }],
])('a wrong %s is refused under its field', async (field, rest) => {
  expect(await add(rest)).toMatchObject({ status: 422, body: { errors: { [field]: [expect.any(String)] } } });
});

test('the same promotion twice is refused', async () => {
  await add({ kind: 'marker', code: 'sun' });
  expect(await add({ kind: 'marker', code: 'sun' })).toMatchObject({
    status: 422,
    body: { errors: { code: [expect.any(String)] } },
  });
});

test('a reward above the limit does not begin before a second staff member approves these terms: scene S16 [ADM-OP-31]', async () => {
  const second = await server.signedIn('Admin');
  const reward = { min_energy: wattHours(1), amount: kopecks(10_000_00) };
  const budget_per_day = kopecks(20_000_00);
  const { body: added } = await add({ kind: 'reward', code: 'bonus', reward, budget_per_day });
  expect(added.is_waiting).toBe(true);
  const isRunning = async () => (await list()).find(({ id }) => id === added.id)?.is_running;
  const rows = () => server.db.selectFrom('connectors').select('id').limit(1).executeTakeFirst();
  const paid = async () => {
    const connector = (await rows())?.id ?? 0;
    const found = await server.steps.run((step) => rewardsAt(step, connector));
    return found.some(({ id }) => id === added.id);
  };
  expect([await isRunning(), await paid()]).toEqual([false, false]);
  const waiting = async () =>
    (await second.client.call(approvals)).body.filter(({ subject }) => subject.id === added.id);
  const [asked] = await waiting();
  expect(asked).toMatchObject({ action: 'promotion', amount: 10_000_00, user: null, is_mine_to_decide: true });
  const approveAs = (client: typeof admin.client, id: number) => client.call(approve, { params: { id: String(id) } });
  expect((await approveAs(admin.client, asked?.id ?? 0)).status).toBe(403);
  expect((await approveAs(second.client, asked?.id ?? 0)).body).toEqual({ balance: null });
  expect([await isRunning(), await paid()]).toEqual([true, true]);

  // Other terms wait again, and what was asked for before them is not possible any more.
  const change = (amount: number) =>
    admin.client.call(changePromotion, {
      params: { id: String(added.id) },
      body: form({ kind: 'reward', code: 'bonus', budget_per_day, reward: { ...reward, amount: kopecks(amount) } }),
    });
  await change(9_000_00);
  const [earlier] = await waiting();
  await change(8_000_00);
  expect(await approveAs(second.client, earlier?.id ?? 0)).toMatchObject({ status: 409 });
  expect(await isRunning()).toBe(false);
  await change(50_00);
  expect(await isRunning()).toBe(true);
});

test('a reward without a budget per day waits for a second staff member, and drivers do not see it until then [ADM-OP-31]', async () => {
  await networkFixture(server.db, server.steps, server.clock).station({ number: 'F1410' });
  const second = await server.signedIn('Admin');
  const reward = { min_energy: wattHours(1), amount: kopecks(5_00) };
  const { body: added } = await add({ kind: 'reward', code: 'bonus', station_number: 'F1410', reward });
  const seen = async () => {
    const { body: page } = await server.client().call(getStation, { params: { number: 'F1410' } });
    const { body: shown } = await server.client().call(getPromotions);
    return [page.reward, shown.some(({ station_number }) => station_number === 'F1410')];
  };
  const item = async () => (await list()).find(({ id }) => id === added.id);
  expect([added.is_waiting, await seen()]).toEqual([true, [null, false]]);
  expect(await item()).toMatchObject({ is_waiting: true, is_running: false });
  const asked = (await second.client.call(approvals)).body.find(({ subject }) => subject.id === added.id);
  expect(asked).toMatchObject({ action: 'promotion', amount: 5_00, details: { budget: null, station: 'F1410' } });
  await second.client.call(approve, { params: { id: String(asked?.id) } });
  expect(await seen()).toEqual([{ ...reward, has_budget: false, is_used_up: false }, true]);
  expect(await item()).toMatchObject({ is_waiting: false, is_running: true });
});
