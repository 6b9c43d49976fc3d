import { kopecks, wattHours } from '@fpay/contract/money';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { connectRealtime } from '../../api/realtime.ts';
import { pass, RefusedAnswer } from '../../testing/server.ts';
import {
  aCharge,
  buttonNamed as button,
  infoText as info,
  listen,
  liveOperation,
  openMenu,
  openStatusPage as openStatus,
  operationCall,
  prepareStatusScreen,
  signedCall as signed,
} from '../../testing/status-screen.tsx';

vi.mock('../../api/realtime.ts', () => ({ connectRealtime: vi.fn() }));

prepareStatusScreen();

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

  it('counts the grace time of an idle car down, then shows the fee, and waits for the plug after the end', async () => {
    const idle = { fee: kopecks(2_00), grace_minutes: 10, seconds: 540, total: kopecks(0), is_capped: false };
    const full = { ...idle, cause: 'full' as const, is_awaiting_unplug: false };
    const { server } = await openStatus({ idle: full });
    const said = () => screen.getByTestId('idle').textContent;
    expect(said()).toMatch(/ще 1:00 безкоштовно, далі 2,00\s₴ за хвилину/);
    expect(screen.getByText(/простій 2,00\s₴\/хв після 10 хв/)).toBeTruthy();
    await pass(20_000);
    expect(said()).toContain('ще 0:40');
    await pass(45_000);
    expect(said()).toMatch(/Платний простій 0:0[4-6]: нараховано 0,00\s₴/);
    const ended = {
      ...idle,
      seconds: 700,
      total: kopecks(2_00),
      cause: 'plugged_in' as const,
      is_awaiting_unplug: true,
    };
    server.answers[operationCall] = aCharge({ status: 'finishing', finished_at: '2026-11-15T01:30:00Z', idle: ended });
    liveOperation.send({ type: 'operation_update' });
    await pass();
    expect(screen.getByRole('heading', { name: 'Від’єднайте кабель' })).toBeTruthy();
    expect(said()).toMatch(/Зарядку завершено, кабель ще під’єднано.*нараховано 2,00\s₴/);
    expect(screen.queryByRole('button', { name: 'Зупинити зарядку' })).toBeNull();
    expect(screen.getByText('Розблокувати')).toBeTruthy();
    server.answers[operationCall] = aCharge({ status: 'finishing', idle: { ...ended, is_capped: true } });
    liveOperation.send({ type: 'operation_update' });
    await pass(3000);
    expect(said()).toContain('Депозит вичерпано');
  });

  it('subscribes to the group of its operation and refetches on its messages [STA-05] [LIVE-13]', async () => {
    const { server } = await openStatus();
    expect(connectRealtime).toHaveBeenCalledWith({ operation: 12 });
    expect(listen.mock.calls[0]?.[0]).toBe('operation-12');
    server.answers[operationCall] = aCharge({ energy: wattHours(19_000) });
    liveOperation.send({ type: 'operation_update' });
    await pass();
    expect(screen.getByTestId('energy').textContent).toContain('19,00');
  });

  it('alternates energy and connector every 15 s, and shows new energy at once [STA-07] [STA-08] [CONST-05]', async () => {
    const { server } = await openStatus();
    expect(screen.getByTestId('energy').textContent).toMatch(/18,42\sкВт·год/);
    await pass(15_000);
    expect(screen.getByTestId('connector').textContent).toMatch(/CCS2№\s1 · до 60\sкВт/);
    server.answers[operationCall] = aCharge({ energy: wattHours(18_500) });
    liveOperation.send({});
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

  it('shows each figure once: energy and total in the hero, speed, price, time and deposit below [STA-10] [STA-11] [CONST-03]', async () => {
    await openStatus();
    expect(info()).toBe('Швидкість47,3 кВт · 118 АЦіна14,50 ₴/кВт·годМинуло29 хвДепозит363 ₴');
    expect(screen.getAllByText(/18,42/)).toHaveLength(1);
    expect(screen.getAllByText(/267,09/)).toHaveLength(1);
  });

  it('shows the car’s charge in the battery when the car reports it, and names it', async () => {
    await openStatus({ soc: 64, percentage: 74, time_left: 540, car: 'Nissan Leaf' });
    expect(screen.getByRole('img', { name: /Авто заряджено на 64/ })).toBeTruthy();
    expect(screen.getByText(/^Авто: 64/)).toBeTruthy();
    expect(screen.getByText(/^74.% депозиту/)).toBeTruthy();
    expect(screen.getByText('ще ≈ 9 хв')).toBeTruthy();
    expect(screen.getByText('Nissan Leaf')).toBeTruthy();
    cleanup();
    await openStatus({ percentage: 74, payment_type: 'bank', card: '*4821' });
    expect(screen.getByText(/^74.% суми/)).toBeTruthy();
    expect(screen.getByText('заряд авто невідомий')).toBeTruthy();
    expect(screen.getByText('картка *4821')).toBeTruthy();
    expect(screen.queryByText(/ще ≈/)).toBeNull();
  });

  it('leads to the menu and to all sessions while charging', async () => {
    await openStatus();
    fireEvent.click(button('Відкрити меню'));
    expect(openMenu).toHaveBeenCalledTimes(1);
    expect(screen.getByRole('link', { name: /Усі сесії/ }).getAttribute('href')).toBe('/active');
  });

  it('draws the power over time, also after the end', async () => {
    for (const status of ['ongoing', 'finished'] as const) {
      await openStatus({ status, rating: 5 });
      await vi.waitFor(async () => {
        await pass();
        expect(document.querySelector('[data-line=power]')?.getAttribute('d')).toBe('M0 100L160 3L320 25');
      });
      expect(screen.getByText(/найбільша 58,6/)).toBeTruthy();
      expect(screen.getByText(/^авто 18 → 64/)).toBeTruthy();
      cleanup();
    }
  });

  it.each([
    [{ current: -1, power: -1 }, 'Швидкістьнемає даних'],
    [{ current: -1, power: 47_300 }, 'Швидкість47,3 кВт'],
    [{ current: 118, power: -1 }, 'Швидкість118 АЦіна'],
  ])('shows the known speed: %o [STA-11] [STA-12]', async (speed, text) => {
    await openStatus(speed);
    expect(info()).toContain(text);
  });

  it.each([
    ['created', 'Очікуємо підтвердження оплати', 'Якщо ви ще не сплатили'],
    ['pending', 'Оплачено', 'Зарядка незабаром почнеться'],
    ['starting', 'Запускаємо зарядку', 'Чекаємо на відповідь станції'],
    ['finished', 'Зарядку завершено', 'Дякуємо'],
    ['pending_final_payment', 'Зарядку завершено', 'Остаточний розрахунок'],
    ['canceled', 'Скасовано', 'гроші не списано'],
    ['failed', 'Не вдалося зарядити', 'Оплату скасовано, гроші повертаємо'],
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

  it('has a support button, which leads to the conversation about this charge [STA-17]', async () => {
    await openStatus();
    expect(screen.getByRole('link', { name: 'Підтримка' }).getAttribute('href')).toBe('/support?charge=12');
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
    const retry = screen.queryByRole('link', { name: /Спробувати знову|Інша картка/ });
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

  it('shows exact sums that add up after the end, with date, car, price and links', async () => {
    await openStatus({
      status: 'finished',
      payment_type: 'bank',
      card: '*4821',
      car: 'Volkswagen ID.4',
      amount: kopecks(17_50),
      total: kopecks(17_24),
      rating: 5,
      finished_at: '2026-11-14T18:10:00Z',
    });
    const sums = screen.getByLabelText('Розрахунок').textContent?.replaceAll('\u00a0', ' ');
    expect(sums).toBe('Депозит17,50 ₴Розблоковано на картці0,26 ₴Списано з картки *482117,24 ₴');
    expect(info()).toContain('Ціна14,50 ₴/кВт·год');
    expect(screen.getByText(/14 лист.*20:10/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'F1400' }).getAttribute('href')).toBe('/station/F1400');
    expect(screen.getByRole('link', { name: 'Volkswagen ID.4' }).getAttribute('href')).toBe('/cars');
    // A day later the cable is long unplugged.
    expect(screen.queryByText(/від’єднати кабель/)).toBeNull();
  });

  it.each([
    ['not_enough_money', 'На картці *4821 недостатньо коштів для депозиту 362,50 ₴. Гроші не списано.'],
    ['unknown', 'Банк не пояснив причину. Спробуйте іншу картку. Гроші не списано.'],
  ] as const)('explains a declined card in plain words: %s', async (decline_reason, words) => {
    await openStatus({ status: 'failed_hold', decline_reason, card: '*4821' });
    expect(screen.getByRole('heading', { name: 'Банк відхилив картку' })).toBeTruthy();
    expect(document.body.textContent?.replaceAll('\u00a0', ' ')).toContain(words);
    expect(screen.getByRole('link', { name: 'Інша картка' }).getAttribute('href')).toBe('/station/F1400');
  });

  it('speaks of the bank’s answer only when the bank is processing the payment', async () => {
    await openStatus({ status: 'created', hold_status: 'processing', page_url: 'https://bank.example/12' });
    expect(screen.getByText(/Чекаємо на відповідь банку/)).toBeTruthy();
    cleanup();
    await openStatus({ status: 'created', hold_status: 'created', page_url: 'https://bank.example/12' });
    expect(screen.queryByText(/Чекаємо на відповідь банку/)).toBeNull();
  });

  it('when the charger ignores the stop, asks the driver to press its button or to call, and the price stays', async () => {
    await openStatus({ status: 'finishing', stop_requested: true, stop_ignored: true });
    expect(screen.getByText('Станція не зупиняє зарядку')).toBeTruthy();
    expect(screen.getByText(/^Натисніть кнопку «Стоп» на станції або зателефонуйте нам/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Зателефонувати' }).getAttribute('href')).toMatch(/^tel:/);
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
    expect(screen.queryByRole('button', { name: /Зупинити|Скасувати/ })).toBeNull();
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
    server.answers[operationCall] = aCharge();
    await pass(6000);
    expect(screen.queryByText('Немає зв’язку')).toBeNull();
  });
});
