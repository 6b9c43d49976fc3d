import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { aUser } from '../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../testing/render.tsx';
import { serve } from '../../testing/server.ts';
import { PopupHost } from '../../ui/overlay/popup-host.tsx';
import { Invitations } from './invitations.tsx';

const invitation = { id: 7, party_name: 'Зелений парк', owner_name: 'Богдан', is_closed: true };

async function openInvitations(answers: Record<string, unknown>) {
  const server = serve({ 'GET /api/party/invitations': [invitation], 'GET /api/user': aUser(), ...answers });
  const element = (
    <>
      <Invitations />
      <PopupHost />
    </>
  );
  await renderRoutes([{ path: '/account', element }], cacheWith({ user: aUser() }), '/account');
  expect(await screen.findByText('Богдан запрошує вас до групи «Зелений парк»')).toBeTruthy();
  return server;
}

it('says what the owner will see before the driver joins', async () => {
  const server = await openInvitations({ 'POST /api/party/invitations/7/accept': undefined });
  fireEvent.click(screen.getByRole('button', { name: 'Приєднатися' }));
  const question = await screen.findByRole('dialog', { name: 'Приєднатися до групи «Зелений парк»?' });
  expect(question.textContent).toContain('Власник бачитиме весь ваш баланс і зарядки за час у групі');
  expect(question.textContent).toContain('Група закрита');
  expect(server.times('POST /api/party/invitations/7/accept')).toBe(0);
  server.answers['GET /api/party/invitations'] = [];
  fireEvent.click(within(question).getByRole('button', { name: 'Приєднатися' }));
  await waitFor(() => expect(screen.queryByText(/запрошує вас/)).toBeNull());
  expect(server.times('POST /api/party/invitations/7/accept')).toBe(1);
});

it('is gone once it was declined', async () => {
  const server = await openInvitations({ 'POST /api/party/invitations/7/decline': undefined });
  server.answers['GET /api/party/invitations'] = [];
  fireEvent.click(screen.getByRole('button', { name: 'Відхилити' }));
  await waitFor(() => expect(screen.queryByText(/запрошує вас/)).toBeNull());
  expect(server.times('POST /api/party/invitations/7/decline')).toBe(1);
});
