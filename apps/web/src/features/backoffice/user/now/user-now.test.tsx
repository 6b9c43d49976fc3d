import type { AdminOperation } from '@fpay/contract/admin/operations';
import type { UserNow } from '@fpay/contract/admin/user-now';
import type { AdminUser } from '@fpay/contract/admin/users';
import { kopecks, wattHours, watts } from '@fpay/contract/money';
import type { Role } from '@fpay/contract/roles';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { loadTexts } from '../../../../i18n/i18n.ts';
import { aStaffOperation } from '../../../../testing/operation.ts';
import { aUser } from '../../../../testing/people.ts';
import { aReasonList, chooseReason, listedReason, reasonsCall } from '../../../../testing/reasons.ts';
import { cacheWith, renderRoutes } from '../../../../testing/render.tsx';
import { serve } from '../../../../testing/server.ts';
import { UserNowView } from './user-now-view.tsx';

vi.setConfig({ testTimeout: 30_000 });
const messages = vi.hoisted(() => ({ groups: [] as string[], send: null as (() => void) | null }));
vi.mock('../../../../api/realtime.ts', () => ({
  connectRealtime: () => ({
    listen(group: string, onMessage: () => void) {
      messages.groups.push(group);
      messages.send = onMessage;
    },
    stop() {},
  }),
}));

const charge: NonNullable<UserNow['charge']> = {
  id: 480215,
  status: 'ongoing',
  is_open: true,
  hold: 'hold',
  payment_type: 'bank',
  station_number: 'F1400',
  address: '31D Slobozhanskyi Ave',
  address_uk: 'просп. Слобожанський, 31Д',
  connector_number: '1',
  connector_type: 'ccstype2',
  connector_power: watts(60_000),
  energy: wattHours(18_420),
  energy_limit: wattHours(25_000),
  price: kopecks(14_50),
  total: kopecks(267_09),
  amount: kopecks(362_50),
  power: 47_300,
  soc: 64,
  created_at: '2025-11-15T12:31:58Z',
  closed_at: null,
  measured_at: '2025-11-15T13:10:09Z',
};
const aNow = (rest: Partial<UserNow> = {}): UserNow => ({
  charge,
  answers: [
    { id: 1, at: '2025-11-15T12:32:21Z', command: 'RemoteStartTransaction', outcome: 'accepted', raw: null },
    { id: 2, at: '2025-11-15T12:52:21Z', command: 'DataTransfer', outcome: 'no_answer', raw: '{"status":"Busy"}' },
  ],
  money: { held: kopecks(362_50), holds: 2, returning: kopecks(290_00), balance: kopecks(5_00), debt: kopecks(7_00) },
  failure: {
    id: 478164,
    at: '2025-11-09T15:20:00Z',
    station_number: 'F1311',
    cause: 'refused',
    energy: wattHours(0),
    total: kopecks(0),
    raw: null,
  },
  notes: [
    { id: 1, staff: { id: 3, name: 'Денис' }, text: 'Телефонувати після 18:00', created_at: '2025-11-02T10:00:00Z' },
  ],
  messages: [
    {
      id: 9,
      channel: 'sms',
      text: 'Гроші розблоковано',
      state: 'failed',
      is_by_staff: true,
      at: '2025-11-09T15:25:00Z',
    },
  ],
  ...rest,
});

const nowCall = 'GET /api/admin/users/20418/now';
const operationCall = 'GET /api/admin/operation/480215';

async function openNow(
  now: UserNow,
  { role = 'Operator' as Role, operation = {} as Partial<AdminOperation>, answers = {} } = {},
) {
  await loadTexts(['admin', 'adminOperations', 'adminUsers']);
  const detail = aStaffOperation({ actions: [], ...operation });
  const server = serve({ [nowCall]: now, [operationCall]: detail, [reasonsCall]: aReasonList, ...answers });
  const user = { id: 20_418 } as AdminUser;
  const routes = [{ path: '/', element: <UserNowView user={user} /> }];
  await renderRoutes(routes, cacheWith({ user: aUser({ role }) }), '/');
  await act(async () => undefined);
  return server;
}
const shown = (element: Element | null | undefined) => element?.textContent?.replaceAll('\u00a0', ' ');
const buttons = () => screen.queryAllByRole('button').map(shown);

