import type { SignedInDevice } from '@fpay/contract/sessions';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { aUser } from '../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../testing/render.tsx';
import { RefusedAnswer, serve } from '../../testing/server.ts';
import { PopupHost } from '../../ui/overlay/popup-host.tsx';
import { DeviceList } from './signed-in-devices.tsx';

const listCall = 'GET /api/user/sessions';
const device = (more: Partial<SignedInDevice>): SignedInDevice => ({
  id: 1,
  browser: 'Chrome',
  system: 'Android',
  network: '93.74.x.x',
  signed_in_at: '2026-11-01T08:00:00Z',
  last_seen_at: '2026-11-15T10:40:00Z',
  is_current: false,
  ...more,
});
const own = device({ id: 1, is_current: true });
const laptop = device({ id: 2, browser: 'Firefox', system: 'Windows' });
const unknown = device({ id: 3, browser: null, system: null, network: null });

async function openList(answers: Record<string, unknown>) {
  const server = serve(answers);
  const element = (
    <>
      <DeviceList />
      <PopupHost />
    </>
  );
  await renderRoutes([{ path: '/edit', element }], cacheWith({ user: aUser() }), '/edit');
  return server;
}
const section = () => screen.getByRole('region', { name: 'Де ви ввійшли' });
const rows = () =>
  within(section())
    .getAllByRole('listitem')
    .map((row) => row.textContent);
const answerDialog = async (title: string, button: string) =>
  fireEvent.click(within(await screen.findByRole('dialog', { name: title })).getByRole('button', { name: button }));

afterEach(() => vi.unstubAllGlobals());

describe('the devices on which a driver is signed in', () => {
  it('are shown by browser and system, with the last use and the network, this one first', async () => {
    await openList({ [listCall]: { sessions: [own, laptop, unknown] } });
    await within(section()).findByText('Цей пристрій');
    expect(rows()[0]).toBe('Chrome · AndroidЦей пристрій');
    expect(rows()[1]).toMatch(/^Firefox · WindowsВостаннє .*15.*IP-адреса 93\.74\.x\.x$/);
    expect(rows()[2]).toMatch(/^Невідомий пристрійВостаннє [^·]*$/);
    expect(screen.queryByRole('button', { name: 'Вийти на пристрої Chrome · Android' })).toBeNull();
  });

  it('stand out for a week when they are new', async () => {
    const fresh = device({ id: 4, browser: 'Firefox', system: 'Linux', signed_in_at: new Date().toISOString() });
    await openList({ [listCall]: { sessions: [own, fresh, laptop] } });
    await within(section()).findByText('Цей пристрій');
    expect(rows().map((row) => row?.includes('Новий вхід'))).toEqual([false, true, false]);
  });

  it('keep their space while the list is loading', async () => {
    await openList({ [listCall]: () => new Promise(() => {}) });
    expect(section().querySelector('[aria-busy="true"]')).toBeTruthy();
  });

  it('show a message when this one is the only one', async () => {
    await openList({ [listCall]: { sessions: [own] } });
    await within(section()).findByText(/^Більше ніде\./);
    expect(screen.queryByRole('button', { name: 'Вийти на всіх інших' })).toBeNull();
  });

  it('can be requested again when the list could not be loaded', async () => {
    const answer = vi
      .fn()
      .mockReturnValueOnce(new RefusedAnswer(500))
      .mockReturnValue({ sessions: [own] });
    await openList({ [listCall]: answer });
    fireEvent.click(await within(section()).findByRole('button', { name: /Не вдалося завантажити список/ }));
    await within(section()).findByText('Цей пристрій');
  });

  it('are signed out one by one, after a confirmation', async () => {
    const list = vi
      .fn()
      .mockReturnValueOnce({ sessions: [own, laptop] })
      .mockReturnValue({ sessions: [own] });
    const server = await openList({ [listCall]: list, 'DELETE /api/user/sessions/2': null });
    fireEvent.click(await screen.findByRole('button', { name: 'Вийти на пристрої Firefox · Windows' }));
    await answerDialog('Вийти на пристрої Firefox · Windows?', 'Скасувати');
    expect(server.times('DELETE /api/user/sessions/2')).toBe(0);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    fireEvent.click(screen.getByRole('button', { name: 'Вийти на пристрої Firefox · Windows' }));
    await answerDialog('Вийти на пристрої Firefox · Windows?', 'Вийти');
    await within(section()).findByText(/^Більше ніде\./);
    expect(server.times('DELETE /api/user/sessions/2')).toBe(1);
  });

  it('that have already been signed out disappear without an error', async () => {
    const list = vi
      .fn()
      .mockReturnValueOnce({ sessions: [own, laptop] })
      .mockReturnValue({ sessions: [own] });
    const gone = new RefusedAnswer(404, { message: 'Not found', code: 'not_found' });
    await openList({ [listCall]: list, 'DELETE /api/user/sessions/2': gone });
    fireEvent.click(await screen.findByRole('button', { name: 'Вийти на пристрої Firefox · Windows' }));
    await answerDialog('Вийти на пристрої Firefox · Windows?', 'Вийти');
    await within(section()).findByText(/^Більше ніде\./);
  });

  it('are all signed out except this one', async () => {
    const list = vi
      .fn()
      .mockReturnValueOnce({ sessions: [own, laptop, unknown] })
      .mockReturnValue({ sessions: [own] });
    const server = await openList({ [listCall]: list, 'DELETE /api/user/sessions': null });
    fireEvent.click(await screen.findByRole('button', { name: 'Вийти на всіх інших' }));
    await answerDialog('Вийти на всіх інших пристроях?', 'Вийти на інших');
    await within(section()).findByText(/^Більше ніде\./);
    expect(server.times('DELETE /api/user/sessions')).toBe(1);
  });

  it('stay in the list when the server refuses, and the driver sees the reason', async () => {
    await openList({ [listCall]: { sessions: [own, laptop] }, 'DELETE /api/user/sessions': new RefusedAnswer(500) });
    fireEvent.click(await screen.findByRole('button', { name: 'Вийти на всіх інших' }));
    await answerDialog('Вийти на всіх інших пристроях?', 'Вийти на інших');
    await answerDialog('Помилка на сервері. Спробуйте трохи згодом.', 'OK');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(rows()).toHaveLength(2);
  });
});
