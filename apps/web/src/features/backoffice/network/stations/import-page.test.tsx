import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { aUser } from '../../../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../../../testing/render.tsx';
import { serve } from '../../../../testing/server.ts';
import { Page } from './import-page.tsx';

vi.setConfig({ testTimeout: 30_000 });
afterEach(() => vi.unstubAllGlobals());

const previewCall = 'POST /api/admin/network/import/preview';
const importCall = 'POST /api/admin/network/import';

async function choose(answers: Record<string, unknown>) {
  const server = serve(answers);
  const routes = [{ path: '/admin/network/import', element: <Page /> }];
  await renderRoutes(routes, cacheWith({ user: aUser({ role: 'Admin' }) }), '/admin/network/import');
  const file = new File(['number;address\nF1;A'], 'stations.csv');
  // The test environment's files have no text method.
  Object.defineProperty(file, 'text', { value: async () => 'number;address\nF1;A' });
  await act(async () =>
    fireEvent.change(screen.getByLabelText('Вибрати файл CSV або JSON'), { target: { files: [file] } }),
  );
  return server;
}

it('shows the error of each line and offers no import', async () => {
  await choose({ [previewCall]: { problems: [{ line: 2, reason: 'lat: must be degrees' }], changes: [] } });
  expect((await screen.findByRole('alert')).textContent).toContain('1 помилка, нічого не буде записано');
  expect(screen.getByText('lat: must be degrees')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Записати' })).toBeNull();
});

it('shows what will change, and writes the same file', async () => {
  const changes = [
    { kind: 'station', name: 'F1', action: 'add', details: [] },
    { kind: 'station', name: 'F2', action: 'change', details: ['address: A → B'] },
  ];
  const server = await choose({
    [previewCall]: { problems: [], changes },
    [importCall]: { written: 2, problems: [] },
  });
  const list = await screen.findByRole('list', { name: 'Що зміниться' });
  expect(Array.from(list.children, (row) => row.textContent)).toEqual(['F1Нова', 'F2Змінитьсяaddress: A → B']);
  fireEvent.click(screen.getByRole('button', { name: 'Записати' }));
  await waitFor(() => expect(server.times(importCall)).toBe(1));
  expect(server.bodyOf(importCall)).toMatchObject({ format: 'csv', content: 'number;address\nF1;A' });
});
