import type { Approval } from '@fpay/contract/admin/approvals';
import { type MoneyCase, type MoneyOverview, moneyKinds } from '@fpay/contract/admin/money';
import { kopecks } from '@fpay/contract/money';
import type { Role } from '@fpay/contract/roles';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { aUser } from '../../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../../testing/render.tsx';
import { RefusedAnswer, serve } from '../../../testing/server.ts';
import { close, usePopups } from '../../../ui/overlay/popups.ts';
import { Page } from './money-page.tsx';

vi.setConfig({ testTimeout: 30_000 });

const overview = (counts: Partial<Record<string, number>>): MoneyOverview => ({
  kinds: moneyKinds.map((kind) => ({ kind, count: counts[kind] ?? 0, sum: kopecks((counts[kind] ?? 0) * 29_00) })),
  ledger: { checked_at: '2025-11-15T01:10:00Z', faults: 0 },
});
const aCase = (id: number, rest: Partial<MoneyCase> = {}): MoneyCase => ({
  id,
  kind: 'difference',
  code: 'missing_capture',
  operation_id: 480211,
  payment_id: 391,
  user_id: 8,
  amount: kopecks(58_00),
  at: '2025-11-14T11:41:00Z',
  until: null,
  details: { bank: 5800, ours: null },
  is_resolvable: true,
  ...rest,
});
const anApproval = (rest: Partial<Approval> = {}): Approval => ({
  id: 4,
  action: 'increase',
  user: { id: 8, name: 'Марина Литвиненко', phone_number: '+380671234567' },
  amount: kopecks(7_500_00),
  subject: { kind: 'user', id: 8 },
  details: {},
  requested_by: { id: 3, name: 'Дмитро Лисенко' },
  reason: null,
  created_at: '2025-11-15T12:17:00Z',
  is_mine_to_decide: true,
  has_second_person: true,
  ...rest,
});

const casesCall = (kind: string) => `GET /api/admin/money/${kind}?limit=50`;

interface Opening {
  path?: string;
  role?: Role;
  isWide?: boolean;
  answers?: Record<string, unknown>;
}

async function openMoney(counts: Partial<Record<string, number>>, opening: Opening = {}) {
  const { path = '', role = 'Admin', isWide = true, answers } = opening;
  vi.stubGlobal('matchMedia', () => ({ matches: isWide, addEventListener() {}, removeEventListener() {} }));
  const server = serve({
    'GET /api/admin/money': overview(counts),
    'GET /api/admin/approvals': [],
    ...Object.fromEntries(moneyKinds.map((kind) => [casesCall(kind), []])),
    ...answers,
  });
  const routes = [
    { path: '/admin/money', element: <Page /> },
    { path: '*', element: <p>Інша сторінка</p> },
  ];
  const drawn = await renderRoutes(routes, cacheWith({ user: aUser({ role }) }), `/admin/money${path}`);
  await act(async () => undefined);
  return { server, address: () => drawn.router.state.location.pathname + drawn.router.state.location.search };
}

const shown = (element: Element) => element.textContent?.replaceAll('\u00a0', ' ');
const kinds = async () =>
  Array.from((await screen.findByRole('navigation', { name: 'Гроші' })).querySelectorAll('a'), shown);
afterEach(() => vi.unstubAllGlobals());

