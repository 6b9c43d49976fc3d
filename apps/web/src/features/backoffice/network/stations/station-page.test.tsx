import type { NetworkStation } from '@fpay/contract/admin/network/stations';
import { kopecks, watts } from '@fpay/contract/money';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { aUser } from '../../../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../../../testing/render.tsx';
import { RefusedAnswer, serve } from '../../../../testing/server.ts';
import { Page } from './station-page.tsx';
import { Page as StationsPage } from './stations-page.tsx';

vi.setConfig({ testTimeout: 30_000 });
vi.mock('./place-map.tsx', () => ({ PlaceMap: () => null }));

const aStation = (rest: Partial<NetworkStation> = {}): NetworkStation => ({
  id: 7,
  number: 'F1400',
  address: '31D Slobozhanskyi Ave',
  address_uk: 'просп. Слобожанський, 31Д',
  lat: 48.5091,
  lon: 35.0702,
  is_virtual: false,
  is_online: true,
  is_retired: false,
  in_maintenance: 0,
  connectors: 1,
  party: null,
  party_id: null,
  note: null,
  opening_hours: null,
  changed_at: null,
  links: ['f1400'],
  connector_list: [
    {
      id: 1,
      charge_point: 'CP-1',
      connector: 1,
      type: 'ccstype2',
      power: watts(60_000),
      has_cable: true,
      tariff: { id: 1, name: 'fixed 14.50', is_fixed: true },
      price: kopecks(14_50),
      status: 'free',
      station_number: 'F1400',
    },
  ],
  maintenance: [],
  photos: [],
  ...rest,
});
const choices = { charge_points: ['CP-1'], tariffs: [], parties: [], next_number: 'F1401' };

async function open(path: string, answers: Record<string, unknown> = {}, role: 'Admin' | 'Support' = 'Admin') {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }));
  const server = serve({
    'GET /api/admin/network/choices': choices,
    'GET /api/admin/network/stations/F1400': aStation(),
    'GET /api/admin/network/stations?limit=50': [aStation()],
    ...answers,
  });
  const routes = [
    { path: '/admin/network/stations', element: <StationsPage /> },
    { path: '/admin/network/stations/:number', element: <Page /> },
  ];
  const drawn = await renderRoutes(routes, cacheWith({ user: aUser({ role }) }), path);
  await act(async () => undefined);
  return { server, address: () => drawn.router.state.location.pathname };
}
const field = (name: string) => screen.findByLabelText<HTMLInputElement>(name);
const type = async (name: string, value: string) => fireEvent.change(await field(name), { target: { value } });
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
afterEach(() => vi.unstubAllGlobals());

describe('the station editor', () => {
  it('sends what was typed in the units of the contract', async () => {
    const { server } = await open('/admin/network/stations/F1400', {
      'PATCH /api/admin/network/stations/F1400': { number: 'F1400' },
    });
    await type('Нотатка для водіїв', 'За шлагбаумом');
    await type('Ціна, ₴ за кВт·год', '16,9');
    expect(screen.getByText('2 незбережені зміни')).toBeTruthy();
    press('Зберегти');
    await waitFor(() => expect(server.times('PATCH /api/admin/network/stations/F1400')).toBe(1));
    expect(server.bodyOf('PATCH /api/admin/network/stations/F1400')).toMatchObject({
      note: 'За шлагбаумом',
      opening_hours: null,
      connectors: [{ charge_point: 'CP-1', connector: 1, power: 60_000, price: 16_90, tariff: null }],
      listed: [],
    });
  });

  it('marks wrong fields under the field, keeps what was typed and sends nothing', async () => {
    const { server } = await open('/admin/network/stations/new');
    expect((await field('Номер')).value).toBe('F1401');
    await type('Номер', '1400');
    await type('Ціна, ₴ за кВт·год', 'дорого');
    press('Зберегти');
    expect(await screen.findByText('Номер має вигляд F1234')).toBeTruthy();
    expect(screen.getByText('Ціна від 0 до 1000 ₴ за кВт·год')).toBeTruthy();
    expect(screen.getAllByText('Вкажіть адресу, до 200 символів')).toHaveLength(2);
    expect((await field('Номер')).value).toBe('1400');
    await waitFor(async () => expect(document.activeElement).toBe(await field('Номер')));
    expect(server.times('POST /api/admin/network/stations')).toBe(0);
  });

  it('shows what only the server knows under the field of its row', async () => {
    const errors = { 'connectors.0.charge_point': ['There is no such charge point.'] };
    await open('/admin/network/stations/F1400', {
      'PATCH /api/admin/network/stations/F1400': new RefusedAnswer(422, { message: 'No', errors }),
    });
    await type('Пристрій', 'CP-9');
    press('Зберегти');
    expect(await screen.findByText('Такого пристрою немає: спершу зареєструйте його')).toBeTruthy();
  });

  it('lets staff without manage-network look and change nothing', async () => {
    await open('/admin/network/stations/F1400', {}, 'Support');
    expect((await field('Нотатка для водіїв')).matches(':disabled')).toBe(true);
    expect(screen.queryByRole('button', { name: 'Зберегти' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Вивести з мережі' })).toBeNull();
  });
});

describe('work at a station', () => {
  const plan = 'POST /api/admin/network/stations/F1400/maintenance';

  it('is planned with days and times in Kyiv, the day first', async () => {
    const { server } = await open('/admin/network/stations/F1400', { [plan]: { id: 3 } });
    fireEvent.click(await screen.findByRole('button', { name: 'Запланувати' }));
    await type('Причина для водіїв', 'Заміна кабелю');
    await type('Від', '05.12.2026 09:00');
    await type('До', '5.12.2026 18:30');
    press('Запланувати');
    await waitFor(() => expect(server.times(plan)).toBe(1));
    expect(server.bodyOf(plan)).toMatchObject({
      connector_id: null,
      reason: 'Заміна кабелю',
      starts_at: '2026-12-05T07:00:00.000Z',
      ends_at: '2026-12-05T16:30:00.000Z',
    });
  });

  it('with a time that cannot be read is not sent, because it would begin now', async () => {
    const { server } = await open('/admin/network/stations/F1400', { [plan]: { id: 3 } });
    fireEvent.click(await screen.findByRole('button', { name: 'Запланувати' }));
    await type('Причина для водіїв', 'Заміна кабелю');
    await type('Від', '12/25/2026 9:00');
    press('Запланувати');
    expect(await screen.findByText('Введіть дату й час, наприклад 15.11.2026 14:35')).toBeTruthy();
    await act(async () => undefined);
    expect(server.times(plan)).toBe(0);
  });
});

describe('the list of stations', () => {
  it('opens a station, and says when there is none', async () => {
    const { server } = await open('/admin/network/stations');
    const link = await screen.findByRole('link', { name: 'F1400' });
    expect(link.getAttribute('href')).toBe('/admin/network/stations/F1400');
    expect(link.closest('li')?.textContent).toContain('1 роз’єм');
    server.answers['GET /api/admin/network/stations?limit=50&q=F9'] = [];
    await type('Номер або адреса', 'F9');
    expect(await screen.findByText('Станцій не знайдено')).toBeTruthy();
  });
});
