import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Page } from '../../../app/pages/missing.tsx';
import { cacheWith, renderRoutes } from '../../../testing/render.tsx';
import { serve } from '../../../testing/server.ts';

async function openMissing(state: unknown) {
  serve({
    'GET /api/alternatives?number=F1409': { similar: ['F1400', 'F1403'], free: [] },
    'GET /api/alternatives?number=F1301': {
      similar: [],
      free: [
        {
          number: 'F1400',
          api_address: '2',
          type: 'type2',
          address: 'A',
          address_uk: 'просп. Слобожанський',
          price: 14_50,
          distance: 452,
        },
      ],
    },
  });
  const routes = [
    { path: '/404', Component: Page },
    { path: '*', element: <p>Інша сторінка</p> },
  ];
  const { router } = await renderRoutes(routes, cacheWith(), '/');
  await router.navigate('/404', { state });
  return router;
}

it('an unknown number stays in its field, and numbers that differ in one digit are offered', async () => {
  const router = await openMissing({ station: 'F1409', isClosed: false });
  expect(await screen.findByRole('heading', { name: 'Станції F1409 немає' })).toBeTruthy();
  expect(screen.getAllByText(/Станції F1409 немає/)).toHaveLength(1);
  const field = screen.getByLabelText<HTMLInputElement>('Номер станції');
  expect([field.value, field.getAttribute('aria-invalid')]).toEqual(['F1409', 'true']);
  expect((await screen.findByRole('link', { name: 'F1400' })).getAttribute('href')).toBe('/station/F1400');
  expect(screen.getByRole('link', { name: 'Сканувати код' }).getAttribute('href')).toBe('/qr');
  fireEvent.change(field, { target: { value: 'f1403' } });
  fireEvent.click(screen.getByRole('button', { name: 'Відкрити станцію' }));
  expect(router.state.location.pathname).toBe('/station/F1403');
});

it('a closed group is not named, and the nearest free connectors are offered', async () => {
  await openMissing({ station: 'F1301', isClosed: true });
  expect(await screen.findByRole('heading', { name: 'Станція лише для учасників групи' })).toBeTruthy();
  expect((await screen.findByRole('link', { name: 'Перейти на F1400' })).getAttribute('href')).toBe('/station/F1400');
  expect(screen.getByText(/450.м/)).toBeTruthy();
});

it('any other address is simply not found', async () => {
  await openMissing(null);
  expect(await screen.findByRole('heading', { name: '404' })).toBeTruthy();
});
