import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { createAppRoutes } from '../../../app/routes/routes.tsx';
import { aUser } from '../../../testing/people.ts';
import { aReasonList, listedReason, reasonsCall } from '../../../testing/reasons.ts';
import { cacheWith, renderRoutes } from '../../../testing/render.tsx';
import { RefusedAnswer, serve } from '../../../testing/server.ts';

vi.setConfig({ testTimeout: 30_000 });
vi.mock('../../../api/realtime.ts', () => ({ connectRealtime: () => ({ listen() {}, stop() {} }) }));

const saveCall = 'PATCH /api/admin/reasons';

async function openReasons() {
  const server = serve({
    'GET /api/admin/today?tz=Europe%2FKyiv': new RefusedAnswer(500),
    [reasonsCall]: aReasonList,
    [saveCall]: aReasonList,
  });
  const queryClient = cacheWith({ user: aUser({ role: 'Admin' }) });
  await renderRoutes(createAppRoutes(queryClient), queryClient, '/admin/reasons');
  await act(async () => undefined);
  return server;
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

it('a new reason needs a text in every language and an action, and stands where it was moved to', async () => {
  const server = await openReasons();
  expect(await screen.findByRole('heading', { name: listedReason })).toBeTruthy();
  press('Додати');
  const entry = within(screen.getAllByRole('listitem').at(-1) as HTMLElement);
  fireEvent.change(entry.getByLabelText('Українська'), { target: { value: 'Подяка' } });
  fireEvent.change(entry.getByLabelText('English'), { target: { value: 'Thanks' } });
  press('Зберегти');
  expect(screen.getByText('Потрібен текст усіма мовами')).toBeTruthy();
  expect(screen.getByText('Оберіть хоча б одну дію')).toBeTruthy();
  expect(server.times(saveCall)).toBe(0);
  fireEvent.change(entry.getByLabelText('Polski'), { target: { value: 'Podziękowanie' } });
  fireEvent.click(entry.getByLabelText('Додати гроші'));
  press('Вище: Подяка');
  press('Зберегти');
  const [before] = aReasonList;
  await waitFor(() =>
    expect(server.bodyOf(saveCall)).toMatchObject({
      reasons: [{ texts: { uk: 'Подяка', en: 'Thanks', pl: 'Podziękowanie' }, kinds: ['give'] }, before],
    }),
  );
});

it('a removed reason is left out of the list', async () => {
  const server = await openReasons();
  await screen.findByRole('heading', { name: listedReason });
  press(`Вилучити: ${listedReason}`);
  press('Зберегти');
  await waitFor(() => expect(server.bodyOf(saveCall)).toMatchObject({ reasons: [] }));
});
