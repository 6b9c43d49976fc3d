import { kopecks } from '@fpay/contract/money';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { pass } from '../../testing/server.ts';
import {
  aCurve,
  buttonNamed,
  openStatusPage as openStatus,
  prepareStatusScreen,
} from '../../testing/status-screen.tsx';

vi.mock('../../api/realtime.ts', () => ({ connectRealtime: vi.fn() }));

prepareStatusScreen();

const drawing = () => screen.queryByRole('img', { name: /кВт · найбільша/ });
const line = (name: string) => drawing()?.querySelector(`[data-line=${name}]`)?.getAttribute('d') ?? null;

describe('the power curve', () => {
  it('of a running charge ends with a dashed line for what is expected, at most a quarter of the drawing', async () => {
    await openStatus({ time_left: 4000 });
    await pass(10);
    // 20 minutes are measured; of the 66 that are left, 400 s are drawn.
    expect(line('power')).toBe('M0 100L120 3L240 25');
    expect(line('expected')).toBe('M240 25H320');
  });

  it.each([
    ['is over', { status: 'finished' as const, rating: 5, time_left: 4000 }],
    ['cannot be foreseen', { time_left: null }],
    ['has a station that is silent', { time_left: 4000, is_online: false }],
  ])('has no dashed line when the charge %s', async (_, rest) => {
    await openStatus(rest);
    await pass(10);
    expect(line('power')).toBe('M0 100L160 3L320 25');
    expect(line('expected')).toBeNull();
  });

  it('stays on the page of a finished charge, with its highest power and the state of the car', async () => {
    await openStatus({ status: 'finished', rating: 5, finished_at: '2026-11-14T18:10:00Z' });
    await pass(10);
    expect(drawing()).toBeTruthy();
    expect(document.body.textContent?.replaceAll('\u00a0', ' ')).toContain('авто 18 → 64 %');
  });

  it('begins when power began, as history and receipt do, and not with the first reading [HIST-05]', async () => {
    await openStatus(
      { status: 'finished', rating: 5, started_at: '2026-11-14T16:58:40Z', finished_at: '2026-11-14T17:38:39Z' },
      aCurve({ began_at: '2026-11-14T16:59:05Z' }),
    );
    await pass(10);
    expect(screen.getByText('18:58')).toBeTruthy();
    expect(screen.getByText('39 хв')).toBeTruthy();
  });

  it.each([
    ['one reading', aCurve({ seconds: [0], power: [10_000] })],
    ['no values of the power', aCurve({ power: [null, null, null] })],
    ['no readings', aCurve({ began_at: null, seconds: [], power: [] })],
  ])('is absent with %s', async (_, curve) => {
    await openStatus({ status: 'finished', rating: 5 }, curve);
    await pass(10);
    expect(screen.getByText('Зарядку завершено')).toBeTruthy();
    expect(drawing()).toBeNull();
  });
});

describe('the time left', () => {
  it.each([
    [true, 1],
    [false, 0],
  ])('is shown only of a station that is connected: %s', async (is_online, times) => {
    await openStatus({ time_left: 540, is_online });
    expect(screen.queryAllByText('ще ≈ 9 хв')).toHaveLength(times);
  });
});

describe('an operation that ended without a charge', () => {
  it.each([
    ['canceled', 'lucide-ban'],
    ['failed', 'lucide-unplug'],
    ['failed_hold', 'lucide-credit-card'],
  ] as const)('has a sign of its own when it is %s, not only a colour', async (status, sign) => {
    await openStatus({ status, rating: 1 });
    expect(screen.getByRole('heading', { level: 1 }).closest('section')?.querySelector(`.${sign}`)).toBeTruthy();
  });
});

describe('a saved card that was charged', () => {
  const charged = { payment_type: 'bank' as const, is_overcharged: true };

  it('gets the rest back, as the question before the stop says', async () => {
    await openStatus(charged);
    fireEvent.click(buttonNamed('Зупинити зарядку'));
    await pass(10);
    expect(screen.getByRole('dialog').textContent).toContain('Повернемо');
    expect(screen.getByRole('dialog').textContent).not.toContain('Розблокуємо');
  });

  it('gets everything back when the charge is canceled, before and after', async () => {
    await openStatus({ ...charged, status: 'starting' });
    fireEvent.click(buttonNamed('Скасувати'));
    await pass(10);
    expect(screen.getByRole('dialog').textContent?.replaceAll('\u00a0', ' ')).toContain(
      'Усі 362,50 ₴ повернуться на картку.',
    );
    cleanup();
    await openStatus({ ...charged, status: 'canceled', rating: 1 });
    expect(screen.getByText('Зарядка не почалася. Гроші повертаємо на картку.')).toBeTruthy();
    expect(screen.queryByText(/гроші не списано/)).toBeNull();
  });
});

describe('the sums of a finished charge by card', () => {
  it.each([
    [false, 'Розблоковано на картці'],
    [true, 'Повернення на картку'],
  ])('name the rest as what happened to it: charged %s', async (is_overcharged, words) => {
    await openStatus({
      status: 'finished',
      payment_type: 'bank',
      card: '*4821',
      is_overcharged,
      amount: kopecks(17_50),
      total: kopecks(17_24),
      rating: 5,
      finished_at: '2026-11-14T18:10:00Z',
    });
    const sums = screen.getByLabelText('Розрахунок').textContent?.replaceAll('\u00a0', ' ');
    expect(sums).toBe(`Депозит17,50 ₴${words}0,26 ₴Списано з картки *482117,24 ₴`);
  });
});
