import { kopecks } from '@fpay/contract/money';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { aParty, openParty, shown } from '../../testing/party.tsx';
import { RefusedAnswer } from '../../testing/server.ts';

vi.setConfig({ testTimeout: 30_000 });
afterEach(() => void vi.restoreAllMocks());

describe('the member’s view', () => {
  const party = aParty({
    is_owner: false,
    member_list: [],
    own: { own_balance: kopecks(884_50), party_balance: kopecks(400_00), charges: 14 },
  });

  it('shows only the stations, and a press opens one [PARTY-03]', async () => {
    await openParty({ 'GET /api/party/data': party });
    const link = await screen.findByRole('link', { name: /F1301/ });
    expect(link).toHaveProperty('pathname', '/station/F1301');
    expect(shown(link)).toContain('вільно 1 з 2');
    expect(screen.queryAllByRole('tab')).toEqual([]);
    fireEvent.click(screen.getByText('Що бачить власник'));
    expect(await screen.findByText(/Власник групи бачить ваше ім’я, номер, увесь баланс/)).toBeTruthy();
  });

  it('leaves a closed party: both sums are shown before, and the own one stays [PARTY-18]', async () => {
    const { server, router } = await openParty({
      'GET /api/party/data': party,
      'POST /api/party/leave': { returned: 400_00, kept: 884_50 },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Вийти з групи' }));
    const question = await screen.findByRole('dialog', { name: 'Вийти з групи «Зелений парк»?' });
    for (const part of ['У гаманці 1 284,50 ₴', '884,50 ₴', '400,00 ₴', '14 ваших зарядок']) {
      expect(shown(question)).toContain(part);
    }
    fireEvent.click(within(question).getByRole('button', { name: /Вийти, лишити/ }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/account'));
    expect(server.bodyOf('POST /api/party/leave')).toMatchObject({ return_to_owner: true });
  });
});

it('offers another try when the party cannot be read', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const { server } = await openParty({ 'GET /api/party/data': new RefusedAnswer(500) });
  expect(await screen.findByText('Не вдалося завантажити групу')).toBeTruthy();
  server.answers['GET /api/party/data'] = aParty();
  fireEvent.click(screen.getByRole('button', { name: 'Спробувати ще раз' }));
  expect(await screen.findByText('3 учасники')).toBeTruthy();
});
