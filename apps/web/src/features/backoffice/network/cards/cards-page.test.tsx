import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { aUser } from '../../../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../../../testing/render.tsx';
import { serve } from '../../../../testing/server.ts';
import { Page } from './cards-page.tsx';

vi.setConfig({ testTimeout: 30_000 });
afterEach(() => vi.unstubAllGlobals());

const issueCall = 'POST /api/admin/network/cards';
const cards = [
  { id: 2, number: '•••• B2C3', user: null, is_blocked: false, created_at: '2026-11-15T10:00:00Z' },
  {
    id: 1,
    number: '•••• 0001',
    user: { id: 7, name: 'Олена Коваль' },
    is_blocked: true,
    created_at: '2026-11-15T10:00:00Z',
  },
];

async function openCards(role: 'Admin' | 'Support' = 'Admin') {
  const server = serve({
    'GET /api/admin/network/cards?limit=50': cards,
    [issueCall]: { issued: 0, problems: [{ line: 2, reason: 'exists' }] },
    'PATCH /api/admin/network/cards/2': undefined,
  });
  const routes = [{ path: '/admin/network/rfid', element: <Page /> }];
  await renderRoutes(routes, cacheWith({ user: aUser({ role }) }), '/admin/network/rfid');
  await act(async () => undefined);
  return server;
}

it('issues a batch and shows what is wrong with a line', async () => {
  const server = await openCards();
  fireEvent.click(await screen.findByRole('button', { name: 'Випустити картки' }));
  fireEvent.change(screen.getByLabelText('Номери, по одному в рядку'), { target: { value: '04AA\n04BB' } });
  fireEvent.click(screen.getByRole('button', { name: 'Випустити' }));
  expect((await screen.findByRole('alert')).textContent).toBe('Рядок 2: така картка вже є');
  expect(server.bodyOf(issueCall)).toMatchObject({ lines: '04AA\n04BB' });
});

it('binds a card to a driver by phone', async () => {
  const server = await openCards();
  fireEvent.click(await screen.findByRole('button', { name: 'Прив’язати' }));
  fireEvent.change(screen.getByLabelText('Телефон або ID водія'), { target: { value: '+38 067 123 45 67' } });
  fireEvent.click(screen.getAllByRole('button', { name: 'Прив’язати' }).at(-1) as HTMLElement);
  await waitFor(() =>
    expect(server.bodyOf('PATCH /api/admin/network/cards/2')).toMatchObject({ user: '+380671234567' }),
  );
});

it('shows cards and no actions to staff who may only look', async () => {
  await openCards('Support');
  expect(await screen.findByRole('link', { name: 'Олена Коваль' })).toBeTruthy();
  expect(screen.getByText('Заблокована')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /картки|Прив’язати|Розблокувати/ })).toBeNull();
});
