import { kopecks } from '@fpay/contract/money';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { aUser } from '../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../testing/render.tsx';
import { pass, RefusedAnswer, serve } from '../../testing/server.ts';
import {
  buttonNamed as button,
  popupMessages as messages,
  openStatusPage as openStatus,
  prepareStatusScreen,
  signedCall as signed,
} from '../../testing/status-screen.tsx';
import { Page as ActivePage } from './active-page.tsx';

vi.mock('../../api/realtime.ts', () => ({ connectRealtime: vi.fn() }));

prepareStatusScreen();

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

  it('is sent once by a double tap', async () => {
    const { server } = await openStatus({ status: 'finished' });
    await pass(2100);
    await signed();
    const next = button('Далі');
    fireEvent.click(next);
    fireEvent.click(next);
    await signed();
    expect(server.times('POST /api/feedback')).toBe(1);
  });

  it('is not asked for about an operation of another day', async () => {
    const { server } = await openStatus({ status: 'finished', finished_at: '2026-11-13T01:00:00Z' });
    await pass(2100);
    await signed();
    expect(server.times('POST /api/feedback/allow')).toBe(0);
    expect(popup()).toBeNull();
    // Nor does the page remind of a cable that is unplugged since.
    expect(screen.queryByText(/кабель/)).toBeNull();
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

  it.each(['DENY_RATED', 'NOT_ALLOW'])('is not shown after %s, only logged [STA-29] [ERR-24]', async (allow) => {
    const logged = vi.spyOn(console, 'info').mockImplementation(() => undefined);
    const { server } = await openStatus({ status: 'finished' });
    server.answers['POST /api/feedback/allow'] = { allow };
    await pass(2100);
    await signed();
    expect(popup()).toBeNull();
    expect(logged).toHaveBeenCalledWith('Feedback prohibited');
    logged.mockRestore();
  });

  it.each(['ALLOW', 'ALLOW_LATER'])(
    'is shown after %s, as after each answer that starts with ALLOW [STA-29]',
    async (allow) => {
      const { server } = await openStatus({ status: 'finished' });
      server.answers['POST /api/feedback/allow'] = { allow };
      await pass(2100);
      await signed();
      expect(popup()).not.toBeNull();
    },
  );

  it('that cannot be loaded shows an alert with the reason [ERR-23]', async () => {
    const { server } = await openStatus({ status: 'finished' });
    server.answers['POST /api/feedback/allow'] = new RefusedAnswer(500);
    await pass(2100);
    await signed();
    expect(messages()).toEqual(['Помилка на сервері. Спробуйте трохи згодом.']);
  });
});

it('a reward that was missed, because the budget of the promotion was used up, is said [ADM-OP-31]', async () => {
  await openStatus({ status: 'finished', missed_reward: kopecks(40_00) });
  expect(screen.getByText(/Бюджет акції на сьогодні вичерпали раніше/).textContent).toMatch(/40,00\s₴ ми не повернули/);
  cleanup();
  await openStatus({ status: 'finished', missed_reward: null });
  expect(screen.queryByText(/Бюджет акції/)).toBeNull();
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
  const charge = {
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
    await openActive([charge, { ...charge, id: 15, station_number: 'F7' }]);
    const links = screen.getAllByRole('listitem').map((item) => item.querySelector('a')?.getAttribute('href'));
    expect(links).toEqual(['/status/12', '/status/15']);
  });

  it('show a message when there are none [ACT-02]', async () => {
    await openActive([]);
    expect(screen.getByRole('heading', { name: 'Активних сесій немає' })).toBeTruthy();
  });

  it('stay unchanged without an alert when a refetch fails [ERR-19]', async () => {
    const server = await openActive([charge]);
    server.answers['GET /api/user/transactions/active'] = new RefusedAnswer(500);
    await pass(15_000);
    expect(screen.getAllByRole('listitem')).toHaveLength(1);
    expect(messages()).toEqual([]);
  });
});
