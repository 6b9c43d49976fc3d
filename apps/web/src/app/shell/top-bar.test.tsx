import type { User } from '@fpay/contract/account';
import { languages } from '@fpay/contract/languages';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { aGuest, aUser } from '../../testing/people.ts';
import { renderPart } from '../../testing/render.tsx';
import { usePopups } from '../../ui/overlay/popups.ts';
import { TopBar } from './top-bar.tsx';

function openBar(user: User | null) {
  const onMenu = vi.fn();
  return { onMenu, ...renderPart(<TopBar onMenu={onMenu} />, { user }) };
}

const messages = () => usePopups.getState().waiting.map((popup) => (popup.kind === 'message' ? popup.message : null));
const leaf = {
  id: 3,
  name: 'Nissan Leaf',
  battery: 40,
  manufacturer: null,
  model: null,
  plate: null,
  vin: null,
  year: null,
};

afterEach(() => vi.useRealTimers());

describe('the top bar', () => {
  it.each([
    ['a visitor', null],
    ['a registered user', aUser()],
  ])('has menu, balance, pixels and language for %s [SHELL-01]', (_, user) => {
    const { onMenu } = openBar(user);
    fireEvent.click(screen.getByRole('button', { name: 'Відкрити меню' }));
    expect(onMenu).toHaveBeenCalledOnce();
    expect(screen.getByText('Баланс')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Пікселі' })).toBeTruthy();
    expect(screen.getByRole('combobox', { name: 'Мова' })).toBeTruthy();
  });

  it("shows a registered user's balance with a link to it", () => {
    openBar(aUser());
    const balance = screen.getByRole('link', { name: /Баланс/ });
    expect([balance.textContent, balance.getAttribute('href')]).toEqual(['Баланс1\u00a0284,50\u00a0₴', '/balance']);
  });

  it('offers a guest, who has neither a balance nor pixels, to sign in', () => {
    openBar(aGuest());
    expect(screen.getByRole('link', { name: 'Увійти' }).getAttribute('href')).toBe('/auth');
    expect(screen.queryByText('Баланс')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Пікселі' })).toBeNull();
  });

  it('shows a visitor that the balance needs an account [ROLE-14]', () => {
    openBar(null);
    fireEvent.click(screen.getByRole('button', { name: /Баланс/ }));
    expect(messages()).toEqual(['Доступно лише зареєстрованим користувачам']);
  });

  it('only shows a notice for pixels [SHELL-03]', () => {
    const { router } = openBar(aUser());
    fireEvent.click(screen.getByRole('button', { name: 'Пікселі' }));
    expect(messages()).toEqual(['Пікселі з’являться незабаром']);
    expect(router.state.location.pathname).toBe('/');
  });

  it('alternates the name with the active car every 5 seconds [SHELL-02]', () => {
    vi.useFakeTimers();
    openBar(aUser({ cars: [leaf], active_car_id: 3 }));
    expect(screen.queryByText('Олена')).toBeTruthy();
    act(() => vi.advanceTimersByTime(4999));
    expect(screen.queryByText('Олена')).toBeTruthy();
    act(() => vi.advanceTimersByTime(1));
    expect(screen.queryByText('Олена')).toBeNull();
    expect(screen.queryByText('Nissan Leaf')).toBeTruthy();
    act(() => vi.advanceTimersByTime(5000));
    expect(screen.queryByText('Олена')).toBeTruthy();
  });

  it('shows only the name of a guest [SHELL-02]', () => {
    vi.useFakeTimers();
    openBar(aGuest({ cars: [leaf], active_car_id: 3 }));
    act(() => vi.advanceTimersByTime(5000));
    expect(screen.queryByText('Гість')).toBeTruthy();
    expect(screen.queryByText('Nissan Leaf')).toBeNull();
  });
});

describe('the language switcher', () => {
  it('is found by a globe, which needs no alphabet', () => {
    openBar(null);
    expect(screen.getByRole('combobox', { name: 'Мова' }).parentElement?.querySelector('.lucide-globe')).toBeTruthy();
  });

  it('offers exactly the languages of the product, and changes the texts of the page [I18N-03]', async () => {
    openBar(null);
    const switcher = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Мова' });
    expect(Array.from(switcher.options, ({ value }) => value)).toEqual(languages);
    for (const [language, word] of [
      ['pl', 'Otwórz menu'],
      ['en', 'Open the menu'],
      ['uk', 'Відкрити меню'],
    ] as const) {
      fireEvent.change(screen.getByRole('combobox'), { target: { value: language } });
      await waitFor(() => expect(screen.getByRole('button', { name: word })).toBeTruthy());
      expect(document.documentElement.lang).toBe(language);
    }
  });
});
