import type { UserNow } from '@fpay/contract/admin/user-now';
import { type AdminUser, userActions } from '@fpay/contract/admin/users';
import { kopecks, SignedKopecks } from '@fpay/contract/money';
import type { Role } from '@fpay/contract/roles';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { createAppRoutes } from '../../../app/routes/routes.tsx';
import { aUser } from '../../../testing/people.ts';
import { aReasonList, chooseReason, listedReason, reasonsCall } from '../../../testing/reasons.ts';
import { cacheWith, renderRoutes } from '../../../testing/render.tsx';
import { RefusedAnswer, serve } from '../../../testing/server.ts';

vi.setConfig({ testTimeout: 30_000 });

type Transaction = AdminUser['balance_transactions'][number];
const aTransaction = (id: number, amount: number, rest: Partial<Transaction> = {}): Transaction => ({
  id,
  type: 'operation_payment',
  context: {
    admin_id: null,
    charging_operation_id: null,
    invoice_id: null,
    recipient: null,
    sender: null,
    reversed_transaction_id: null,
    promo_id: null,
  },
  amount: SignedKopecks.parse(amount),
  date: '2026-11-15',
  time: '14:32',
  is_reversed: false,
  ...rest,
});

const aPerson = (rest: Partial<AdminUser> = {}): AdminUser => ({
  id: 20_418,
  name: 'Олена Коваль',
  phone_number: '+380671234567',
  role: 'User',
  is_temporary: false,
  last_login: null,
  created_at: '2026-01-01T00:00:00Z',
  wallet: { id: 55, balance: kopecks(100_00), is_shared: false, is_owner: true },
  last_charging_operation: null,
  notes: 0,
  groups: ['Зелений парк', 'Друга'],
  has_telegram: true,
  language: 'uk',
  deleted_at: null,
  balance_transactions: [aTransaction(9, -362_50), aTransaction(8, 1000_00, { type: 'deposit' })],
  actions: [...userActions].filter((action) => action !== 'unban'),
  own_money: 'free',
  roles: ['User', 'Support'],
  ...rest,
});

const aNow = (rest: Partial<UserNow> = {}): UserNow => ({
  charge: null,
  answers: [],
  money: { held: kopecks(0), holds: 0, returning: kopecks(0), balance: kopecks(100_00), debt: kopecks(0) },
  failure: null,
  notes: [],
  messages: [],
  ...rest,
});

const userCall = 'GET /api/admin/users/20418';

async function openUser({
  user = aPerson() as unknown,
  role = 'SuperAdmin' as Role,
  answers = {} as Record<string, unknown>,
  hash = '',
} = {}) {
  const server = serve({
    'GET /api/admin/today?tz=Europe%2FKyiv': new RefusedAnswer(500),
    'POST /api/admin/users': [],
    [userCall]: user,
    [reasonsCall]: aReasonList,
    'GET /api/admin/users/20418/now': aNow(),
    'GET /api/admin/logs/user/20418': 'signed in\nsigned out\n',
    'POST /api/admin/operations/last/100': [],
    'GET /api/admin/notes/user/20418': [
      { id: 1, staff: { id: 3, name: 'Ігор Панченко' }, text: 'Просить рахунок', created_at: '2026-11-15T12:00:00Z' },
    ],
    ...answers,
  });
  const queryClient = cacheWith({ user: aUser({ role }) });
  const drawn = await renderRoutes(createAppRoutes(queryClient), queryClient, `/admin/users/20418${hash}`);
  await act(async () => undefined);
  return { server, ...drawn };
}

const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name });
const shown = (element: Element | null | undefined) => element?.textContent?.replaceAll('\u00a0', ' ');
const popup = async (name: string) => within(await screen.findByRole('dialog', { name }));
/** The text of the notification popup. */
const alerted = async (name: RegExp) => shown(await screen.findByRole('heading', { name }));

