import { kopecks } from '@fpay/contract/money';
import type { BalanceTransaction } from '@fpay/contract/wallet';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { leaveFor } from '../../api/leave.ts';
import { aUser } from '../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../testing/render.tsx';
import { RefusedAnswer, serve } from '../../testing/server.ts';
import { usePopups } from '../../ui/overlay/popups.ts';
import { accountQueries } from '../account/queries.ts';
import { loader, Page } from './balance-page.tsx';

vi.mock('../../api/leave.ts', () => ({ leaveFor: vi.fn() }));

vi.setConfig({ testTimeout: 30_000 });

const transactionsCall = 'GET /api/user/balance/transactions';
const buyCall = 'POST /api/user/balance/buy';
const giftCall = 'POST /api/user/balance/gift';
const recipientCall = 'POST /api/user/balance/gift/recipient';
const topUpCall = 'GET /api/user/balance/buy';

const nothing = {
  admin_id: null,
  charging_operation_id: null,
  invoice_id: null,
  recipient: null,
  sender: null,
  reversed_transaction_id: null,
  promo_id: null,
};
let lastId = 1000;
const aTransaction = (
  type: BalanceTransaction['type'],
  amount: number,
  context: Partial<BalanceTransaction['context']> = {},
): BalanceTransaction => ({
  id: lastId--,
  type,
  context: { ...nothing, ...context },
  amount: amount as BalanceTransaction['amount'],
  date: '2026-11-15',
  time: '14:32',
});

async function openBalance(answers: Record<string, unknown> = {}, path = '/balance') {
  const server = serve({
    [transactionsCall]: [],
    'GET /api/user': aUser(),
    [buyCall]: { page_url: 'https://bank.example/pay/1' },
    [giftCall]: { balance: 1184_50 },
    [recipientCall]: { name: 'Ол… К.' },
    ...answers,
  });
  const queryClient = cacheWith({ user: aUser() });
  const drawn = await renderRoutes([{ path: '/balance', Component: Page, loader }], queryClient, path);
  await act(async () => undefined);
  return { server, queryClient, ...drawn };
}

/** Found by text, because a query by role takes seconds for the whole page. */
const press = (words: string | RegExp, within_: HTMLElement = document.body) =>
  fireEvent.click(within(within_).getByText(words));
const dialog = () => document.querySelector('[role=dialog]') as HTMLElement;
const sheet = () => within(dialog());
const rows = () =>
  Array.from(document.querySelectorAll('li'), ({ textContent }) => textContent?.replaceAll('\u00a0', ' '));
const messages = () => usePopups.getState().waiting.map((popup) => popup.kind === 'message' && popup.message);
const submit = () => fireEvent.submit(dialog().querySelector('form') as HTMLFormElement);

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-15T12:00:00Z'), shouldAdvanceTime: true });
  vi.mocked(leaveFor).mockReset();
  history.replaceState(null, '', '/');
});
afterEach(() => void vi.useRealTimers());

