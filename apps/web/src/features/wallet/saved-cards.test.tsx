import type { SavedCard } from '@fpay/contract/cards';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { leaveFor } from '../../api/leave.ts';
import { aUser, someSettings } from '../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../testing/render.tsx';
import { RefusedAnswer, serve } from '../../testing/server.ts';
import { loader, Page } from './balance-page.tsx';

vi.mock('../../api/leave.ts', () => ({ leaveFor: vi.fn() }));
vi.setConfig({ testTimeout: 30_000 });

const buyCall = 'POST /api/user/balance/buy';
const topUpCall = 'GET /api/user/balance/buy';
const cardsCall = 'GET /api/user/cards';
const aCard = (id: number, rest: Partial<SavedCard> = {}): SavedCard => ({
  id,
  system: 'visa',
  last4: '4821',
  is_expired: false,
  added_at: '2026-09-02T10:00:00Z',
  ...rest,
});
const own = `${location.origin}/balance?from-bank`;
const aTopUp = (payment_status: string | null, rest: object = {}) => ({
  amount: 100_00,
  payment_status,
  page_url: null,
  decline_reason: null,
  card: '*4821',
  ...rest,
});

async function openBalance(cards: SavedCard[], answers: Record<string, unknown> = {}, settings = someSettings) {
  history.replaceState(null, '', '/balance');
  const server = serve({
    'GET /api/user/balance/transactions': [],
    'GET /api/user': aUser(),
    [cardsCall]: cards,
    [buyCall]: { page_url: own },
    [topUpCall]: aTopUp('success'),
    ...answers,
  });
  const queryClient = cacheWith({ user: aUser(), settings });
  const routes = [{ path: '/balance', Component: Page, loader }];
  await renderRoutes(routes, queryClient, '/balance');
  await act(async () => undefined);
  return server;
}

const dialog = () => document.querySelector('[role=dialog]') as HTMLElement;
const submit = () => fireEvent.submit(dialog().querySelector('form') as HTMLFormElement);
const sentBody = (server: Awaited<ReturnType<typeof openBalance>>) => {
  const { signature: _, ...sent } = server.bodyOf(buyCall) ?? {};
  return sent;
};
const radio = (name: RegExp) => within(dialog()).getByLabelText<HTMLInputElement>(name);

