import { kopecks } from '@fpay/contract/money';
import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { leaveFor } from '../../../api/leave.ts';
import { aGuest, aUser } from '../../../testing/people.ts';
import { pass, RefusedAnswer } from '../../../testing/server.ts';
import {
  aConnector,
  amountField,
  aStation,
  connectorCard as card,
  live,
  openAmountStep as openAmount,
  openStationPage as openPage,
  payButton,
  payCall,
  payNow,
  popupText,
  prepareStationScreen,
  pressButton as press,
  stationSoon as soon,
  typeAmount as type,
} from '../../../testing/station-screen.tsx';

vi.mock('../../../api/realtime.ts', () => ({ connectRealtime: vi.fn() }));
vi.mock('../../../api/leave.ts', () => ({ leaveFor: vi.fn() }));

prepareStationScreen();

describe('a free connector', () => {
  async function openFree() {
    const page = await openPage(aStation({ connectors: [aConnector(1, { status: 'ready', price: kopecks(0) })] }));
    fireEvent.click(card('CCS2'));
    await pass();
    return page;
  }

  it('only asks for confirmation, with a back button [CONN-13] [STN-13]', async () => {
    await openFree();
    expect(screen.getByRole('heading', { name: 'Ця зарядка безкоштовна' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Картка/ })).toBeNull();
    expect(screen.queryByText('Безкоштовно')).toBeNull();
    press('Назад');
    await pass(300);
    expect(card('CCS2')).toBeTruthy();
  });

  it('sends amount 0, card and UAH, and accepts only an answer with the status page [PAY-14] [PAY-15]', async () => {
    const { server, router } = await openFree();
    server.answers[payCall] = { page_url: 'https://bank.example/' };
    await payNow(server, 'Почати зарядку');
    expect(server.bodyOf(payCall)).toMatchObject({ amount: 0, payment_type: 'card', target: 'uah', connector: 1 });
    await soon(() => expect(popupText()).toEqual(['Як ви взагалі надіслали цей запит?']));
    expect(leaveFor).not.toHaveBeenCalled();
    await soon(() => expect(screen.getByRole('button', { name: 'Почати зарядку' })).toBeTruthy());
    server.answers[payCall] = { page_url: 's:77' };
    await payNow(server, 'Почати зарядку');
    await soon(() => expect(router.state.location.pathname).toBe('/status/77'));
  });
});

