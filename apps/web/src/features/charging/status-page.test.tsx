import type { Operation } from '@fpay/contract/charging';
import { kopecks, wattHours, watts } from '@fpay/contract/money';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { connectRealtime } from '../../api/realtime.ts';
import { aUser } from '../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../testing/render.tsx';
import { pass, RefusedAnswer, serve } from '../../testing/server.ts';
import { PopupHost } from '../../ui/overlay/popup-host.tsx';
import { usePopups } from '../../ui/overlay/popups.ts';
import { Page as ActivePage } from './active-page.tsx';
import { StatusPage } from './status-page.tsx';
import './feedback-popup.tsx';

vi.mock('../../api/realtime.ts', () => ({ connectRealtime: vi.fn() }));

const operationCall = 'GET /api/operation/12';
const anOperation = (rest: Partial<Operation> = {}): Operation => ({
  id: 12,
  status: 'ongoing',
  number: 'F1400',
  address: 'Slobozhanskyi Ave',
  address_uk: 'просп. Слобожанський',
  connector_type: 'ccstype2',
  connector_number: '1',
  connector_power: watts(60_000),
  amount: kopecks(362_50),
  payment_type: 'bonuses',
  price: kopecks(14_50),
  energy_limit: wattHours(25_000),
  total: kopecks(267_09),
  real_total: kopecks(267_09),
  percentage: 74,
  energy: wattHours(18_420),
  power: 47_300,
  current: 118,
  soc: null,
  time_left: null,
  start_attempt: 1,
  max_attempts: 3,
  hold_status: null,
  payment_status: 'success',
  rating: null,
  rating_comment: null,
  stop_requested: false,
  stop_ignored: false,
  is_online: true,
  page_url: null,
  fiscal_url: null,
  has_receipt: true,
  failure_reason: null,
  created_at: '2026-11-15T01:00:00Z',
  started_at: '2026-11-15T01:01:00Z',
  finished_at: null,
  ...rest,
});

let sendMessage: (data: unknown) => void;
const listen = vi.fn((_group: string, onMessage: (data: unknown) => void) => {
  sendMessage = onMessage;
});

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-15T01:30:00Z') });
  listen.mockClear();
  vi.mocked(connectRealtime).mockReturnValue({ listen, stop: vi.fn() });
});
afterEach(() => void vi.useRealTimers());

async function openStatus(rest: Partial<Operation> = {}) {
  const server = serve({
    [operationCall]: anOperation(rest),
    'POST /api/feedback/allow': { allow: 'ALLOW' },
    'POST /api/feedback': null,
    'POST /api/operation/stop/12': { status: 'finishing' },
    'GET /api/user': () => aUser(),
  });
  const drawn = await renderRoutes(
    [
      {
        path: '/status/:operation',
        element: (
          <>
            <StatusPage corner={null} />
            <PopupHost />
          </>
        ),
      },
      { path: '*', element: <p>Інша сторінка</p> },
    ],
    cacheWith({ user: aUser() }),
    '/status/12',
  );
  await pass();
  return { server, ...drawn };
}

/** Signing uses the platform's real clock. */
async function signed() {
  for (let turn = 0; turn < 3; turn++) {
    await pass(10);
    vi.useRealTimers();
    await act(() => new Promise((resolve) => setTimeout(resolve, 40)));
    vi.useFakeTimers();
  }
  await pass(10);
}

const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name });
const info = () => screen.getByLabelText('Подробиці').textContent?.replaceAll('\u00a0', ' ');
const messages = () => usePopups.getState().waiting.map((popup) => popup.kind === 'message' && popup.message);

