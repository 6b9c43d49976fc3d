import { kopecks } from '@fpay/contract/money';
import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { pass } from '../../testing/server.ts';
import { buttonNamed, openStatusPage, prepareStatusScreen } from '../../testing/status-screen.tsx';

vi.mock('../../api/realtime.ts', () => ({ connectRealtime: vi.fn() }));

prepareStatusScreen();

const nothing = kopecks(0);
const openStatus = (rest: Parameters<typeof openStatusPage>[0]) =>
  openStatusPage({ payment_type: 'free', price: nothing, amount: nothing, total: nothing, percentage: null, ...rest });
const shown = () => document.body.textContent ?? '';

describe('a free charge', () => {
  it('says once that it is free and shows neither a price nor a deposit', async () => {
    await openStatus({});
    expect(screen.getAllByText('Безкоштовно')).toHaveLength(1);
    expect(screen.getByText('Швидкість')).toBeTruthy();
    expect(screen.getByText('Минуло')).toBeTruthy();
    expect(screen.queryByText('Ціна')).toBeNull();
    expect(screen.queryByText('Депозит')).toBeNull();
  });

  it.each(['pending', 'starting'] as const)('is not called paid while it is %s', async (status) => {
    await openStatus({ status, started_at: null });
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Запускаємо зарядку');
    expect(shown()).not.toContain('Оплачено');
    expect(screen.queryByText('Швидкість')).toBeNull();
  });

  it('that is canceled promises no money back', async () => {
    await openStatus({ status: 'starting', started_at: null });
    fireEvent.click(buttonNamed('Скасувати'));
    await pass(10);
    expect(screen.getByRole('dialog').textContent).toContain('Зарядка ще не почалася.');
    expect(screen.getByRole('dialog').textContent).not.toContain('₴');
  });

  it('that failed does not speak of a payment', async () => {
    await openStatus({ status: 'failed', rating: 1 });
    expect(shown()).toContain('Вийміть кабель і вставте знову');
    expect(shown()).not.toMatch(/[Оо]плат|грош/);
  });
});