describe('the amount', () => {
  const presets = () =>
    screen.getAllByRole('button', { pressed: false }).concat(screen.getAllByRole('button', { pressed: true }));
  const numbers = () =>
    presets()
      .map(({ textContent }) => Number(textContent))
      .sort((a, b) => a - b);

  it('starts with 10 kWh of 10, 25, 50, 100, or 50 UAH of 50, 100, 250, 500 [PAY-01] [PAY-02] [STN-14]', async () => {
    await openAmount('Картка');
    expect([amountField().value, numbers()]).toEqual(['10', [10, 25, 50, 100]]);
    fireEvent.click(screen.getByLabelText('гривні'));
    expect([amountField().value, numbers()]).toEqual(['50', [50, 100, 250, 500]]);
  });

  it('that is invalid shows an error and cannot be paid [PAY-03] [VAL-19] [VAL-20]', async () => {
    await openAmount('Картка');
    const pay = () => screen.getByRole<HTMLButtonElement>('button', { name: /^(Сплатити|Введіть)/ });
    for (const [unit, bad, good] of [
      ['кВт·год', '201', '200'],
      ['гривні', '3001', '3000'],
    ] as const) {
      fireEvent.click(screen.getByRole('radio', { name: unit }));
      type(bad);
      expect(screen.getByText(/Неправильна сума/)).toBeTruthy();
      expect(pay().disabled).toBe(true);
      type(good);
      expect(pay().disabled).toBe(false);
    }
  });

  it('above the balance cannot be paid from it and links to a top-up; a card is not affected [PAY-06] [PAY-07] [PAY-08] [PAY-09]', async () => {
    await openAmount('Баланс', aUser({ balance: kopecks(145_00) }));
    const topUp = () => screen.queryByRole('link', { name: 'Поповнити баланс' });
    expect(topUp()).toBeNull();
    type('10.01');
    expect(screen.getByRole('alert').textContent).toBe('Недостатньо коштів на балансі');
    expect(topUp()?.getAttribute('href')).toBe('/balance');
    fireEvent.click(screen.getByLabelText('гривні'));
    type('145');
    expect(topUp()).toBeNull();
    type('145.01');
    expect(topUp()).toBeTruthy();
    press('Змінити спосіб оплати');
    await pass();
    press(/^Картка/);
    await pass();
    type('200');
    expect(topUp()).toBeNull();
  });

  it('cannot be paid from the balance by a guest, who gets the link to sign up [PAY-04] [PAY-05]', async () => {
    // The choice is not offered to a guest; only an entry of the history can still ask for it.
    const { router } = await openPage(aStation(), { user: aGuest() });
    await router.navigate('/station/F1400', { state: { step: 'amount', connector: 1, method: 'balance' } });
    await pass();
    expect(screen.getByText('Доступно лише зареєстрованим користувачам')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Зареєструватися' }).getAttribute('href')).toBe('/reg');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: /^Сплатити/ }).disabled).toBe(true);
  });

  it('that is invalid after one above the balance leaves the page as it was', async () => {
    await openAmount('Баланс', aUser({ balance: kopecks(145_00) }));
    type('150');
    type('');
    expect(screen.getByText(/Неправильна сума/)).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Поповнити баланс' })).toBeNull();
  });

  it('that the site has no power for says so, names where it has, and can be tried again', async () => {
    const { server } = await openAmount('Картка');
    server.answers[payCall] = new RefusedAnswer(409, {
      message: 'No power',
      code: 'site_full',
      free: [
        {
          number: 'F1403',
          api_address: '1',
          type: 'ccstype2',
          address: 'Slobozhanskyi Ave 31D',
          address_uk: 'просп. Слобожанський, 31Д',
          price: 14_50,
          distance: 1240,
        },
      ],
    });
    await payNow(server);
    await soon(() => expect(screen.getByRole('alert').textContent).toContain('F1400: бракує потужності'));
    expect(screen.getByRole('link', { name: 'Перейти на F1403' })).toBeTruthy();
    press('Спробувати ще раз');
    await soon(() => expect(screen.queryByRole('alert')).toBeNull());
  });

  it('that the site has no power for can wait in its queue, and goes on when the turn has come', async () => {
    const { server } = await openAmount('Картка');
    const open = { is_open: true, waiting: 2, turn_at: null, is_reachable: false, place: null };
    const queueCall = 'GET /api/station/F1400/queue?connector=1';
    const place = { id: 8, connector: 1, ahead: 2, head_start_until: null, expires_at: '2026-11-15T18:00:00Z' };
    server.answers[payCall] = new RefusedAnswer(409, { message: 'No power', code: 'site_full', free: [] });
    server.answers[queueCall] = open;
    server.answers['GET /api/user/notices'] = { push: true, telegram: true, sms: false };
    server.answers['POST /api/station/F1400/queue'] = { ...place, turn_at: null };
    await payNow(server);
    await soon(() => expect(screen.getByText('Перед вами 2 водії')).toBeTruthy());
    expect(screen.getByText(/Коли надійде ваша черга, поки невідомо/)).toBeTruthy();
    expect(screen.getByText(/не закривайте цю сторінку/)).toBeTruthy();
    server.answers[queueCall] = {
      ...open,
      is_reachable: true,
      place: { ...place, ahead: 0, turn_at: '2026-11-15T14:25:00Z' },
    };
    press('Стати в чергу');
    await soon(() => expect(screen.getByText('Ви наступні в черзі')).toBeTruthy());
    expect(server.bodyOf('POST /api/station/F1400/queue')).toMatchObject({ connector: 1 });
    expect(screen.getByText('16:25')).toBeTruthy();
    expect(screen.queryByText(/не закривайте цю сторінку/)).toBeNull();
    expect(screen.queryByRole('button', { name: 'Стати в чергу' })).toBeNull();
    server.answers[queueCall] = {
      ...open,
      is_reachable: true,
      place: { ...place, ahead: 0, turn_at: null, head_start_until: '2026-11-15T14:10:00Z' },
    };
    live.onMessage();
    await soon(() => expect(screen.getByText('Ваша черга заряджати')).toBeTruthy());
    press('До оплати');
    await soon(() => expect(screen.getByRole('button', { name: /^Сплатити/ })).toBeTruthy());
  });

  it('that comes too late offers another connector here and the nearest free one of the type', async () => {
    const { server, router } = await openAmount('Картка');
    server.answers[payCall] = new RefusedAnswer(409, { message: 'The connector is taken', code: 'connector_taken' });
    server.answers['GET /api/alternatives?number=F1400&type=ccstype2'] = {
      similar: [],
      free: [
        {
          number: 'F1403',
          api_address: '1',
          type: 'ccstype2',
          address: 'Slobozhanskyi Ave 31D',
          address_uk: 'просп. Слобожанський, 31Д',
          price: 14_50,
          distance: 1240,
        },
      ],
    };
    await payNow(server);
    await soon(() => expect(screen.getByRole('alert').textContent).toContain('CCS2 №\u00a01 щойно зайняли'));
    await soon(() => expect(screen.getByRole('link', { name: 'Перейти на F1403' })).toBeTruthy());
    expect(screen.getByText(/1,2.км/)).toBeTruthy();
    press('Інший роз’єм на F1400');
    await pass();
    expect(router.state.location.state).toBeNull();
    expect(card('CCS2')).toBeTruthy();
  });

  it('comes right after the connector for a guest, who can pay by card only', async () => {
    const { router } = await openPage(aStation(), { user: aGuest() });
    fireEvent.click(card('CCS2'));
    await pass();
    expect(screen.queryByRole('heading', { name: 'Як платитимете?' })).toBeNull();
    expect(amountField().value).toBe('10');
    expect(screen.getByRole('list').textContent).toBe('1. Роз’єм2. Сума');
    await router.navigate(-1);
    await pass();
    expect(card('CCS2')).toBeTruthy();
  });

  it('is sent as typed, and locks the form until the bank’s page opens [PAY-03] [PAY-11]', async () => {
    const { server } = await openAmount('Картка');
    server.answers[payCall] = { page_url: 'https://bank.example/pay' };
    type('12,5');
    await payNow(server);
    expect(server.bodyOf(payCall)).toMatchObject({ amount: '12,5', payment_type: 'card', target: 'kwh', connector: 1 });
    await soon(() => expect(leaveFor).toHaveBeenCalledWith('https://bank.example/pay'));
    expect(screen.getByRole('button', { name: 'Зачекайте' }).getAttribute('aria-disabled')).toBe('true');
  });

  it('needs another confirmation when the price has changed since it was shown, with the new price', async () => {
    const { server } = await openAmount('Картка');
    server.answers[payCall] = new RefusedAnswer(409, {
      message: 'The price has changed',
      code: 'price_changed',
      price: 20_00,
    });
    type('10');
    expect(payButton().textContent).toMatch(/145/);
    await payNow(server);
    expect(server.bodyOf(payCall)).toMatchObject({ amount: '10', price: 14_50 });
    await soon(() => expect(screen.getByText('Ціна змінилася. Перевірте її й підтвердьте ще раз.')).toBeTruthy());
    await soon(() => expect(payButton().textContent).toMatch(/200/));
    expect(leaveFor).not.toHaveBeenCalled();
    server.answers[payCall] = { page_url: 'https://bank.example/pay' };
    await payNow(server);
    expect(server.sent.at(-1)?.body).toMatchObject({ amount: '10', price: 20_00 });
    await soon(() => expect(leaveFor).toHaveBeenCalledWith('https://bank.example/pay'));
  });

  it('paid from the balance leads to the status page [PAY-12]', async () => {
    const { server, router } = await openAmount('Баланс');
    server.answers[payCall] = { page_url: 's:480215' };
    await payNow(server);
    await soon(() => expect(router.state.location.pathname).toBe('/status/480215'));
  });

  it('answered with anything else shows an alert and unlocks the form [PAY-13]', async () => {
    const { server } = await openAmount('Картка');
    server.answers[payCall] = { page_url: 'x' };
    await payNow(server);
    await soon(() => expect(popupText()).toEqual(['Як ви взагалі надіслали цей запит?']));
    await soon(() => expect(payButton().getAttribute('aria-disabled')).toBeNull());
  });

  it('that is refused unlocks the form, and a message in it says why [ERR-22]', async () => {
    const { server } = await openAmount('Картка');
    server.answers[payCall] = new RefusedAnswer(402, { message: 'No', code: 'insufficient_balance' });
    await payNow(server);
    await soon(() => expect(payButton().getAttribute('aria-disabled')).toBeNull());
    expect(server.times(payCall)).toBe(1);
    expect(screen.getByText('Недостатньо коштів на балансі')).toBeTruthy();
    expect(popupText()).toEqual([]);
    expect(amountField().value).toBe('10');
  });

  it('includes the ref_id of the address, or the stored one [PAY-10]', async () => {
    localStorage.setItem('ref_id', 'kept');
    const first = await openAmount('Картка');
    first.server.answers[payCall] = { page_url: 's:1' };
    await payNow(first.server);
    expect(first.server.bodyOf(payCall)?.ref_id).toBe('kept');
    first.unmount();

    const second = await openPage(aStation(), { path: '/station/F1400?ref_id=given' });
    second.server.answers[payCall] = { page_url: 's:1' };
    fireEvent.click(card('CCS2'));
    await pass();
    press(/^Картка/);
    await pass();
    await payNow(second.server);
    expect(second.server.bodyOf(payCall)?.ref_id).toBe('given');
    expect(localStorage.getItem('ref_id')).toBe('given');
  });
});

describe('a driver who topped up before a charge', () => {
  const topUpCall = 'GET /api/user/balance/buy';
  const topUp = (payment_status: string | null, page_url: string | null = null) => ({
    amount: 250_00,
    payment_status,
    page_url,
    decline_reason: null,
    card: null,
  });
  const path = '/station/F1400?ref_id=mall&from-bank';
  const openAfter = (answer: unknown) => openPage(aStation(), { path, answers: { [topUpCall]: answer } });
  const note = () => screen.getByText(/250,00/).textContent?.replaceAll('\u00a0', ' ');

  it('sees at the station that the bank has not answered yet, and then that the money has arrived', async () => {
    const { server, router } = await openAfter(topUp(null, 'https://bank.example/pay/1'));
    await soon(() => expect(note()).toBe('Банк ще підтверджує поповнення на 250,00 ₴'));
    expect(screen.getByRole('link', { name: 'До банку' }).getAttribute('href')).toBe('https://bank.example/pay/1');
    server.answers[topUpCall] = topUp('success');
    await pass(2000);
    await soon(() => expect(note()).toBe('250,00 ₴ уже на балансі'));
    // The balance has changed.
    await soon(() => expect(server.times('GET /api/user')).toBe(1));
    // A later reload shows nothing; the referral stays.
    await soon(() => expect(router.state.location.search).toBe('?ref_id=mall'));
  });

  it('returns to the same amount, for which the missing sum was planned', async () => {
    const first = await openAmount('Баланс', aUser({ balance: kopecks(145_00) }));
    type('10.01');
    fireEvent.click(screen.getByRole('link', { name: 'Поповнити баланс' }));
    await soon(() => expect(first.router.state.location.pathname).toBe('/balance'));
    expect(JSON.parse(sessionStorage.getItem('fpay.planned-top-up') ?? '')).toMatchObject({ lack: 15 });
    first.unmount();
    await openAfter(topUp('success'));
    await soon(() => expect(amountField().value).toBe('10.01'));
  });

  it.each(['failed', 'reversed'])('sees that the top-up failed: %s', async (outcome) => {
    await openAfter(topUp(outcome));
    await soon(() => expect(screen.getByText('Поповнити не вдалося, гроші лишилися на картці')).toBeTruthy());
  });

  it('is the only one for whom the top-up is requested', async () => {
    const { server } = await openPage(aStation(), { answers: { [topUpCall]: topUp('success') } });
    expect(server.times(topUpCall)).toBe(0);
  });
});