it('has the open charge, what the charger answered in words, money, the last failure, notes and messages', async () => {
  await openNow(aNow());
  const block = within(await screen.findByRole('region', { name: 'Відкрита зарядка' }));
  expect(block.getByRole('link', { name: '№ 480215' }).getAttribute('href')).toBe('/admin/operations/480215');
  expect(block.getAllByRole('definition').map(shown)).toEqual([
    '18,42 кВт·годз 25,00 кВт·год',
    '267,09 ₴з 362,50 ₴',
    '47,3 кВт15:10',
    '64 %15.11.2025, 14:31',
  ]);
  const answers = within(block.getByRole('list', { name: 'Що відповів зарядний пристрій' })).getAllByRole('listitem');
  expect(answers.map(shown)).toEqual([
    'Стартприйнято14:32',
    'DataTransferвідповіді немає14:52Технічна відповідь{"status":"Busy"}',
  ]);
  expect(shown(screen.getByText('Борг').nextElementSibling)).toBe('7,00 ₴');
  expect(shown(screen.getByText('Утримано').nextElementSibling)).toBe('362,50 ₴2 холди');
  expect(shown(screen.getByText('Повертає банк').nextElementSibling)).toBe('290,00 ₴банк ще не підтвердив');
  const failure = screen.getByRole('region', { name: 'Остання невдача' });
  expect(shown(failure)).toContain('Зарядний пристрійЗарядний пристрій відхилив старт');
  expect(shown(screen.getByRole('region', { name: 'Нотатки' }))).toContain('Телефонувати після 18:00');
  expect(shown(screen.getByRole('region', { name: 'Повідомлення' }))).toContain('SMS: Гроші розблоковано');
  expect(shown(screen.getByRole('region', { name: 'Повідомлення' }))).toContain('не надіслано');
});

it('shows the last charge when none is open, and follows only an open one', async () => {
  messages.groups = [];
  await openNow(aNow({ charge: { ...charge, is_open: false, status: 'failed' }, answers: [] }));
  expect(await screen.findByRole('region', { name: 'Остання зарядка' })).toBeTruthy();
  expect(messages.groups).toEqual([]);
});

it('is read again when the charge changes', async () => {
  const server = await openNow(aNow());
  await screen.findByRole('region', { name: 'Відкрита зарядка' });
  await waitFor(() => expect(messages.groups).toContain('operation-480215'));
  const before = server.times(nowCall);
  act(() => messages.send?.());
  await waitFor(() => expect(server.times(nowCall)).toBeGreaterThan(before));
});

it.each([
  ['Support', ['Зупинити']],
  ['Operator', ['Зупинити', 'Повернути кошти…', 'Зняти холд']],
  ['Admin', ['Зупинити', 'Повернути кошти…', 'Зняти холд']],
  ['Analytic', []],
] as const)('%s has the buttons of the role: %j', async (role, expected) => {
  await openNow(aNow(), { role, operation: { actions: ['soft_stop', 'cancel_payment', 'cancel_hold'] } });
  await waitFor(() => expect(buttons()).toEqual(expected));
});

it('draws own money grey with its reason, and stops stay', async () => {
  await openNow(aNow(), { operation: { actions: ['soft_stop'], own_money: 'own' } });
  const refund = await screen.findByRole<HTMLButtonElement>('button', { name: 'Повернути кошти…' });
  expect([refund.disabled, refund.title]).toEqual([true, 'Це ваші гроші: попросіть колегу']);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Зупинити' }).disabled).toBe(false);
});

it('a refund closes its popup by itself, and its result stays on the page', async () => {
  const call = 'DELETE /api/admin/payment/391';
  const info = { masked_pan: null, rrn: null, amount: 1, final_amount: 1, return_rrn: null };
  const effect = { is_allowed: true, refusal: null, operation: null, payment: null, energy: null, total: null };
  const server = await openNow(aNow(), {
    operation: { actions: ['cancel_payment'] },
    answers: {
      'POST /api/admin/operation/preview/480215': { ...effect, money: [], command: null, needs_approval: false },
      [call]: { ...info, return_status: null, return_amount: null, status: 'success', approval_id: null },
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Повернути кошти…' }));
  await chooseReason();
  const confirm = screen.getByRole<HTMLButtonElement>('button', { name: 'Виконати' });
  await waitFor(() => expect(confirm.disabled).toBe(false));
  fireEvent.click(confirm);
  await waitFor(() => expect(screen.getByRole('status').textContent).toMatch(/^Готово/));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(server.bodyOf(call)).toMatchObject({ reason: listedReason });
});
