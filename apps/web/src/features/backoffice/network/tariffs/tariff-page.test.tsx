import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { aUser } from '../../../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../../../testing/render.tsx';
import { RefusedAnswer, serve } from '../../../../testing/server.ts';
import { Page } from './tariff-page.tsx';

vi.setConfig({ testTimeout: 30_000 });
afterEach(() => vi.unstubAllGlobals());

const aTariff = {
  id: 5,
  name: 'Денний DC',
  price: 15_00,
  hours: null,
  discount: null,
  idle: null,
  is_fixed: false,
  connectors: 12,
  stations: 8,
  price_now: 15_00,
  has_plan: true,
  is_waiting: false,
  running: 37,
  changes: [
    {
      id: 2,
      price: 17_40,
      hours: null,
      discount: null,
      idle: { fee: 2_00, grace_minutes: 10 },
      starts_at: '2026-12-01T00:00:00Z',
      status: 'planned',
      staff: 'Ірина Ткаченко',
    },
  ],
};
const hours = Array.from({ length: 24 }, (_, hour) => ({ hour, price: hour < 12 ? 9_90 : 15_00, old_price: null }));

async function openTariff(path: string, answers: Record<string, unknown> = {}) {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }));
  const server = serve({
    'GET /api/admin/network/tariffs/5': aTariff,
    'POST /api/admin/network/tariffs/preview': hours,
    ...answers,
  });
  const routes = [{ path: '/admin/network/tariffs/:id', element: <Page /> }];
  await renderRoutes(routes, cacheWith({ user: aUser({ role: 'Admin' }) }), path);
  await act(async () => undefined);
  return server;
}
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
const type = (name: string, value: string) => fireEvent.change(screen.getByLabelText(name), { target: { value } });

it('sends hours and weekdays as rows, and the usual price beside them', async () => {
  const server = await openTariff('/admin/network/tariffs/new', {
    'POST /api/admin/network/tariffs': new RefusedAnswer(422, {
      message: 'No',
      errors: { name: ['A tariff with this name already exists.'] },
    }),
  });
  press('Зберегти');
  expect(await screen.findByText('Вкажіть назву')).toBeTruthy();
  type('Назва тарифу', 'Денний DC');
  fireEvent.click(screen.getByLabelText('За годинами'));
  type('Ціна, ₴', '12,5');
  press('Застосувати до 60 годин');
  press('Зберегти');
  expect(await screen.findByText('Тариф із такою назвою вже є')).toBeTruthy();
  expect(server.bodyOf('POST /api/admin/network/tariffs')).toMatchObject({
    name: 'Денний DC',
    price: 15_00,
    hours: [{ weekdays: [1, 2, 3, 4, 5], from: 8, to: 20, price: 12_50 }],
    discount: null,
  });
});

it('plans a change in Kyiv time and says what it touches', async () => {
  const call = 'POST /api/admin/network/tariffs/5/changes';
  const server = await openTariff('/admin/network/tariffs/5', { [call]: { id: 3 } });
  expect(await screen.findByText(/37 зарядок, що тривають, зберігають свою ціну/)).toBeTruthy();
  expect(screen.getByText(/Зміна торкнеться 12 роз’ємів/)).toBeTruthy();
  expect(screen.getByText('Ірина Ткаченко')).toBeTruthy();
  type('Ціна, ₴ за кВт·год', '17,40');
  fireEvent.click(screen.getByLabelText('За розкладом'));
  press('Запланувати');
  expect(await screen.findByText('Вкажіть дату й час')).toBeTruthy();
  type('Дата й час', '2026-12-01T00:00');
  press('Запланувати');
  await waitFor(() => expect(server.times(call)).toBe(1));
  expect(server.bodyOf(call)).toMatchObject({ price: 17_40, starts_at: '2026-11-30T22:00:00.000Z' });
});

it('sets an idle fee with its grace time, refuses bad numbers and shows it in the history', async () => {
  const call = 'POST /api/admin/network/tariffs/5/changes';
  const server = await openTariff('/admin/network/tariffs/5', { [call]: { id: 3 } });
  expect(await screen.findByText(/простій 2,00\s₴\/хв після 10 хв/)).toBeTruthy();
  fireEvent.click(screen.getByLabelText('Плата за простій'));
  press('Зберегти');
  expect(await screen.findByText('Від 0,01 до 100 ₴')).toBeTruthy();
  type('За хвилину, ₴', '1,50');
  type('Безкоштовно, хв', '2,5');
  press('Зберегти');
  expect(await screen.findByText('Від 1 до 240 хвилин')).toBeTruthy();
  expect(server.times(call)).toBe(0);
  type('Безкоштовно, хв', '15');
  press('Зберегти');
  await waitFor(() => expect(server.times(call)).toBe(1));
  expect(server.bodyOf(call)).toMatchObject({ price: 15_00, idle: { fee: 1_50, grace_minutes: 15 } });
});

it('says that a free price and a discount of 100 % wait for a second person, before and after saving [ADM-OP-31]', async () => {
  const save = 'POST /api/admin/network/tariffs/5/changes';
  const server = await openTariff('/admin/network/tariffs/5', { [save]: { id: 9, is_waiting: true } });
  fireEvent.click(await screen.findByLabelText('Період знижки'));
  type('Знижка, %', '100');
  expect(screen.getByText(/Знижка 100 %: у ці дні зарядка безкоштовна/)).toBeTruthy();
  fireEvent.click(screen.getByLabelText('Безкоштовно'));
  expect(screen.getByText(/Платний тариф стане безкоштовним, щойно/)).toBeTruthy();
  server.answers['GET /api/admin/network/tariffs/5'] = { ...aTariff, is_waiting: true };
  press('Зберегти');
  expect(await screen.findByText(/Зміна чекає: її має схвалити інший працівник/)).toBeTruthy();
});