describe('the balance', () => {
  it('lists its transactions below the two buttons for top-up and gift [BAL-01]', async () => {
    await openBalance({ [transactionsCall]: [aTransaction('deposit', 100_00, { invoice_id: 17 })] });
    expect(document.body.textContent?.replaceAll('\u00a0', ' ')).toContain('Баланс1 284,50 ₴');
    await waitFor(() => expect(rows()).toEqual(['Поповнення14:32 · платіж № 17+100,00 ₴']));
    expect(screen.getByText('Сьогодні')).toBeTruthy();
    press('Поповнити');
    expect(sheet().getByText('Поповнити баланс')).toBeTruthy();
    fireEvent.click(sheet().getByLabelText('Закрити'));
    press('Подарувати');
    expect(sheet().getByText('Подарувати гроші')).toBeTruthy();
  });

  it('sets its headline in usual figures, and the column of sums in tabular ones', async () => {
    await openBalance({ [transactionsCall]: [aTransaction('deposit', 177_51)] });
    const headline = screen.getByTestId('balance').firstElementChild;
    expect(headline?.className.split(' ')).not.toContain('tabular');
    expect((await screen.findByText(/177,51/)).className.split(' ')).toContain('tabular');
  });

  it('has a text for each of the eight types, with the person or the operation [BAL-02]', async () => {
    await openBalance({
      [transactionsCall]: [
        aTransaction('admin', 100_00, { admin_id: 3 }),
        aTransaction('admin', -100_00, { admin_id: 3 }),
        aTransaction('deposit', 1000_00, { invoice_id: 17 }),
        aTransaction('gift_from', 250_00, { sender: '+380501231840' }),
        aTransaction('gift_to', -150_00, { recipient: '+48600123456' }),
        aTransaction('operation_payment', -362_50, { charging_operation_id: 480215 }),
        aTransaction('operation_return', 29, { charging_operation_id: 480215 }),
        aTransaction('payment_reversal', 58_00, { reversed_transaction_id: 479880 }),
        aTransaction('promo', 40_00, { promo_id: 1, charging_operation_id: 480102 }),
      ],
    });
    await waitFor(() =>
      expect(rows()).toEqual([
        'Нарахування від Volta14:32+100,00 ₴',
        'Списання від Volta14:32−100,00 ₴',
        'Поповнення14:32 · платіж № 17+1 000,00 ₴',
        'Подарунок вам14:32 · від +380 50 *** 18 40+250,00 ₴',
        'Ваш подарунок14:32 · для +48 600 *** 456−150,00 ₴',
        'Оплата зарядки14:32 · № 480215−362,50 ₴',
        'Повернення за зарядку14:32 · № 480215+0,29 ₴',
        'Скасування платежу14:32 · № 479880+58,00 ₴',
        'Акція14:32 · № 480102+40,00 ₴',
      ]),
    );
  });

  it('names the station of a charge and leads to its page, but not to the charge of another user', async () => {
    const paid = aTransaction('operation_payment', -362_50, { charging_operation_id: 480215 });
    await openBalance({
      [transactionsCall]: [
        { ...paid, charge: { station_number: 'F1400', is_own: true } },
        { ...paid, id: 1, charge: { station_number: 'F1401', is_own: false } },
      ],
    });
    const own = await screen.findByText('Зарядка на F1400');
    expect(own.closest('a')?.getAttribute('href')).toBe('/status/480215');
    expect(screen.getByText('Зарядка на F1401').closest('a')).toBeNull();
  });

  it('shows a positive payment as a return [BAL-03]', async () => {
    await openBalance({ [transactionsCall]: [aTransaction('operation_payment', 12_00, { charging_operation_id: 5 })] });
    await waitFor(() => expect(rows()).toEqual(['Повернення за зарядку14:32 · № 5+12,00 ₴']));
  });

  it('loads the next page', async () => {
    const first = Array.from({ length: 50 }, () => aTransaction('deposit', 100_00));
    const { server } = await openBalance({
      [transactionsCall]: first,
      [`${transactionsCall}?before=${first.at(-1)?.id}`]: [aTransaction('promo', 1_00)],
    });
    await screen.findByText('Показати ще');
    press('Показати ще');
    await waitFor(() => expect(rows().at(-1)).toBe('Акція14:32+1,00 ₴'));
    expect(rows()).toHaveLength(51);
    expect(screen.queryByText('Показати ще')).toBeNull();
    expect(server.times(transactionsCall)).toBe(1);
  });

  it('shows that there are no transactions [ERR-40]', async () => {
    await openBalance();
    expect(await screen.findByText('Платежів ще не було')).toBeTruthy();
  });

  it('suggests to refresh when its transactions could not be loaded [ERR-16]', async () => {
    const { server } = await openBalance({ [transactionsCall]: new RefusedAnswer(500) });
    await waitFor(() => expect(messages()).toEqual(['Не вдалося завантажити список. Оновіть сторінку.']));
    server.answers[transactionsCall] = [aTransaction('promo', 1_00)];
    press('Спробувати ще раз');
    await waitFor(() => expect(rows()).toHaveLength(1));
  });

  it('shows a new balance and its transaction as soon as the user’s balance changes', async () => {
    const { server, queryClient } = await openBalance();
    await screen.findByText('Платежів ще не було');
    server.answers[transactionsCall] = [aTransaction('gift_from', 50_00, { sender: '+380501231840' })];
    act(() => queryClient.setQueryData(accountQueries.user().queryKey, aUser({ balance: kopecks(1334_50) })));
    await waitFor(() => expect(rows()).toHaveLength(1));
    expect(document.body.textContent).toContain('334,50');
  });
});

