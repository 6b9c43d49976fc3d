import type { ShutdownState } from '@fpay/contract/admin/shutdown';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { createAppRoutes } from '../../../app/routes/routes.tsx';
import { aUser } from '../../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../../testing/render.tsx';
import { RefusedAnswer, serve } from '../../../testing/server.ts';

vi.setConfig({ testTimeout: 30_000 });

const stateCall = 'GET /api/admin/shut-down';
const downCall = 'POST /api/admin/shut-down';
const onCall = 'POST /api/admin/turn-on';
const up: ShutdownState = { is_down: false, is_planned: false, start_time: null, end_time: null, text: null };

async function openShutdown(state: unknown, answers: Record<string, unknown> = {}) {
  const server = serve({
    'GET /api/admin/today?tz=Europe%2FKyiv': new RefusedAnswer(500),
    [stateCall]: state,
    ...answers,
  });
  const queryClient = cacheWith({ user: aUser({ role: 'SuperAdmin' }) });
  await renderRoutes(createAppRoutes(queryClient), queryClient, '/admin/shutdown');
  await act(async () => undefined);
  return server;
}

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const type = (label: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const data = () =>
  Object.fromEntries(
    screen.getAllByRole('term').map((term) => [term.textContent, term.nextElementSibling?.textContent ?? '']),
  );

describe('the shutdown', () => {
  it('shows its start, end, message and progress [ADM-DOWN-01]', async () => {
    const now = Date.now();
    const around = (minutes: number) => new Date(now + minutes * 60_000).toISOString();
    await openShutdown({ ...up, is_down: true, start_time: around(-30), end_time: around(30), text: 'Оновлюємо базу' });
    expect(await screen.findByText('Вимкнено')).toBeTruthy();
    expect(screen.getByRole('progressbar', { name: 'Перебіг вимкнення' }).getAttribute('aria-valuenow')).toBe('50');
    expect(data()).toMatchObject({ Повідомлення: 'Оновлюємо базу', Лишилося: '30 хвилин' });
    expect(screen.queryByRole('button', { name: 'SHUTDOWN' })).toBeNull();
  });

  it('without an end lasts as short as possible, and has default dates while the service runs [CONST-09]', async () => {
    const server = await openShutdown(up);
    expect(await screen.findByText('Працює')).toBeTruthy();
    expect(data()).toMatchObject({ Початок: '0000-00-00 00:00', Кінець: '0000-00-00 00:00' });
    server.answers[stateCall] = { ...up, is_down: true, start_time: '2026-11-15T12:00:00Z' };
    await act(() => new Promise((resolve) => setTimeout(resolve, 2100)));
    fireEvent.click(button('Оновити'));
    await waitFor(() => expect(data()).toMatchObject({ Кінець: 'якнайшвидше' }));
    expect(screen.queryByRole('progressbar')).toBeNull();
  });

  it('is set with a message and a time range, after its name was typed [ADM-DOWN-02]', async () => {
    const server = await openShutdown(up, { [downCall]: { ...up, is_planned: true } });
    await screen.findByText('Працює');
    type('Повідомлення', 'Оновлюємо базу');
    type('Початок', '2026-11-15T23:00');
    type('Кінець', '2026-11-15T22:00');
    expect(button('SHUTDOWN').disabled).toBe(true);
    type(/Введіть SHUTDOWN/, 'SHUTDOWN');
    fireEvent.click(button('SHUTDOWN'));
    expect(screen.getByText('Кінець має бути після початку')).toBeTruthy();
    expect(server.times(downCall)).toBe(0);
    type('Кінець', '2026-11-16T01:00');
    fireEvent.click(button('SHUTDOWN'));
    await waitFor(() => expect(server.times(downCall)).toBe(1));
    expect(server.bodyOf(downCall)).toMatchObject({
      text: 'Оновлюємо базу',
      start_time: '2026-11-15T21:00:00.000Z',
      end_time: '2026-11-15T23:00:00.000Z',
    });
  });

  it('starts now and has no end when both times are empty [ADM-DOWN-05]', async () => {
    const server = await openShutdown(up, { [downCall]: { ...up, is_down: true } });
    await screen.findByText('Працює');
    type(/Введіть SHUTDOWN/, 'SHUTDOWN');
    fireEvent.click(button('SHUTDOWN'));
    await waitFor(() =>
      expect(server.bodyOf(downCall)).toMatchObject({ text: null, start_time: null, end_time: null }),
    );
  });

  it('is cleared by turning on, and the state is read again [ADM-DOWN-03] [ADM-DOWN-04]', async () => {
    const server = await openShutdown({ ...up, is_down: true }, { [onCall]: up });
    await screen.findByText('Вимкнено');
    fireEvent.click(button('Увімкнути зараз'));
    const question = within(await screen.findByRole('dialog', { name: 'Увімкнути сервіс?' }));
    server.answers[stateCall] = up;
    fireEvent.click(question.getByRole('button', { name: 'Так' }));
    expect(await screen.findByText('Працює')).toBeTruthy();
    expect(server.times(onCall)).toBe(1);
  });

  it('alerts why it failed, and reads the state again [ERR-29]', async () => {
    const server = await openShutdown(up, { [downCall]: new RefusedAnswer(500) });
    await screen.findByText('Працює');
    const before = server.times(stateCall);
    type(/Введіть SHUTDOWN/, 'SHUTDOWN');
    fireEvent.click(button('SHUTDOWN'));
    expect(await screen.findByRole('button', { name: 'OK' })).toBeTruthy();
    await waitFor(() => expect(server.times(stateCall)).toBeGreaterThan(before));
  });
});
