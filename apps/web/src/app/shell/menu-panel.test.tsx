import type { User } from '@fpay/contract/account';
import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { aGuest, aUser, someSettings } from '../../testing/people.ts';
import { renderPart } from '../../testing/render.tsx';
import { MenuPanel } from './menu-panel.tsx';

function openMenu(user: User | null, { path = '/', settings = someSettings } = {}) {
  renderPart(<MenuPanel open onClose={() => undefined} />, { user, settings, path });
}

const link = (name: string | RegExp) => screen.queryByRole('link', { name })?.getAttribute('href') ?? null;
const guest = aGuest();
const registered = aUser();

describe('the menu', () => {
  it.each([
    ['a visitor', null, ['/auth', '/reg']],
    ['a guest', guest, ['/auth', '/reg']],
    ['a registered user', registered, [null, null]],
  ])('offers %s sign-in and sign-up only if they need it [SHELL-04]', (_, user, targets) => {
    openMenu(user);
    expect([link('Увійти'), link('Створити акаунт')]).toEqual(targets);
  });

  it.each([
    ['a visitor', null, null],
    ['a guest', guest, null],
    ['a registered user', registered, '/account'],
  ])('shows the account to %s only if they have one [SHELL-05]', (_, user, target) => {
    openMenu(user);
    expect(link(/^Акаунт/)).toBe(target);
  });

  it('opens the instruction of the network on its site [SHELL-06]', () => {
    openMenu(null);
    const instruction = screen.getByRole<HTMLAnchorElement>('link', { name: 'Як заряджати' });
    expect([instruction.href, instruction.target]).toEqual([someSettings.instruction_url, '_blank']);
  });

  it('has active sessions, disabled while there are none [SHELL-07]', () => {
    openMenu(registered);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Активні сесії' }).disabled).toBe(true);
  });

  it('links a registered user to the list of active sessions and shows their number [SHELL-07]', () => {
    openMenu(aUser({ active_operations: [12, 15, 18] }));
    expect(link(/Активні сесії.*Тривають 3 сесії/)).toBe('/active');
  });

  it('links a guest directly to their first session [SHELL-08]', () => {
    openMenu(aGuest({ active_operations: [12] }));
    expect(link(/Активні сесії/)).toBe('/status/12');
  });

  it.each([
    ['a visitor', null, null],
    ['a guest', guest, '/map'],
    ['a registered user', registered, '/map'],
  ])('shows the map to %s if they are signed in [SHELL-09]', (_, user, target) => {
    openMenu(user);
    expect(link('Мапа')).toBe(target);
  });

  it('marks the present page', () => {
    openMenu(registered, { path: '/map' });
    const current = screen.getAllByRole('link').filter((item) => item.getAttribute('aria-current') === 'page');
    expect(current.map(({ textContent }) => textContent)).toEqual(['Мапа']);
  });

  it.each([null, guest, registered])('opens the QR scanner for everyone [SHELL-10]', (user) => {
    openMenu(user);
    expect(link('Сканувати QR')).toBe('/qr');
  });

  it('opens the messaging bot and the social pages [SHELL-11]', () => {
    openMenu(null);
    expect(link('Telegram-бот')).toBe(someSettings.bot_url);
    const social = within(screen.getByRole('list', { name: 'Ми в соцмережах' })).getAllByRole<HTMLAnchorElement>(
      'link',
    );
    expect(social.slice(0, 2).map(({ href }) => href)).toEqual(someSettings.social.map(({ url }) => url));
  });

  it('shows Instagram by its own outline, because a camera would promise a photo', () => {
    const social = [{ kind: 'instagram' as const, url: 'https://instagram.com/iskra' }];
    openMenu(null, { settings: { ...someSettings, social } });
    const sign = screen.getByRole('link', { name: 'Instagram' }).querySelector('svg');
    // A rounded frame, a lens and a dot, and no part of the icon set's camera.
    expect(Array.from(sign?.children ?? [], ({ tagName }) => tagName)).toEqual(['rect', 'circle', 'circle']);
    expect(document.querySelector('[class*=lucide-camera]')).toBeNull();
  });

  it('links to the landing site once, also when it is among the social pages [SHELL-12]', () => {
    openMenu(null);
    expect(link('Сайт Volta')).toBe(someSettings.landing_url);
  });

  it('does not repeat the landing site [SHELL-12]', () => {
    const social = [{ kind: 'website' as const, url: someSettings.landing_url }];
    openMenu(null, { settings: { ...someSettings, social } });
    expect(screen.getAllByRole('link', { name: 'Сайт Volta' })).toHaveLength(1);
  });

  it('takes its name and links from the settings of the network [SHELL-13]', () => {
    const settings = {
      ...someSettings,
      brand: 'Іскра',
      bot_url: 'https://t.me/iskra_bot',
      instruction_url: 'https://iskra.example/how',
      landing_url: 'https://iskra.example/',
      social: [{ kind: 'instagram' as const, url: 'https://instagram.com/iskra' }],
    };
    openMenu(null, { settings });
    expect(screen.getByRole('dialog').textContent).toContain('Іскра');
    const outside = screen.getAllByRole<HTMLAnchorElement>('link').map(({ href }) => href);
    expect(outside.filter((href) => href.startsWith('https:'))).toEqual([
      'https://iskra.example/how',
      'https://t.me/iskra_bot',
      'https://instagram.com/iskra',
      'https://iskra.example/',
    ]);
  });

  it('has a version label that toggles between the version and a text about progress [SHELL-16]', () => {
    openMenu(null);
    const label = screen.getByRole('button', { name: /Версія/ });
    const seen = [label.textContent];
    for (let tap = 0; tap < 2; tap++) {
      fireEvent.click(label);
      seen.push(label.textContent);
    }
    expect(seen).toEqual(['Версія: v2.9.8', 'Версія: У розробці', 'Версія: v2.9.8']);
  });
});

describe('the theme', () => {
  it('follows the device until one is chosen, and is stored on this device', () => {
    openMenu(null);
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Як на пристрої' }).checked).toBe(true);
    fireEvent.click(screen.getByRole('radio', { name: 'Темна' }));
    expect(document.documentElement.dataset.theme).toBe('dark');
    expect(localStorage.getItem('fpay.theme')).toBe('dark');
    fireEvent.click(screen.getByRole('radio', { name: 'Як на пристрої' }));
    expect(document.documentElement.dataset.theme).toBeUndefined();
    expect(localStorage.getItem('fpay.theme')).toBeNull();
  });
});
