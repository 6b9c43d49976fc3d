import { parseSignature } from '@fpay/contract/signature';
import { act, cleanup, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { aUser } from '../../../testing/people.ts';
import { pass } from '../../../testing/server.ts';
import {
  openAmountStep as openAmount,
  payButton,
  payCall,
  payNow,
  prepareStationScreen,
  pressButton as press,
} from '../../../testing/station-screen.tsx';

vi.mock('../../../api/realtime.ts', () => ({ connectRealtime: vi.fn() }));
vi.mock('../../../api/leave.ts', () => ({ leaveFor: vi.fn() }));

prepareStationScreen();
afterEach(() => void vi.restoreAllMocks());

function loseNetwork() {
  const network = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  return () => {
    network.mockReturnValue(true);
    act(() => void dispatchEvent(new Event('online')));
  };
}
const nonceOf = ({ body }: { body: Record<string, unknown> }) => parseSignature(body.signature)?.nonce;

describe('the amount step without a network', () => {
  it('shows for how long the payment waits, and withdraws it at a press; nothing is stored or sent [PAY-36]', async () => {
    const { server } = await openAmount('Баланс');
    const comeBack = loseNetwork();
    press(/^Сплатити/);
    await pass(1_000);
    expect(screen.getByText('Чекаємо на мережу')).toBeTruthy();
    expect(screen.getByText(/якщо мережа з’явиться за 59 с/)).toBeTruthy();
    await pass(20_000);
    expect(screen.getByText(/якщо мережа з’явиться за 39 с/)).toBeTruthy();
    press('Скасувати');
    await pass();
    expect(screen.getByText('Запит не надіслано, гроші не списано. Спробуйте ще раз, коли буде мережа.')).toBeTruthy();
    expect(payButton()).toBeTruthy();
    comeBack();
    await pass(5_000);
    expect(server.times(payCall)).toBe(0);
    expect(Object.keys(sessionStorage).filter((key) => /nonce|unanswered/.test(key))).toEqual([]);
  });

  it('withdraws it by itself after a minute [PAY-36]', async () => {
    const { server } = await openAmount('Баланс');
    const comeBack = loseNetwork();
    press(/^Сплатити/);
    await pass(59_000);
    expect(screen.getByText('Чекаємо на мережу')).toBeTruthy();
    await pass(1_100);
    expect(screen.queryByText('Чекаємо на мережу')).toBeNull();
    expect(screen.getByText(/^Запит не надіслано/)).toBeTruthy();
    comeBack();
    await pass(10_000);
    expect(server.times(payCall)).toBe(0);
  });

  it('withdraws it when the form is left, because then it would wait unseen [PAY-36]', async () => {
    const { server, router } = await openAmount('Баланс');
    const comeBack = loseNetwork();
    press(/^Сплатити/);
    await pass(1_000);
    await act(() => router.navigate('/map'));
    comeBack();
    await pass(10_000);
    expect(server.times(payCall)).toBe(0);
  });

  it('follows a payment that was sent, also after a reload, with the same nonce [PAY-36]', async () => {
    const { server } = await openAmount('Баланс');
    server.answers[payCall] = () => {
      throw new TypeError('Failed to fetch');
    };
    await payNow(server);
    const isFollowed = async () => {
      await pass(500);
      expect(screen.getByText('Чекаємо на відповідь')).toBeTruthy();
    };
    await vi.waitFor(isFollowed, { timeout: 8000, interval: 5 });
    expect(screen.queryByRole('button', { name: 'Скасувати' })).toBeNull();
    const first = server.sent.find(({ call }) => call === payCall);

    cleanup();
    const reloaded = await openAmount('Баланс', aUser());
    reloaded.server.answers[payCall] = { page_url: 's:77' };
    const hasArrived = async () => {
      await pass(500);
      expect(reloaded.router.state.location.pathname).toBe('/status/77');
    };
    await vi.waitFor(hasArrived, { timeout: 8000, interval: 5 });
    const again = reloaded.server.sent.find(({ call }) => call === payCall);
    expect(again && nonceOf(again)).toBe(first && nonceOf(first));
    expect(Object.keys(sessionStorage).filter((key) => /nonce|unanswered/.test(key))).toEqual([]);
  });
});
