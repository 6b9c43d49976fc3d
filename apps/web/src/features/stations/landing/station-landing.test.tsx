import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { Page as SignIn } from '../../../app/pages/sign-in.tsx';
import { aGuest } from '../../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../../testing/render.tsx';
import { RefusedAnswer, serve } from '../../../testing/server.ts';
import { aConnector, aStation } from '../../../testing/station-screen.tsx';
import { rememberReturnTo, returnTo } from '../../account/return-to.ts';
// Imported here, so that the tests do not wait for the lazy import.
import './station-landing.tsx';
import './landing-rare.tsx';

vi.mock('../../../api/realtime.ts', () => ({ connectRealtime: vi.fn() }));

async function openLanding(station: unknown, path = '/station/F1400', free: unknown[] = []) {
  const server = serve({
    'GET /api/alternatives?number=F1400': { similar: ['F1403'], free },
    'GET /api/station/F1400': station,
    'GET /api/station/F1403': aStation({ number: 'F1403' }),
    'GET /api/station/v/F1400': new RefusedAnswer(404, { message: 'No', code: 'not_found' }),
    'POST /api/guest': aGuest(),
  });
  rememberReturnTo(path);
  const routes = [
    { path: '/auth', Component: SignIn },
    { path: '*', element: <p>Інша сторінка</p> },
  ];
  const { router } = await renderRoutes(routes, cacheWith(), '/auth');
  return { server, router };
}
const guestButton = () => screen.findByRole('button', { name: 'Зарядити як гість' });

