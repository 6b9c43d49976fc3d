import type { SupportThreadDetail, SupportThreadItem } from '@fpay/contract/support';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { aGuest, someSettings } from '../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../testing/render.tsx';
import { RefusedAnswer, serve } from '../../testing/server.ts';
import { Page as SupportPage } from './support-page.tsx';
import { Page as ThreadPage } from './thread-page.tsx';

vi.setConfig({ testTimeout: 30_000 });

const aThread = (rest: Partial<SupportThreadItem> = {}): SupportThreadItem => ({
  id: 318,
  charging_operation_id: 12,
  charging_station: 'F1118',
  is_closed: false,
  opened_at: '2026-11-15T12:31:00Z',
  last_text: 'Бачимо',
  last_at: '2026-11-15T12:35:00Z',
  unread: 2,
  ...rest,
});

const aConversation = (rest: Partial<SupportThreadDetail> = {}): SupportThreadDetail => ({
  id: 318,
  charging_operation_id: 12,
  charging_station: 'F1118',
  is_closed: false,
  opened_at: '2026-11-15T12:31:00Z',
  messages: [
    { id: 1, from: 'driver', text: 'Екран погас', created_at: '2026-11-15T12:31:00Z' },
    { id: 2, from: 'staff', text: 'Бачимо', created_at: '2026-11-15T12:35:00Z' },
  ],
  ...rest,
});

async function openSupport(answers: Record<string, unknown>, path: string) {
  const server = serve(answers);
  const routes = [
    { path: '/support', element: <SupportPage /> },
    { path: '/support/:thread', element: <ThreadPage /> },
    { path: '*', element: <p>Інша сторінка</p> },
  ];
  const drawn = await renderRoutes(routes, cacheWith({ user: aGuest() }), path);
  await act(async () => undefined);
  return { server, address: () => drawn.router.state.location.pathname };
}

const type = (value: string) => fireEvent.change(screen.getByLabelText('Повідомлення'), { target: { value } });

describe('support', () => {
  it('has a link to call support, whose number is a setting [CONST-02]', async () => {
    await openSupport({ 'GET /api/support': [] }, '/support');
    expect(screen.getByRole('link', { name: 'Зателефонувати' }).getAttribute('href')).toBe(
      `tel:${someSettings.support_phone}`,
    );
  });

  it('is written to about the charge of the address, by a guest too', async () => {
    const call = 'POST /api/support';
    const one = 'GET /api/support/318';
    const answers = { 'GET /api/support': [], [call]: { id: 318 }, [one]: aConversation() };
    const { server, address } = await openSupport(
      { ...answers, 'POST /api/support/318/read': undefined },
      '/support?charge=12',
    );
    expect(screen.getByText(/Про зарядку/)).toBeTruthy();
    type(' Екран погас ');
    fireEvent.click(screen.getByText('Надіслати'));
    await waitFor(() => expect(address()).toBe('/support/318'));
    expect(server.bodyOf(call)).toMatchObject({ text: 'Екран погас', charging_operation_id: 12 });
  });

  it('lists conversations with what is not read', async () => {
    await openSupport({ 'GET /api/support': [aThread(), aThread({ id: 2, unread: 0, is_closed: true })] }, '/support');
    expect(await screen.findByText(/^2.нові$/)).toBeTruthy();
    expect(screen.getByText('Закрите')).toBeTruthy();
  });

  it('marks a conversation as read when it is open, and opens a closed one by a message', async () => {
    const { server } = await openSupport(
      {
        'GET /api/support/318': aConversation({ is_closed: true }),
        'POST /api/support/318/read': undefined,
        'POST /api/support/318': undefined,
      },
      '/support/318',
    );
    expect(await screen.findByText('Бачимо')).toBeTruthy();
    await waitFor(() => expect(server.times('POST /api/support/318/read')).toBe(1));
    expect(screen.getByText(/Звернення закрите/)).toBeTruthy();
    type('А гроші?');
    fireEvent.click(screen.getByText('Надіслати'));
    await waitFor(() => expect(server.bodyOf('POST /api/support/318')).toMatchObject({ text: 'А гроші?' }));
  });

  it('keeps the text when it could not be sent, and says that a conversation is not there', async () => {
    const { server } = await openSupport({ 'GET /api/support': [] }, '/support');
    server.answers['POST /api/support'] = new RefusedAnswer(429);
    type('Питання');
    fireEvent.click(screen.getByText('Надіслати'));
    await waitFor(() => expect(server.times('POST /api/support')).toBe(1));
    expect(screen.getByLabelText<HTMLTextAreaElement>('Повідомлення').value).toBe('Питання');
  });
});
