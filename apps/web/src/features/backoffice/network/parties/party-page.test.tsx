import { kopecks } from '@fpay/contract/money';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { aUser } from '../../../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../../../testing/render.tsx';
import { serve } from '../../../../testing/server.ts';
import { PopupHost } from '../../../../ui/overlay/popup-host.tsx';
import { Page } from './party-page.tsx';

vi.setConfig({ testTimeout: 30_000 });
afterEach(() => vi.unstubAllGlobals());

const memberOf = (id: number, name: string, is_owner: boolean) => ({
  id,
  name,
  phone_number: `+38050000000${id}`,
  balance: kopecks(0),
  is_owner,
});
const party = {
  id: 3,
  name: 'Таксі',
  is_closed: false,
  owner: { id: 1, name: 'Олена' },
  members: 2,
  stations: 0,
  member_list: [memberOf(1, 'Олена', true), memberOf(2, 'Тарас', false)],
  station_numbers: [],
};
const partyCall = '/api/admin/network/parties/3';

async function open(role: 'Admin' | 'Support' = 'Admin') {
  const server = serve({
    [`GET ${partyCall}`]: party,
    [`PATCH ${partyCall}`]: undefined,
    [`POST ${partyCall}/owner`]: undefined,
  });
  const element = (
    <>
      <Page />
      <PopupHost />
    </>
  );
  const routes = [{ path: '/admin/network/parties/:id', element }];
  await renderRoutes(routes, cacheWith({ user: aUser({ role }) }), '/admin/network/parties/3');
  await act(async () => undefined);
  return server;
}

it('gives a party another name', async () => {
  const server = await open();
  fireEvent.click(await screen.findByRole('button', { name: 'Перейменувати' }));
  const popup = await screen.findByRole('dialog');
  const name = within(popup).getByLabelText('Назва групи');
  fireEvent.change(name, { target: { value: ' ' } });
  fireEvent.click(within(popup).getByRole('button', { name: 'Зберегти' }));
  expect(server.times(`PATCH ${partyCall}`)).toBe(0);
  fireEvent.change(name, { target: { value: 'Кур’єри' } });
  fireEvent.click(within(popup).getByRole('button', { name: 'Зберегти' }));
  await waitFor(() => expect(server.bodyOf(`PATCH ${partyCall}`)).toMatchObject({ name: 'Кур’єри' }));
});

it('makes a member the owner after a question', async () => {
  const server = await open();
  expect(await screen.findAllByRole('button', { name: 'Зробити власником' })).toHaveLength(1);
  fireEvent.click(screen.getByRole('button', { name: 'Зробити власником' }));
  const question = await screen.findByRole('dialog');
  expect(question.textContent).toContain('Тарас');
  expect(server.times(`POST ${partyCall}/owner`)).toBe(0);
  fireEvent.click(within(question).getByRole('button', { name: 'Так' }));
  await waitFor(() => expect(server.bodyOf(`POST ${partyCall}/owner`)).toMatchObject({ user: '2' }));
});

it('offers neither to staff who may only look', async () => {
  await open('Support');
  expect(await screen.findByText('Тарас')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Перейменувати' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Зробити власником' })).toBeNull();
});