describe('the view of a user', () => {
  it('has the notes of colleagues, and takes another one', async () => {
    const call = 'POST /api/admin/notes/user/20418';
    const note = {
      id: 2,
      staff: { id: 7, name: 'Олена Коваль' },
      text: 'Передзвонити',
      created_at: '2026-11-15T12:30:00Z',
    };
    const { server } = await openUser({ answers: { [call]: note } });
    expect(await screen.findByText('Просить рахунок')).toBeTruthy();
    fireEvent.change(screen.getByLabelText('Нотатка для колег'), { target: { value: ' Передзвонити ' } });
    fireEvent.click(button('Додати'));
    await waitFor(() => expect(server.bodyOf(call)).toMatchObject({ text: 'Передзвонити' }));
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Нотатка для колег').value).toBe(''));
  });

  it('redirects to the list when the user does not exist [ADM-USR-06]', async () => {
    const { router } = await openUser({ user: new RefusedAnswer(404) });
    expect(router.state.location.pathname).toBe('/admin/users');
  });

  it('has four tabs, kept in the address, with refresh and back [ADM-USR-07]', async () => {
    const { router } = await openUser({ hash: '#log' });
    expect(screen.getAllByRole('tab').map(shown)).toEqual(['Баланс', 'Операції', 'Журнал', 'Дані']);
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Журнал');
    fireEvent.mouseDown(screen.getByRole('tab', { name: 'Дані' }), { button: 0 });
    await waitFor(() => expect(router.state.location.hash).toBe('#data'));
    expect(button('Оновити')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Назад' }).getAttribute('href')).toBe('/admin/users');
  });

  it('lists the balance transactions, the newest first [ADM-USR-08]', async () => {
    await openUser();
    const rows = within(screen.getByRole('list', { name: 'Баланс' })).getAllByRole('listitem');
    expect(rows.map(shown)).toEqual([
      'Оплата зарядки2026-11-15 14:32 · 9 −362,50 ₴',
      'Поповнення2026-11-15 14:32 · 8 +1 000,00 ₴',
    ]);
  });

  it('names the member of staff who gave the money', async () => {
    const given = aTransaction(7, 50_00, { type: 'admin' });
    const user = aPerson({ balance_transactions: [{ ...given, context: { ...given.context, admin_id: 10 } }] });
    await openUser({ user });
    const rows = within(screen.getByRole('list', { name: 'Баланс' })).getAllByRole('listitem');
    expect(rows.map(shown)).toEqual(['Персонал2026-11-15 14:32 · 7 · працівник 10+50,00 ₴']);
  });

  it.each([
    ['Support', 0],
    ['Operator', 2],
  ] as const)('shows cancel buttons to %s only with the permission [ADM-USR-09]', async (role, count) => {
    await openUser({ role });
    expect(screen.queryAllByRole('button', { name: /Скасувати транзакцію/ })).toHaveLength(count);
  });

  it.each([
    [
      false,
      { id: 8, cancel_payment: false, allow_partial: true },
      'З балансу знімемо 100,00 ₴: не більше, ніж на ньому є.',
    ],
    [
      true,
      { id: 8, cancel_payment: true, allow_partial: false },
      'З балансу знімемо 1 000,00 ₴ і повернемо на картку. Якщо на балансі менше, нічого не станеться.',
    ],
  ])('cancels a top-up, with return to the card %s [ADM-USR-10]', async (toCard, body, effect) => {
    const call = 'DELETE /api/admin/users/balance/transactions';
    const { server } = await openUser({ answers: { [call]: { reversed: 100_00, approval_id: null } } });
    fireEvent.click(button('Скасувати транзакцію 8'));
    const dialog = await popup('Скасувати транзакцію 8');
    if (toCard) fireEvent.click(dialog.getByLabelText('Повернути гроші на картку'));
    expect(shown(dialog.getByText(/З балансу/))).toBe(effect);
    await chooseReason();
    fireEvent.click(dialog.getByRole('button', { name: 'Виконати' }));
    expect(shown(await screen.findByRole('status'))).toBe('Готово. Скасовано 100,00 ₴');
    expect(server.bodyOf(call)).toMatchObject({ ...(body as object), reason: listedReason });
  });

  it('says that a transaction could not be reversed [ERR-33]', async () => {
    const call = 'DELETE /api/admin/users/balance/transactions';
    await openUser({ answers: { [call]: new RefusedAnswer(409, { message: 'No', code: 'already_reversed' }) } });
    fireEvent.click(button('Скасувати транзакцію 8'));
    const dialog = await popup('Скасувати транзакцію 8');
    await chooseReason();
    fireEvent.click(dialog.getByRole('button', { name: 'Виконати' }));
    expect(await alerted(/^ERROR: Не вдалося скасувати транзакцію/)).toBeTruthy();
  });

  it('loads 100 operations of the user [ADM-USR-11]', async () => {
    const { server } = await openUser({ hash: '#operations' });
    expect(await screen.findByText('Операцій не знайдено')).toBeTruthy();
    expect(server.bodyOf('POST /api/admin/operations/last/100')).toMatchObject({ user: '20418' });
  });

  it('shows the log [ADM-USR-12]', async () => {
    await openUser({ hash: '#log' });
    const log = await screen.findByRole('region', { name: 'Журнал' });
    expect(shown(log)).toBe('signed insigned out');
    // It is for reading only: nothing in it can be typed into or pressed.
    expect(log.querySelectorAll('textarea, input, button, [contenteditable="true"]')).toHaveLength(0);
  });

  it('shows the status when the log cannot be read [ERR-37]', async () => {
    await openUser({ hash: '#log', answers: { 'GET /api/admin/logs/user/20418': new RefusedAnswer(403) } });
    expect((await screen.findByText(/^ERROR/)).textContent).toBe('ERROR 403');
  });

  it('shows the data with the first group and the wallet [ADM-USR-13] [ADM-USR-14] [ADM-USR-15]', async () => {
    await openUser({ hash: '#data', user: aPerson({ last_login: '2026-11-14T06:05:00Z' }) });
    const terms = screen.getAllByRole('term');
    const data = Object.fromEntries(terms.map((term) => [term.textContent, shown(term.nextElementSibling)]));
    expect(data).toMatchObject({
      id: '20418',
      name: 'Олена Коваль',
      phone_number: '+380671234567',
      role: 'User',
      is_temporary: 'false',
      created_at: '01.01.2026, 02:00',
      last_login: '14.11.2026, 08:05',
      group: 'Зелений парк',
      'wallet.id': '55',
      'wallet.balance': '100,00 ₴',
      'wallet.is_shared': 'false',
      'wallet.is_owner': 'true',
    });
  });

  it('shows no groups [ADM-USR-14]', async () => {
    await openUser({ hash: '#data', user: aPerson({ groups: [] }) });
    expect(screen.getByText('Немає груп')).toBeTruthy();
  });
});

describe('the actions on a user', () => {
  it.each([
    ['SMS', 'Надіслати SMS', 'POST /api/admin/users/send-sms', { phone_number: '+380671234567', message: 'Вітаємо' }],
    [
      'Telegram',
      'Написати в Telegram',
      'POST /api/admin/users/telegram-message',
      { user_id: 20_418, message: 'Вітаємо' },
    ],
  ])('send a text by %s, which is required [ADM-USR-16] [VAL-23]', async (label, title, call, body) => {
    const { server } = await openUser({ answers: { [call]: { is_queued: true } } });
    fireEvent.click(button(label));
    const dialog = await popup(title);
    fireEvent.click(dialog.getByRole('button', { name: 'Надіслати' }));
    expect(dialog.getByText('Введіть текст')).toBeTruthy();
    expect(server.times(call)).toBe(0);
    fireEvent.change(dialog.getByLabelText('Повідомлення'), { target: { value: ' Вітаємо ' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Надіслати' }));
    await waitFor(() => expect(server.bodyOf(call)).toMatchObject(body));
    expect(await alerted(/Повідомлення надсилається/)).toBeTruthy();
  });

  it.each([
    ['SMS', 'Надіслати SMS', 'POST /api/admin/users/send-sms', /^ERROR: SMS не надіслано/],
    ['Telegram', 'Написати в Telegram', 'POST /api/admin/users/telegram-message', /^ERROR: Повідомлення не/],
  ])('say that %s was not sent, and keep the text [ERR-34] [ERR-35]', async (label, title, call, alert) => {
    await openUser({ answers: { [call]: new RefusedAnswer(500) } });
    fireEvent.click(button(label));
    const dialog = await popup(title);
    fireEvent.change(dialog.getByLabelText('Повідомлення'), { target: { value: 'Вітаємо' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Надіслати' }));
    expect(await alerted(alert)).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Повідомлення').value).toBe('Вітаємо');
  });

  it.each([
    ['Додати ₴', 'Додати на баланс', 'POST /api/admin/users/balance/increase', 'Баланс: 100,00 ₴ → 175,00 ₴'],
    ['Зняти ₴', 'Зняти з балансу', 'POST /api/admin/users/balance/decrease', 'Баланс: 100,00 ₴ → 25,00 ₴'],
  ])('%s changes the balance, shown before and after [ADM-USR-17]', async (label, title, call, effect) => {
    const { server } = await openUser({ answers: { [call]: { balance: 175_00, approval_id: null } } });
    fireEvent.click(button(label));
    const dialog = await popup(title);
    fireEvent.change(dialog.getByLabelText('Сума в копійках'), { target: { value: '7500' } });
    expect(shown(dialog.getByText(/^Баланс:/))).toBe(effect);
    fireEvent.click(dialog.getByRole('button', { name: title }));
    expect(dialog.getByText('Вкажіть причину')).toBeTruthy();
    expect(server.times(call)).toBe(0);
    await chooseReason();
    fireEvent.click(dialog.getByRole('button', { name: title }));
    expect(await alerted(/Готово. Баланс/)).toBe('Готово. Баланс: 175,00 ₴');
    expect(server.bodyOf(call)).toMatchObject({ user_id: 20_418, amount: 7500, reason: listedReason });
  });

  it('show the effect as the server has tried it, and the refusal instead of it', async () => {
    const call = 'POST /api/admin/users/balance/preview';
    const effect = {
      is_allowed: true,
      refusal: null,
      amount: 600_000,
      is_partial: false,
      needs_approval: true,
      to_card: false,
      wallets: [{ user_id: 20_418, name: 'Олена Коваль', from: 80_00, to: 6_080_00 }],
    };
    const { server } = await openUser({ answers: { [call]: effect } });
    fireEvent.click(button('Додати ₴'));
    const dialog = await popup('Додати на баланс');
    fireEvent.change(dialog.getByLabelText('Сума в копійках'), { target: { value: '600000' } });
    const shownEffect = shown(await dialog.findByRole('region', { name: 'Що станеться' }));
    expect(shownEffect).toContain('Баланс: 80,00 ₴ → 6 080,00 ₴');
    expect(shownEffect).toContain('операцію буде проведено після схвалення другим працівником');
    expect(server.bodyOf(call)).toMatchObject({ action: 'give', user_id: 20_418, amount: 600_000 });
    server.answers[call] = { ...effect, is_allowed: false, refusal: 'own_balance', wallets: [] };
    fireEvent.change(dialog.getByLabelText('Сума в копійках'), { target: { value: '500' } });
    expect(await dialog.findByRole('alert')).toBeTruthy();
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Додати на баланс' }).disabled).toBe(true);
  });

  it('show every wallet that a reversal changes, and that only a part is there', async () => {
    const call = 'POST /api/admin/users/balance/transactions/preview';
    const wallets = [
      { user_id: 20_418, name: 'Олена Коваль', from: 100_00, to: 0 },
      { user_id: 7, name: 'Андрій', from: 0, to: 100_00 },
    ];
    const effect = { is_allowed: true, refusal: null, amount: 100_00, is_partial: true, needs_approval: false };
    const { server } = await openUser({ answers: { [call]: { ...effect, to_card: false, wallets } } });
    fireEvent.click(button('Скасувати транзакцію 8'));
    const dialog = await popup('Скасувати транзакцію 8');
    const shownEffect = shown(await dialog.findByRole('region', { name: 'Що станеться' }));
    expect(shownEffect).toContain('Баланс: 100,00 ₴ → 0,00 ₴');
    expect(shownEffect).toContain('Андрій: 0,00 ₴ → 100,00 ₴');
    expect(shownEffect).toContain('Знімемо лише 100,00 ₴');
    expect(server.bodyOf(call)).toMatchObject({ id: 8, cancel_payment: false, allow_partial: true });
  });

  it('promise no return for a transaction that cannot be reversed', async () => {
    const refused = { is_allowed: false, refusal: 'not_reversible', amount: 0, is_partial: false, wallets: [] };
    const effect = { ...refused, needs_approval: false, to_card: false };
    await openUser({ answers: { 'POST /api/admin/users/balance/transactions/preview': effect } });
    fireEvent.click(button('Скасувати транзакцію 8'));
    const dialog = await popup('Скасувати транзакцію 8');
    expect(shown(await dialog.findByRole('alert'))).toBe('Цю транзакцію не можна скасувати');
    expect(dialog.queryByText(/знімемо/)).toBeNull();
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Виконати' }).disabled).toBe(true);
  });

  it.each(['', '0', '1.5', '-5', '1000001'])('refuse the sum %j [VAL-22]', async (typed) => {
    const { server } = await openUser();
    fireEvent.click(button('Додати ₴'));
    const dialog = await popup('Додати на баланс');
    fireEvent.change(dialog.getByLabelText('Сума в копійках'), { target: { value: typed } });
    fireEvent.click(dialog.getByRole('button', { name: 'Додати на баланс' }));
    expect(dialog.getByText('Лише цілі числа від 1 до 1000000!')).toBeTruthy();
    expect(server.times('POST /api/admin/users/balance/increase')).toBe(0);
  });

  it('say that a large sum waits for a second staff member', async () => {
    await openUser({ answers: { 'POST /api/admin/users/balance/increase': { balance: 100_00, approval_id: 3 } } });
    fireEvent.click(button('Додати ₴'));
    const dialog = await popup('Додати на баланс');
    fireEvent.change(dialog.getByLabelText('Сума в копійках'), { target: { value: '600000' } });
    await chooseReason();
    fireEvent.click(dialog.getByRole('button', { name: 'Додати на баланс' }));
    expect(await alerted(/чекає на схвалення/)).toBeTruthy();
  });

  it('alert why the balance did not change [ERR-36]', async () => {
    const refusal = new RefusedAnswer(402, { message: 'Insufficient balance!', code: 'insufficient_balance' });
    await openUser({ answers: { 'POST /api/admin/users/balance/decrease': refusal } });
    fireEvent.click(button('Зняти ₴'));
    const dialog = await popup('Зняти з балансу');
    fireEvent.change(dialog.getByLabelText('Сума в копійках'), { target: { value: '7500' } });
    await chooseReason();
    fireEvent.click(dialog.getByRole('button', { name: 'Зняти з балансу' }));
    expect(await alerted(/^ERROR: ./)).toBeTruthy();
  });

  it.each(['Роль', 'Заблокувати'])('%s says that it is coming without the permission [ADM-USR-18]', async (label) => {
    await openUser({ role: 'Support', user: aPerson({ actions: ['send_sms'] }) });
    fireEvent.click(button(label));
    expect(await alerted(/Незабаром/)).toBeTruthy();
  });

  it('money is grey with its reason before the press when it is the own one, and messages are not [ADM-OP-30]', async () => {
    await openUser({ user: aPerson({ own_money: 'own', actions: ['send_sms', 'set_role', 'ban'] }) });
    for (const label of ['Додати ₴', 'Зняти ₴']) {
      expect((button(label) as HTMLButtonElement).disabled).toBe(true);
      expect(button(label).title).toBe('Це ваші гроші: попросіть колегу');
    }
    expect(screen.getByText('Це ваші гроші: попросіть колегу')).toBeTruthy();
    expect((button('SMS') as HTMLButtonElement).disabled).toBe(false);
    expect((screen.getAllByLabelText(/Скасувати транзакцію/)[0] as HTMLButtonElement).disabled).toBe(true);
  });

  it('set a role among those that may be given [ADM-USR-19]', async () => {
    const call = 'PATCH /api/admin/users/role';
    const { server } = await openUser({ answers: { [call]: { role: 'Support' } } });
    fireEvent.click(button('Роль'));
    const dialog = await popup('Змінити роль');
    expect(dialog.getAllByRole('radio')).toHaveLength(2);
    fireEvent.click(dialog.getByLabelText('Support'));
    fireEvent.click(dialog.getByRole('button', { name: 'Виконати' }));
    expect(await alerted(/Роль: Support/)).toBeTruthy();
    expect(server.bodyOf(call)).toMatchObject({ user_id: 20_418, role: 'Support' });
  });

  it('ban a user only after a confirmation with the effect [ADM-USR-20]', async () => {
    const call = 'POST /api/admin/users/ban';
    const { server } = await openUser({ answers: { [call]: { role: 'Banned' } } });
    fireEvent.click(button('Заблокувати'));
    const dialog = await popup('Заблокувати користувача Олена Коваль?');
    expect(dialog.getByText(/Користувач одразу вийде з акаунта/)).toBeTruthy();
    expect(server.times(call)).toBe(0);
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Так' }).disabled).toBe(true);
    await chooseReason();
    fireEvent.click(dialog.getByRole('button', { name: 'Так' }));
    expect(await alerted(/Роль: Banned/)).toBeTruthy();
    expect(server.bodyOf(call)).toMatchObject({ user_id: 20_418, reason: listedReason });
  });
});