describe('a top-up with a saved card', () => {
  it('has the card that paid last chosen, and shows the result on the page without the bank’s page', async () => {
    const server = await openBalance([aCard(7), aCard(5, { system: 'mastercard', last4: '0917', is_expired: true })]);
    fireEvent.click(await screen.findByText('Поповнити'));
    await waitFor(() => expect(radio(/Visa \*4821/).checked).toBe(true));
    expect(radio(/Mastercard \*0917/).disabled).toBe(true);
    submit();
    expect(await screen.findByText('Баланс поповнено')).toBeTruthy();
    expect(sentBody(server)).toEqual({ amount: 100_00, redirect_to: own, card: 7 });
    expect(leaveFor).not.toHaveBeenCalled();
    expect(document.querySelector('[role=dialog][data-state=open]')).toBeNull();
  });

  it('can be paid by another card, which is saved only with consent', async () => {
    const server = await openBalance([aCard(7)], { [buyCall]: { page_url: 'https://bank.example/pay/1' } });
    fireEvent.click(await screen.findByText('Поповнити'));
    await waitFor(() => expect(radio(/Visa/).checked).toBe(true));
    expect(dialog().querySelector('[type=checkbox]')).toBeNull();
    fireEvent.click(radio(/^Інша картка/));
    const consent = within(dialog()).getByLabelText<HTMLInputElement>('Зберегти картку для наступних оплат');
    expect(consent.checked).toBe(false);
    fireEvent.click(consent);
    submit();
    await waitFor(() => expect(leaveFor).toHaveBeenCalledWith('https://bank.example/pay/1'));
    expect(sentBody(server)).toEqual({ amount: 100_00, redirect_to: own, save_card: true });
  });

  it('goes to the bank for 3-D Secure when the bank asks for it', async () => {
    await openBalance([aCard(7)], { [buyCall]: { page_url: 'https://bank.example/3ds' } });
    fireEvent.click(await screen.findByText('Поповнити'));
    await waitFor(() => expect(radio(/Visa/).checked).toBe(true));
    submit();
    await waitFor(() => expect(leaveFor).toHaveBeenCalledWith('https://bank.example/3ds'));
  });

  it.each([
    ['not_enough_money', 'На картці *4821 недостатньо коштів. 100,00 ₴ не списано.'],
    ['unknown', 'Банк не пояснив причину. Спробуйте іншу картку. 100,00 ₴ не списано.'],
  ])('that the bank declined (%s) says why and can be repeated', async (decline_reason, words) => {
    await openBalance([aCard(7)], { [topUpCall]: aTopUp('failed', { decline_reason }) });
    fireEvent.click(await screen.findByText('Поповнити'));
    await waitFor(() => expect(radio(/Visa/).checked).toBe(true));
    submit();
    const notice = (await screen.findByText('Оплата не пройшла')).closest('[role=status]');
    expect(notice?.textContent?.replaceAll('\u00a0', ' ')).toContain(words);
    fireEvent.click(screen.getByText('Спробувати ще раз'));
    await waitFor(() => expect(within(dialog()).getByText('Поповнити баланс')).toBeTruthy());
  });

  it('that follows another one on the same page shows its own result', async () => {
    const server = await openBalance([aCard(7)]);
    for (const [status, words] of [
      ['success', 'Баланс поповнено'],
      ['failed', 'Оплата не пройшла'],
    ] as const) {
      server.answers[topUpCall] = aTopUp(status);
      fireEvent.click(screen.getByRole('button', { name: 'Поповнити' }));
      await waitFor(() => expect(radio(/Visa/).checked).toBe(true));
      submit();
      expect(await screen.findByText(words)).toBeTruthy();
      await waitFor(() => expect(dialog()).toBeNull());
    }
    expect(screen.queryByText('Баланс поповнено')).toBeNull();
  });

  it('whose card was removed on another device says so and reloads the cards', async () => {
    const refused = new RefusedAnswer(404, { message: 'No', code: 'card_not_found' });
    const server = await openBalance([aCard(7)], { [buyCall]: refused });
    fireEvent.click(await screen.findByText('Поповнити'));
    await waitFor(() => expect(radio(/Visa/).checked).toBe(true));
    server.answers[cardsCall] = [];
    submit();
    await waitFor(() => expect(server.times(cardsCall)).toBe(2));
    await waitFor(() => expect(dialog().querySelector('[type=radio]')).toBeNull());
  });
});

describe('adding a card on the balance page', () => {
  it('tops the balance up with the least sum, with the card saved, and says so before', async () => {
    const server = await openBalance([], { [buyCall]: { page_url: 'https://bank.example/pay/1' } });
    expect(await screen.findByText('Збережіть картку, щоб платити одним дотиком.')).toBeTruthy();
    fireEvent.click(screen.getByText('Додати'));
    expect(within(dialog()).getByText('Додати картку')).toBeTruthy();
    expect(within(dialog()).getByText(/Сплачена сума піде на ваш баланс/)).toBeTruthy();
    submit();
    await waitFor(() => expect(leaveFor).toHaveBeenCalledWith('https://bank.example/pay/1'));
    expect(sentBody(server)).toEqual({ amount: 10_00, redirect_to: own, save_card: true });
  });

  it('is absent where the network does not save cards', async () => {
    const server = await openBalance([], {}, { ...someSettings, saved_cards: 'off' });
    expect(screen.queryByText('Збережені картки')).toBeNull();
    fireEvent.click(screen.getByText('Поповнити'));
    expect(dialog().querySelector('[type=checkbox]')).toBeNull();
    expect(server.times(cardsCall)).toBe(0);
  });
});