describe('the status screen', () => {
  it('names the operation, and alternates number and address every 5 s [STA-01] [STA-02]', async () => {
    await openStatus();
    expect(screen.getByText('№ 12')).toBeTruthy();
    expect(screen.getByText('F1400')).toBeTruthy();
    await pass(5000);
    expect(screen.getByText('просп. Слобожанський')).toBeTruthy();
    expect(screen.queryByText('F1400')).toBeNull();
  });

  it('has a manual refresh that turns for 1 s and is blocked for 2 s after a request [STA-03] [STA-04]', async () => {
    const { server } = await openStatus();
    expect(button('Оновити').disabled).toBe(true);
    await pass(2100);
    fireEvent.click(button('Оновити'));
    await pass();
    expect(server.times(operationCall)).toBe(2);
    expect(button('Оновити').disabled).toBe(true);
    const turns = () => button('Оновити').querySelector('.animate-spin') !== null;
    expect(turns()).toBe(true);
    await pass(1100);
    expect([turns(), button('Оновити').disabled]).toEqual([false, true]);
    await pass(1100);
    expect(button('Оновити').disabled).toBe(false);
  });

  it('subscribes to the group of its operation and refetches on its messages [STA-05] [LIVE-13]', async () => {
    const { server } = await openStatus();
    expect(connectRealtime).toHaveBeenCalledWith({ operation: 12 });
    expect(listen.mock.calls[0]?.[0]).toBe('operation-12');
    server.answers[operationCall] = anOperation({ energy: wattHours(19_000) });
    sendMessage({ type: 'operation_update' });
    await pass();
    expect(screen.getByTestId('energy').textContent).toContain('19,00');
  });

  it('alternates energy and connector every 15 s, and shows new energy at once [STA-07] [STA-08] [CONST-05]', async () => {
    const { server } = await openStatus();
    expect(screen.getByTestId('energy').textContent).toMatch(/18,42\sкВт·год/);
    await pass(15_000);
    expect(screen.getByTestId('connector').textContent).toMatch(/CCS2№ 1 · до 60,0\sкВт/);
    server.answers[operationCall] = anOperation({ energy: wattHours(18_500) });
    sendMessage({});
    await pass();
    expect(screen.getByTestId('energy').textContent).toContain('18,50');
  });

  it('has a battery of 4 segments, 20 % each [STA-09]', async () => {
    await openStatus({ percentage: 50 });
    const battery = screen.getByRole('img', { name: /Заряджено/ });
    expect(Array.from(battery.querySelectorAll('[data-share]'), (part) => part.getAttribute('data-share'))).toEqual([
      '1',
      '1',
      '0.5',
      '0',
    ]);
  });

  it('shows energy, speed, and money rounded [STA-10] [STA-11] [CONST-03]', async () => {
    await openStatus();
    expect(info()).toBe('Енергія18,42 кВт·годШвидкість118 А · 47,3 кВтДепозит363 ₴Разом267 ₴');
  });

  it.each([
    [{ current: -1, power: -1 }, 'Швидкістьнемає даних'],
    [{ current: -1, power: 47_300 }, 'Швидкість47,3 кВт'],
    [{ current: 118, power: -1 }, 'Швидкість118 АДепозит'],
  ])('shows the known speed: %o [STA-11] [STA-12]', async (speed, text) => {
    await openStatus(speed);
    expect(info()).toContain(text);
  });

  it.each([
    ['created', 'Очікуємо підтвердження оплати', 'Чекаємо на відповідь банку'],
    ['pending', 'Оплачено', 'Зарядка незабаром почнеться'],
    ['starting', 'Запускаємо зарядку', 'Чекаємо на відповідь станції'],
    ['finished', 'Зарядку завершено', 'Дякуємо'],
    ['pending_final_payment', 'Зарядку завершено', 'Остаточний розрахунок'],
    ['canceled', 'Скасовано', 'гроші не списано'],
    ['failed', 'Не вдалося зарядити', 'Оплату скасовано, гроші повернуто'],
    ['failed_hold', 'Оплата не пройшла', 'Спробуйте інший спосіб оплати'],
  ] as const)('has a message for %s [STA-13] [STA-14] [STA-15] [MACH-02]', async (status, title, message) => {
    await openStatus({ status, rating: 5 });
    expect(screen.getByRole('heading', { name: title })).toBeTruthy();
    expect(screen.getByText(new RegExp(message))).toBeTruthy();
  });

  it.each([
    ['pending', true],
    ['starting', true],
    ['created', false],
    ['failed', false],
  ] as const)('counts attempts while %s: %s [STA-16]', async (status, isCounted) => {
    await openStatus({ status, start_attempt: 2, rating: 1 });
    expect(screen.queryByText('Спроба 2/3') !== null).toBe(isCounted);
  });

  it('has a link to call support, whose number is a setting [STA-17] [CONST-02]', async () => {
    await openStatus();
    expect(screen.getByRole('link', { name: 'Зателефонувати в підтримку' }).getAttribute('href')).toBe(
      'tel:+380800000000',
    );
  });

  it.each([
    ['ongoing', false, false],
    ['finished', true, false],
    ['pending_final_payment', true, false],
    ['canceled', true, true],
    ['failed', true, true],
    ['failed_hold', true, true],
  ] as const)('while %s: back %s, retry %s [STA-06] [STA-19] [MACH-03]', async (status, hasBack, hasRetry) => {
    await openStatus({ status, rating: 5 });
    expect(screen.queryByRole('button', { name: 'Назад' }) !== null).toBe(hasBack);
    const retry = screen.queryByRole('link', { name: 'Спробувати знову' });
    expect(retry?.getAttribute('href') ?? null).toBe(hasRetry ? '/station/F1400' : null);
  });

  it.each([
    ['ongoing', 'bonuses', false],
    ['finished', 'bonuses', true],
    ['finished', 'free', false],
    ['failed', 'bank', false],
  ] as const)('offers a receipt while %s and paid by %s: %s [STA-18]', async (status, payment_type, isOffered) => {
    await openStatus({ status, payment_type, has_receipt: payment_type !== 'free', rating: 5 });
    expect(screen.queryByRole('button', { name: 'Квитанція PDF' }) !== null).toBe(isOffered);
  });

  it.each(['finished', 'pending_final_payment'] as const)(
    'offers the map instead of a receipt while %s when nothing was captured [STA-18]',
    async (status) => {
      await openStatus({ status, payment_type: 'bank', has_receipt: false, rating: 5 });
      expect(screen.queryByRole('button', { name: 'Квитанція PDF' })).toBeNull();
      expect(screen.getByRole('link', { name: 'На мапу' })).toBeTruthy();
    },
  );

  it('saves the receipt as invoice-fpay-12.pdf [STA-18]', async () => {
    const { server } = await openStatus({ status: 'finished', rating: 5 });
    server.answers['GET /api/invoice/12'] = new Blob(['%PDF']);
    URL.createObjectURL = () => 'blob:receipt';
    const saved: string[] = [];
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    fireEvent.click(button('Квитанція PDF'));
    await pass(10);
    expect(saved).toEqual(['invoice-fpay-12.pdf']);
    click.mockRestore();
  });

  it('asks for confirmation with money and energy; then finish is disabled [STA-20] [STA-22]', async () => {
    const { server } = await openStatus();
    fireEvent.click(button('Завершити зарядку'));
    await pass(10);
    expect(server.times('POST /api/operation/stop/12')).toBe(0);
    const asked = screen.getByRole('dialog', { name: 'Завершити зарядку?' }).textContent?.replaceAll('\u00a0', ' ');
    expect(asked).toContain('Авто отримало 18,42 кВт·год. Спишемо 267,09 ₴, ще 95,41 ₴ повернемо одразу.');
    server.answers[operationCall] = anOperation({ stop_requested: true });
    fireEvent.click(button('Завершити'));
    await signed();
    expect(server.times('POST /api/operation/stop/12')).toBe(1);
    expect(button('Завершуємо').disabled).toBe(true);
  });

  it('when the charger ignores the stop, asks the driver to press its button or to call, and the price stays', async () => {
    await openStatus({ status: 'finishing', stop_requested: true, stop_ignored: true });
    expect(screen.getByText('Станція не зупиняє зарядку').getAttribute('role')).toBe('status');
    expect(screen.getByText(/^Натисніть кнопку «Стоп» на станції або зателефонуйте нам/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Зателефонувати в підтримку' })).toBeTruthy();
    cleanup();
    await openStatus({ status: 'finishing', stop_requested: true });
    expect(screen.queryByText('Станція не зупиняє зарядку')).toBeNull();
  });

  it('offers to unlock a stuck cable for half an hour after the end, and shows the result', async () => {
    const finished_at = new Date(Date.now() - 29 * 60_000).toISOString();
    const { server } = await openStatus({ status: 'finished', rating: 5, finished_at });
    server.answers['POST /api/operation/unlock/12'] = { status: 'not_supported' };
    fireEvent.click(button('Розблокувати'));
    await signed();
    expect(server.times('POST /api/operation/unlock/12')).toBe(1);
    expect(screen.getByRole('dialog', { name: /^Ця станція кабель не тримає/ })).toBeTruthy();
  });

  it('offers no unlocking while charging, nor later than half an hour after the end', async () => {
    const { unmount } = await openStatus({ status: 'finishing', finished_at: null });
    expect(screen.queryByRole('button', { name: 'Розблокувати' })).toBeNull();
    unmount();
    await openStatus({ status: 'finished', rating: 5, finished_at: new Date(Date.now() - 31 * 60_000).toISOString() });
    expect(screen.getByText('Зарядку завершено')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Розблокувати' })).toBeNull();
  });

  it('cannot be canceled twice, even before the operation reports the requested stop [STA-21]', async () => {
    const { server } = await openStatus({ status: 'starting' });
    server.answers['POST /api/operation/stop/12'] = { status: 'starting' };
    fireEvent.click(button('Скасувати'));
    await pass(10);
    // The refetch after the stop gets no answer, so the page shows the answer of the stop itself.
    server.answers[operationCall] = () => new Promise(() => undefined);
    fireEvent.click(screen.getAllByRole('button', { name: 'Скасувати' }).at(-1) as HTMLElement);
    await signed();
    expect(button('Скасовуємо').disabled).toBe(true);
  });

  it('cannot be finished twice: not while finishing, not when finished [STA-21]', async () => {
    const { unmount } = await openStatus({ status: 'finishing' });
    expect(button('Завершуємо').disabled).toBe(true);
    unmount();
    await openStatus({ status: 'finished', rating: 5 });
    expect(screen.queryByRole('button', { name: /Завершити|Скасувати/ })).toBeNull();
  });

  it('offers the link to the bank and cancel while unpaid [PAY-30]', async () => {
    const { server } = await openStatus({ status: 'created', page_url: 'https://bank.example/12' });
    const back = screen.getByRole('link', { name: 'Повернутися до оплати' });
    expect(back.getAttribute('href')).toBe('https://bank.example/12');
    fireEvent.click(button('Скасувати'));
    await pass(10);
    fireEvent.click(screen.getAllByRole('button', { name: 'Скасувати' }).at(-1) as HTMLElement);
    await signed();
    expect(server.times('POST /api/operation/stop/12')).toBe(1);
  });

  it('without a network shows the last known state with its age, and recovers by itself', async () => {
    const { server } = await openStatus();
    server.answers[operationCall] = new RefusedAnswer(500);
    await pass(42_000);
    expect(screen.getByText(/Останні дані 4[12] с тому/)).toBeTruthy();
    expect(screen.getByText('Заряджаємо')).toBeTruthy();
    server.answers[operationCall] = anOperation();
    await pass(6000);
    expect(screen.queryByText('Немає зв’язку')).toBeNull();
  });
});

describe('feedback', () => {
  const popup = () => screen.queryByRole('dialog');

  it('is requested 2 s after the finish: 1 to 5, preset 4, a comment that pulses below 4 [STA-23] [STA-24] [STA-25]', async () => {
    await openStatus({ status: 'finished' });
    await pass(1900);
    expect(popup()).toBeNull();
    await pass(200);
    await signed();
    expect(screen.getAllByRole<HTMLInputElement>('radio').map(({ value, checked }) => [value, checked])).toEqual([
      ['1', false],
      ['2', false],
      ['3', false],
      ['4', true],
      ['5', false],
    ]);
    const pulses = () => screen.getByLabelText('Коментар').className.includes('animate-attention');
    expect(pulses()).toBe(false);
    fireEvent.click(screen.getByRole('radio', { name: '3' }));
    expect(pulses()).toBe(true);
    fireEvent.click(button('Пропустити'));
    await pass(10);
    expect(popup()).toBeNull();
  });

  it('cannot be sent twice or skipped while it is being sent [STA-24] [STA-28]', async () => {
    const { server } = await openStatus({ status: 'finished' });
    await pass(2100);
    await signed();
    server.answers['POST /api/feedback'] = () => new Promise(() => undefined);
    fireEvent.click(button('Далі'));
    await signed();
    expect(server.bodyOf('POST /api/feedback')).toMatchObject({ rating: 4, comment: null, charging_operation_id: 12 });
    expect(button('Зачекайте').getAttribute('aria-disabled')).toBe('true');
    expect(button('Пропустити').disabled).toBe(true);
    fireEvent.keyDown(document.body, { key: 'Escape' });
    expect(popup()).toBeTruthy();
  });

  it.each(['canceled', 'failed'] as const)(
    'after %s asks only for the reason, as a rating of 1 [STA-26] [STA-27]',
    async (status) => {
      const { server } = await openStatus({ status });
      await pass(10);
      await signed();
      expect(screen.getByRole('dialog', { name: 'Що пішло не так?' })).toBeTruthy();
      expect(screen.queryByRole('radio')).toBeNull();
      fireEvent.change(screen.getByLabelText('Коментар'), { target: { value: 'Кабель не фіксується' } });
      fireEvent.click(button('Надіслати'));
      await signed();
      expect(server.bodyOf('POST /api/feedback')).toMatchObject({ rating: 1, comment: 'Кабель не фіксується' });
    },
  );

  it('is not shown when it is not allowed, only logged [STA-29] [ERR-24]', async () => {
    const logged = vi.spyOn(console, 'info').mockImplementation(() => undefined);
    const { server } = await openStatus({ status: 'finished' });
    server.answers['POST /api/feedback/allow'] = { allow: 'DENY_RATED' };
    await pass(2100);
    await signed();
    expect(popup()).toBeNull();
    expect(logged).toHaveBeenCalledWith('Feedback prohibited');
    logged.mockRestore();
  });

  it('that cannot be loaded shows an alert with the reason [ERR-23]', async () => {
    const { server } = await openStatus({ status: 'finished' });
    server.answers['POST /api/feedback/allow'] = new RefusedAnswer(500);
    await pass(2100);
    await signed();
    expect(messages()).toEqual(['Помилка на сервері. Спробуйте трохи згодом.']);
  });
});

describe('the fiscal check', () => {
  const url = 'https://cabinet.tax.gov.ua/cashregs/check?id=3512874562';
  const link = () => screen.queryByRole('link', { name: 'Фіскальний чек' })?.getAttribute('href') ?? null;

  it('is linked once the operation is finished, and only when there is one [PAY-33]', async () => {
    await openStatus({ status: 'finished', fiscal_url: url });
    expect(link()).toBe(url);
    cleanup();
    await openStatus({ status: 'finished', fiscal_url: null });
    expect(link()).toBeNull();
  });
});

describe('active sessions', () => {
  async function openActive(answer: unknown) {
    const server = serve({ 'GET /api/user/transactions/active': answer });
    await renderRoutes([{ path: '/active', Component: ActivePage }], cacheWith({ user: aUser() }), '/active');
    await pass();
    return server;
  }
  const session = {
    id: 12,
    status: 'ongoing',
    connectorType: 'ccstype2',
    connectorAddress: '1',
    connectorPower: 60_000,
    deposit: 362_50,
    station_number: 'F1400',
    energy: 18_420,
    total: 267_09,
  };

  it('are listed, each with a link to its status page [ACT-01]', async () => {
    await openActive([session, { ...session, id: 15, station_number: 'F7' }]);
    const links = screen.getAllByRole('listitem').map((item) => item.querySelector('a')?.getAttribute('href'));
    expect(links).toEqual(['/status/12', '/status/15']);
  });

  it('show a message when there are none [ACT-02]', async () => {
    await openActive([]);
    expect(screen.getByRole('heading', { name: 'Активних сесій немає' })).toBeTruthy();
  });

  it('stay unchanged without an alert when a refetch fails [ERR-19]', async () => {
    const server = await openActive([session]);
    server.answers['GET /api/user/transactions/active'] = new RefusedAnswer(500);
    await pass(15_000);
    expect(screen.getAllByRole('listitem')).toHaveLength(1);
    expect(messages()).toEqual([]);
  });
});