describe('a top-up', () => {
  const field = () => sheet().getByLabelText<HTMLInputElement>('Сума');
  const presets = () => Array.from(dialog().querySelectorAll('fieldset button'));

  async function openTopUp(answers: Record<string, unknown> = {}) {
    const opened = await openBalance(answers);
    press('Поповнити');
    return opened;
  }

  it('offers 100, 250, 500 and 1000, with 100 as default [BAL-05]', async () => {
    await openTopUp();
    expect(presets().map(({ textContent }) => textContent)).toEqual(['100', '250', '500', '1000']);
    expect(field().value).toBe('100');
    fireEvent.click(presets()[2] as Element);
    expect(field().value).toBe('500');
    expect(presets().map((preset) => preset.getAttribute('aria-pressed'))).toEqual(['false', 'false', 'true', 'false']);
  });

  it('warns that the car must not be connected [BAL-06]', async () => {
    const { server } = await openTopUp();
    expect(
      sheet().getByText('Перед поповненням переконайтеся, що авто не під’єднане до зарядної станції.'),
    ).toBeTruthy();
    expect(server.times(buyCall)).toBe(0);
  });

  it.each(['9,99', '10000,01', '', '12,345'])('of %j is not sent [VAL-18]', async (typed) => {
    const { server } = await openTopUp();
    fireEvent.change(field(), { target: { value: typed } });
    expect(sheet().getByText(/^Неправильна сума. Від 10 до 10.000 ₴$/)).toBeTruthy();
    expect(dialog().querySelector<HTMLButtonElement>('[type=submit]')?.disabled).toBe(true);
    submit();
    expect(server.times(buyCall)).toBe(0);
  });

  it('opens the bank’s page, which returns to the balance [BAL-07] [BAL-08]', async () => {
    const answer = Promise.withResolvers<unknown>();
    const { server } = await openTopUp({ [buyCall]: () => answer.promise });
    fireEvent.change(field(), { target: { value: '250,50' } });
    submit();
    await waitFor(() => expect(dialog().querySelector('[type=submit]')?.getAttribute('aria-busy')).toBe('true'));
    submit();
    await waitFor(() => expect(server.times(buyCall)).toBe(1));
    const { signature, ...sent } = server.bodyOf(buyCall) ?? {};
    expect(sent).toEqual({ amount: 250_50, redirect_to: `${location.origin}/balance?from-bank` });
    expect(leaveFor).not.toHaveBeenCalled();
    answer.resolve({ page_url: 'https://bank.example/pay/1' });
    await waitFor(() => expect(leaveFor).toHaveBeenCalledWith('https://bank.example/pay/1'));
    // Locked until the bank's page opens, and unlocked when the driver returns.
    expect(dialog().querySelector('[type=submit]')?.getAttribute('aria-busy')).toBe('true');
    act(() => void dispatchEvent(new Event('pageshow')));
    expect(dialog().querySelector('[type=submit]')?.getAttribute('aria-busy')).toBeNull();
  });

  it.each(['/station/F1400', '/station/v/F9001'])(
    'returns to %s when the driver came from there [BAL-08]',
    async (path) => {
      history.replaceState(null, '', path);
      const { server } = await openTopUp();
      submit();
      await waitFor(() => expect(leaveFor).toHaveBeenCalled());
      expect(server.bodyOf(buyCall)?.redirect_to).toBe(`${location.origin}${path}?from-bank`);
    },
  );

  it('that fails shows an error, keeps the input and can be retried [ERR-15]', async () => {
    const { server } = await openTopUp({ [buyCall]: new RefusedAnswer(502, { message: 'No', code: 'bank_away' }) });
    fireEvent.change(field(), { target: { value: '300' } });
    submit();
    await waitFor(() => expect(messages()).toEqual(['Не вдалося відкрити оплату. Спробуйте ще раз.']));
    expect(sheet().getByText(/^Банк не відповідає/)).toBeTruthy();
    expect(field().value).toBe('300');
    server.answers[buyCall] = { page_url: 'https://bank.example/pay/2' };
    submit();
    await waitFor(() => expect(leaveFor).toHaveBeenCalledWith('https://bank.example/pay/2'));
  });
});