describe('what waits for somebody who knows about money', () => {
  it('is listed by kind with its number and sum, and the first that waits is open', async () => {
    const { server } = await openMoney({ debt: 3, lost: 14 });
    expect(await kinds()).toEqual([
      'Звірка0,00 ₴0',
      'Холди, що закінчуються0,00 ₴0',
      'Борги87,00 ₴3',
      'Оскарження0,00 ₴0',
      'Відмови в поверненні0,00 ₴0',
      'Помилки книги0,00 ₴0',
      'На схвалення0,00 ₴0',
      'Втрати406,00 ₴14',
      'Спільні гаманці0,00 ₴0',
      'Винагороди понад ліміт0,00 ₴0',
      'Змінено вручну0,00 ₴0',
    ]);
    await waitFor(() => expect(server.times(casesCall('debt'))).toBe(1));
    expect(screen.getByText(/Книгу звірено/).textContent).toContain('усе сходиться');
  });

  it('says when nothing waits, and keeps the kind in the address', async () => {
    const { address } = await openMoney({});
    expect(await screen.findByText('Тут нічого не чекає')).toBeTruthy();
    fireEvent.click(screen.getByText('Втрати'));
    await waitFor(() => expect(address()).toBe('/admin/money?kind=lost'));
  });

  it('shows the facts of a case, what to do, and the actions that settle it', async () => {
    await openMoney({ difference: 2 }, { answers: { [casesCall('difference')]: [aCase(2), aCase(1)] } });
    expect(await screen.findByRole('heading', { name: 'У нас списано, у банку ні' })).toBeTruthy();
    expect(screen.getByText(/Порівняйте платіж з випискою банку/)).toBeTruthy();
    expect(screen.getByText('Списати суму…')).toBeTruthy();
    expect(screen.getByText('Операція').closest('a')?.getAttribute('href')).toBe('/admin/operations/480211');
    expect(screen.getByText('Користувач').closest('a')?.getAttribute('href')).toBe('/admin/users/8');
    const rows = screen.getAllByRole('button', { pressed: true }).map(shown);
    expect(rows).toEqual(['У нас списано, у банку ні№ 480211 · 14.11.2025, 13:4158,00 ₴']);
  });

  it('closes a case only with a sentence about what was done', async () => {
    const call = 'POST /api/admin/money/resolve/2';
    const answers = { [casesCall('difference')]: [aCase(2)], [call]: null };
    const { server } = await openMoney({ difference: 1 }, { answers });
    const button = async () => (await screen.findByText('Закрити справу')).closest('button') as HTMLButtonElement;
    expect((await button()).disabled).toBe(true);
    fireEvent.change(screen.getByLabelText('Що зроблено'), { target: { value: ' Банк підтвердив ' } });
    server.answers[casesCall('difference')] = [];
    fireEvent.click(await button());
    await waitFor(() => expect(server.bodyOf(call)).toMatchObject({ comment: 'Банк підтвердив' }));
    expect(await screen.findByText('Тут нічого не чекає')).toBeTruthy();
  });

  it('says when a hold ends, and offers to capture or to release it', async () => {
    const hold = aCase(5, { kind: 'hold_ending', code: null, until: '2025-11-16T07:40:00Z', is_resolvable: false });
    await openMoney({ hold_ending: 1 }, { answers: { [casesCall('hold_ending')]: [hold] } });
    expect((await screen.findAllByText(/16.11.2025, 09:40/)).length).toBe(2);
    expect(screen.getByText('Списати суму…')).toBeTruthy();
    expect(screen.getByText('Зняти холд')).toBeTruthy();
    expect(screen.queryByText('Закрити справу')).toBeNull();
  });

  it('opens a case in a sheet on a phone', async () => {
    const answers = { [casesCall('difference')]: [aCase(2)] };
    await openMoney({ difference: 1 }, { answers, isWide: false });
    expect(screen.queryByText('Що зробити')).toBeNull();
    fireEvent.click(await screen.findByText('У нас списано, у банку ні'));
    expect(await screen.findByText('Що зробити')).toBeTruthy();
  });

  it('offers a retry when it cannot be loaded', async () => {
    await openMoney({}, { answers: { 'GET /api/admin/money': new RefusedAnswer(500) } });
    expect(await screen.findByText('Спробувати ще раз')).toBeTruthy();
  });
});

describe('sums that wait for a second member of staff', () => {
  const path = '?kind=approval';
  const approveCall = 'POST /api/admin/approvals/4';

  it('are approved after a question with the effect', async () => {
    const answers = { 'GET /api/admin/approvals': [anApproval()], [approveCall]: { balance: 7_712_00 } };
    const { server } = await openMoney({}, { path, answers });
    fireEvent.click(await screen.findByText('Схвалити'));
    const [popup] = usePopups.getState().waiting;
    if (popup?.kind !== 'question') throw new Error('No question was asked');
    expect(popup.question.effect?.toString().replaceAll('\u00a0', ' ')).toBe(
      'Зарахуємо 7 500,00 ₴ на баланс: Марина Литвиненко.',
    );
    expect(server.times(approveCall)).toBe(0);
    act(() => close(popup, true));
    await waitFor(() => expect(server.times(approveCall)).toBe(1));
  });

  it('can be withdrawn but not approved by the one who asked', async () => {
    const declineCall = 'DELETE /api/admin/approvals/4';
    const answers = { 'GET /api/admin/approvals': [anApproval({ is_mine_to_decide: false })], [declineCall]: null };
    const { server } = await openMoney({}, { path, answers });
    expect(await screen.findByText('чекає на колегу')).toBeTruthy();
    expect(screen.queryByText('Схвалити')).toBeNull();
    fireEvent.click(screen.getByText('Відхилити'));
    await waitFor(() => expect(server.times(declineCall)).toBe(1));
  });

  it('name what is done to a charge, and the command of a network without a second person', async () => {
    const action = anApproval({
      action: 'operation-action',
      subject: { kind: 'operation', id: 480211 },
      details: { action: 'force_energy', energy: 0, update_total: true },
      has_second_person: false,
      is_mine_to_decide: false,
    });
    await openMoney({}, { path, answers: { 'GET /api/admin/approvals': [action] } });
    const row = (await screen.findByText(/Операція № 480211/)).closest('li') as HTMLElement;
    expect(shown(row)).toContain('Марина Литвиненко отримає або не сплатить 7 500,00 ₴.');
    expect(shown(row)).toContain('npm run staff -- approve 4');
  });

  it('are all that a role without the money page sees there', async () => {
    const { server } = await openMoney(
      {},
      { path, role: 'Support', answers: { 'GET /api/admin/approvals': [anApproval()] } },
    );
    expect(await screen.findByText('Схвалити')).toBeTruthy();
    expect(server.times('GET /api/admin/money')).toBe(0);
  });
});