describe('a visitor who scanned a code', () => {
  it('sees the station with its connectors and prices, and the sign-in form below', async () => {
    await openLanding(aStation());
    expect(await screen.findByRole('heading', { name: 'F1400' })).toBeTruthy();
    expect(screen.getByText('просп. Слобожанський, 31Д')).toBeTruthy();
    expect(screen.getByText('2 доступні')).toBeTruthy();
    expect(screen.getAllByRole('listitem')).toHaveLength(2);
    expect(screen.getAllByRole('listitem')[0]?.textContent).toContain('14,50');
    fireEvent.click(screen.getByRole('button', { name: 'Усі роз’єми · 6' }));
    expect(screen.getAllByRole('listitem')).toHaveLength(6);
    Element.prototype.scrollIntoView = vi.fn();
    fireEvent.click(screen.getByRole('button', { name: 'Маєте акаунт? Увійдіть і платіть із балансу' }));
    expect(await screen.findByLabelText('Номер телефону')).toBeTruthy();
  });

  it('continues as a guest with the plugged-in connector straight to the amount; Back leads to the connectors', async () => {
    const { server, router } = await openLanding(aStation(), '/station/F1400?ref_id=5');
    fireEvent.click(await guestButton());
    await waitFor(() =>
      expect(router.state.location.state).toMatchObject({ step: 'amount', connector: 1, method: 'card' }),
    );
    expect(router.state.location).toMatchObject({ pathname: '/station/F1400', search: '?ref_id=5' });
    expect(server.times('POST /api/guest')).toBe(1);
    await router.navigate(-1);
    await waitFor(() => expect(router.state.location.state).toBeNull());
    expect(router.state.location.pathname).toBe('/station/F1400');
  });

  it('who tries another number sees that one, and Back leads to the number before', async () => {
    const { router } = await openLanding(new RefusedAnswer(404, { message: 'No', code: 'not_found' }));
    expect(await screen.findByRole('heading', { name: 'Станції F1400 немає' })).toBeTruthy();
    // As the guard of the station's page does.
    rememberReturnTo('/station/F1403');
    await router.navigate('/auth');
    expect(await screen.findByRole('heading', { name: 'F1403' })).toBeTruthy();
    await router.navigate(-1);
    expect(await screen.findByRole('heading', { name: 'Станції F1400 немає' })).toBeTruthy();
    expect(returnTo()).toBe('/station/F1400');
  });

  it('chooses a free connector first, and is then asked to plug in', async () => {
    const { router } = await openLanding(aStation({ connectors: [aConnector(1), aConnector(2, { type: 'gbtdc' })] }));
    expect(((await screen.findByRole('button', { name: 'Виберіть роз’єм' })) as HTMLButtonElement).disabled).toBe(true);
    fireEvent.click(screen.getByRole('button', { name: /GB\/T DC/ }));
    fireEvent.click(await guestButton());
    await waitFor(() => expect(router.state.location.state).toEqual({ step: 'plug', connector: 2 }));
  });

  it('sees what staff noted about the station: work that goes on, hours, how to find it and photos', async () => {
    const work = { reason: 'Замінюємо кабель', starts_at: '2026-11-15T10:00:00Z', ends_at: null, connector_id: null };
    await openLanding(
      aStation({
        note: 'За шлагбаумом ліворуч',
        opening_hours: { weekdays: { from: '08:00', to: '22:00' }, weekend: null },
        maintenance: [work],
        photos: [{ key: 'a'.repeat(32), width: 1600, height: 1200 }],
      }),
    );
    expect(await screen.findByText('За шлагбаумом ліворуч')).toBeTruthy();
    expect(screen.getByText(/Замінюємо кабель/)).toBeTruthy();
    expect(screen.getByText(/Пн–Пт 08:00–22:00/)).toBeTruthy();
    expect(document.querySelector('img')?.getAttribute('src')).toBe(`/api/photo/${'a'.repeat(32)}/small`);
    expect(await guestButton()).toBeTruthy();
  });

  it('where no connector is available sees why, the nearest free one with its price, the scanner and the phone', async () => {
    const busy = aStation({
      connectors: [aConnector(1, { status: 'charging', time_left: 1_200 }), aConnector(2, { status: 'occupied' })],
    });
    await openLanding(busy, '/station/F1400', [
      {
        number: 'F1403',
        api_address: '1',
        type: 'ccstype2',
        address: 'A',
        address_uk: 'вул. Калинова, 9А',
        price: 14_50,
        distance: 652,
      },
    ]);
    expect(await screen.findByRole('heading', { name: 'Зараз усі роз’єми зайняті' })).toBeTruthy();
    expect(screen.getByText('Перший звільниться за ≈ 20 хв')).toBeTruthy();
    expect((await screen.findByRole('link', { name: 'Перейти на F1403' })).getAttribute('href')).toBe('/station/F1403');
    expect(screen.getByRole('link', { name: /Калинова/ }).textContent).toMatch(/650\u00a0м.*14,50/);
    expect(screen.getByRole('link', { name: 'Сканувати' }).getAttribute('href')).toBe('/qr');
    expect(screen.getByRole('link', { name: 'Подзвонити' }).getAttribute('href')).toMatch(/^tel:/);
  });

  it('whose station is offline can go to a free one, to the map, or sign in', async () => {
    await openLanding(aStation({ is_online: false, connectors: [] }));
    expect(await screen.findByRole('heading', { name: 'Станція F1400 не на зв’язку' })).toBeTruthy();
    expect(await screen.findByText('Поруч вільних немає')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'На мапу' }).getAttribute('href')).toBe('/map');
    expect(await screen.findByLabelText('Номер телефону')).toBeTruthy();
  });

  it('of a closed group is asked to sign in, without any detail of the station', async () => {
    await openLanding(new RefusedAnswer(403, { message: 'No', code: 'closed_station' }));
    expect(await screen.findByRole('heading', { name: 'Станція лише для учасників групи' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: /гість/ })).toBeNull();
    expect(await screen.findByLabelText('Номер телефону')).toBeTruthy();
  });

  it('of a number that does not exist can correct it', async () => {
    await openLanding(new RefusedAnswer(404, { message: 'No', code: 'not_found' }));
    expect(await screen.findByRole('heading', { name: 'Станції F1400 немає' })).toBeTruthy();
    expect((await screen.findByRole('link', { name: 'F1403' })).getAttribute('href')).toBe('/station/F1403');
  });
});