describe('a driver who returns from the bank', () => {
  const topUp = (payment_status: string | null, page_url: string | null = null) => ({
    amount: 250_00,
    payment_status,
    page_url,
    decline_reason: null,
    card: null,
  });

  it('sees that the bank has not answered yet, and then that the money has arrived', async () => {
    const { server, router } = await openBalance({ [topUpCall]: topUp(null) }, '/balance?from-bank');
    expect(await screen.findByText('Чекаємо на відповідь банку')).toBeTruthy();
    expect(screen.queryByText('Повернутися до оплати')).toBeNull();
    server.answers[topUpCall] = topUp('success');
    server.answers['GET /api/user'] = aUser({ balance: kopecks(1534_50) });
    server.answers[transactionsCall] = [aTransaction('deposit', 250_00)];
    await act(() => vi.advanceTimersByTimeAsync(2000));
    expect(await screen.findByText('Баланс поповнено')).toBeTruthy();
    await waitFor(() => expect(document.body.textContent).toContain('534,50'));
    await waitFor(() => expect(rows()).toHaveLength(1));
    // A later reload shows nothing.
    await waitFor(() => expect(router.state.location.search).not.toContain('from-bank'));
    const asked = server.times(topUpCall);
    await act(() => vi.advanceTimersByTimeAsync(20_000));
    expect(server.times(topUpCall)).toBe(asked);
    fireEvent.click(screen.getByLabelText('Закрити'));
    expect(screen.queryByText('Баланс поповнено')).toBeNull();
  });

  it('without paying gets the link to the bank’s page', async () => {
    await openBalance({ [topUpCall]: topUp(null, 'https://bank.example/pay/1') }, '/balance?from-bank');
    const link = await screen.findByText('Повернутися до оплати');
    expect(link.getAttribute('href')).toBe('https://bank.example/pay/1');
  });

  it('with a refused card sees that and can retry', async () => {
    await openBalance({ [topUpCall]: topUp('failed') }, '/balance?from-bank');
    expect(await screen.findByText('Оплата не пройшла')).toBeTruthy();
    press('Спробувати ще раз');
    expect(sheet().getByText('Поповнити баланс')).toBeTruthy();
    expect(screen.queryByText('Оплата не пройшла')).toBeNull();
  });

  it('is the only one who gets a notice, and for others nothing is requested', async () => {
    const { server } = await openBalance({ [topUpCall]: topUp('success') });
    await screen.findByText('Платежів ще не було');
    expect(server.times(topUpCall)).toBe(0);
  });
});

describe('a gift', () => {
  const phone = () => sheet().getByLabelText<HTMLInputElement>('Номер телефону отримувача');
  const amount = () => sheet().getByLabelText<HTMLInputElement>('Сума');

  async function openGift(answers: Record<string, unknown> = {}) {
    const opened = await openBalance(answers);
    press('Подарувати');
    return opened;
  }
  function fill(to = '+380501112233', sum = '100') {
    fireEvent.change(phone(), { target: { value: to } });
    fireEvent.change(amount(), { target: { value: sum } });
  }

  it('shows how much can be given [BAL-11]', async () => {
    await openGift();
    expect(sheet().getByText((text) => text.replaceAll('\u00a0', ' ') === '1 - 1 284,50')).toBeTruthy();
  });

  const question = () => sheet().findByText(/Подарувати .* отримувачу Ол… К\.\?/);

  it('shows the recipient’s masked name and sends nothing before the driver confirms it', async () => {
    const { server } = await openGift();
    fill('+380501112233', '100,5');
    submit();
    expect((await question()).textContent?.replaceAll('\u00a0', ' ')).toBe('Подарувати 100,50 ₴ отримувачу Ол… К.?');
    expect(sheet().getByText('+380 50 111 22 33')).toBeTruthy();
    const { signature, ...asked } = server.bodyOf(recipientCall) ?? {};
    expect([asked, server.times(giftCall)]).toEqual([{ to: '+380501112233' }, 0]);
    press('Змінити', dialog());
    await sheet().findByLabelText('Сума');
    expect([phone().value, amount().value]).toEqual(['+380 50 111 22 33', '100,5']);
    expect(server.times(giftCall)).toBe(0);
  });

  it.each([
    [404, { code: 'user_not_found' }, 'Користувача не знайдено'],
    [403, { code: 'transfer_refused' }, 'Цьому користувачу не можна переказати кошти'],
  ])('to a user who cannot get it (%s) is refused before the confirmation', async (status, body, words) => {
    const { server } = await openGift({ [recipientCall]: new RefusedAnswer(status, { message: 'No', ...body }) });
    fill();
    submit();
    expect(await sheet().findByText(words)).toBeTruthy();
    expect(server.times(giftCall)).toBe(0);
    fireEvent.change(phone(), { target: { value: '+380501112234' } });
    expect(sheet().queryByText(words)).toBeNull();
  });

  it('is confirmed, then shows success for 3 s, then the form is empty again [BAL-09] [BAL-10]', async () => {
    const answer = Promise.withResolvers<unknown>();
    const { server } = await openGift({ [giftCall]: () => answer.promise });
    fill('+380501112233', '100,5');
    submit();
    await question();
    press('Подарувати', dialog());
    await waitFor(() => expect(dialog().querySelector('[aria-busy=true]')).toBeTruthy());
    fireEvent.click(dialog().querySelector('[aria-busy=true]') as Element);
    await waitFor(() => expect(server.times(giftCall)).toBe(1));
    const { signature, ...sent } = server.bodyOf(giftCall) ?? {};
    expect(sent).toEqual({ to: '+380501112233', amount: 100_50 });
    answer.resolve({ balance: 1184_00 });
    const done = await sheet().findByText(/надіслано на номер \+380 50 111 22 33/);
    expect(done.textContent?.replaceAll('\u00a0', ' ')).toBe('100,50 ₴ надіслано на номер +380 50 111 22 33');
    // Timers also advance a little by themselves, so the checks are well before and well after three seconds.
    await act(() => vi.advanceTimersByTimeAsync(1500));
    expect(sheet().queryByText(/надіслано/)).toBeTruthy();
    await act(() => vi.advanceTimersByTimeAsync(1600));
    expect(sheet().queryByText(/надіслано/)).toBeNull();
    expect([phone().value, amount().value]).toEqual(['+380', '']);
    expect(document.body.textContent).toContain('184,00');
    await waitFor(() => expect(server.times(transactionsCall)).toBe(2));
  });

  it.each([
    ['+380671234567', '10', 'Це ваш власний номер'],
    ['+380501112233', '0', 'Неправильна сума'],
    ['+380501112233', '1284,51', 'Недостатньо коштів на балансі'],
    ['+380501112233', '10,555', 'Неправильна сума'],
    ['+380', '10', 'Введіть номер із кодом країни, наприклад +380671234567'],
  ])('to %s of %s is marked before anything is sent [VAL-07] [VAL-15] [VAL-16]', async (to, sum, fault) => {
    const { server } = await openGift();
    fill(to, sum);
    expect(dialog().querySelector('[aria-invalid]')).toBeNull();
    submit();
    expect(sheet().getByText(fault)).toBeTruthy();
    expect(server.times(giftCall)).toBe(0);
  });

  it.each([
    [404, { code: 'user_not_found' }, 'Користувача не знайдено'],
    [403, { code: 'transfer_refused' }, 'Цьому користувачу не можна переказати кошти'],
    [500, {}, 'Помилка на сервері. Спробуйте трохи згодом.'],
    [422, { code: 'invalid_input', errors: { to: ['x'] } }, 'Введіть номер із кодом країни, наприклад +380671234567'],
  ])(
    'that is refused with %s shows the reason and keeps the input [BAL-09] [ERR-11] [ERR-12] [ERR-13] [ERR-14]',
    async (status, body, words) => {
      await openGift({ [giftCall]: new RefusedAnswer(status, { message: 'No', ...body }) });
      fill();
      submit();
      await question();
      press('Подарувати', dialog());
      expect(await sheet().findByText(words)).toBeTruthy();
      expect([phone().value, amount().value]).toEqual(['+380 50 111 22 33', '100']);
      // The refusal is not shown for another number.
      fireEvent.change(phone(), { target: { value: '+380501112234' } });
      expect(sheet().queryByText(words)).toBeNull();
    },
  );
});
