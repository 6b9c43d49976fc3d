import type { User } from '@fpay/contract/account';
import type { Car } from '@fpay/contract/cars';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { aUser } from '../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../testing/render.tsx';
import { RefusedAnswer, serve } from '../../testing/server.ts';
import { PopupHost } from '../../ui/overlay/popup-host.tsx';
import { Page as AddPage } from './add-page.tsx';
import { Page as CarPage } from './car-page.tsx';
import { Page as CarsPage } from './cars-page.tsx';

const editCall = 'PATCH /api/user/7';
const aCar = (id: number, name: string, rest: Partial<Car> = {}): Car => ({
  id,
  name,
  battery: null,
  manufacturer: null,
  model: null,
  plate: null,
  vin: null,
  year: null,
  ...rest,
});
const leaf = aCar(3, 'Леаф', { battery: 40, manufacturer: 'Nissan', model: 'Leaf', plate: 'AE1234KA' });
const zoe = aCar(4, 'Зоя');
const owner = (rest: Partial<User> = {}) => aUser({ cars: [leaf, zoe], active_car_id: 3, ...rest });

async function open(path: string, user: User, answer?: unknown) {
  const server = serve(answer === undefined ? {} : { [editCall]: answer });
  const drawn = await renderRoutes(
    [
      { path: '/cars', element: <CarsPage /> },
      { path: '/car/add', element: <AddPage /> },
      {
        path: '/car/:carId',
        element: (
          <>
            <CarPage />
            <PopupHost />
          </>
        ),
      },
      { path: '*', element: <p>Інша сторінка</p> },
    ],
    cacheWith({ user }),
    path,
  );
  return { server, ...drawn };
}

const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const save = () => fireEvent.click(screen.getByRole('button', { name: 'Зберегти' }));

describe('the cars', () => {
  it('are listed, the active one highlighted [CAR-01]', async () => {
    await open('/cars', owner());
    const rows = within(screen.getByRole('list', { name: 'Мої авто' })).getAllByRole('button');
    expect(rows.map((row) => [row.textContent, row.getAttribute('aria-pressed')])).toEqual([
      ['ЛеафАктивнеNissan Leaf · 40\u00a0кВт·годAE1234KA', 'true'],
      ['Зоя', 'false'],
    ]);
  });

  it('become active with a tap [CAR-02]', async () => {
    const { server } = await open('/cars', owner(), owner({ active_car_id: 4 }));
    fireEvent.click(screen.getByRole('button', { name: /^Зоя/ }));
    await waitFor(() => expect(server.bodyOf(editCall)).toMatchObject({ active_car: 4 }));
    await waitFor(() => expect(screen.getByRole('button', { pressed: true }).textContent).toContain('Зоя'));
    fireEvent.click(screen.getByRole('button', { name: /^Зоя/ }));
    expect(server.times(editCall)).toBe(1);
  });

  it('are edited with the pencil [CAR-03]', async () => {
    await open('/cars', owner());
    expect(screen.getByRole('link', { name: 'Редагувати «Зоя»' })).toHaveProperty('pathname', '/car/4');
  });

  it('are limited to ten; then no button offers another one [CAR-04]', async () => {
    const nine = Array.from({ length: 9 }, (_, index) => aCar(index + 1, `Авто ${index + 1}`));
    const { unmount } = await open('/cars', owner({ cars: nine }));
    expect(screen.getByRole('link', { name: 'Додати авто' })).toHaveProperty('pathname', '/car/add');
    unmount();
    await open('/cars', owner({ cars: [...nine, aCar(10, 'Авто 10')] }));
    expect(screen.queryByRole('link', { name: 'Додати авто' })).toBeNull();
  });

  it('show a button for the first car when there are none', async () => {
    await open('/cars', owner({ cars: [], active_car_id: null }));
    expect(screen.getByRole('heading', { name: 'Авто ще немає' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Додати авто' })).toHaveProperty('pathname', '/car/add');
  });
});

describe('a new car', () => {
  it('is added, and the list shows it [CAR-05]', async () => {
    const added = aCar(5, 'Іонік', { battery: 77.4 });
    const { server, router } = await open('/car/add', owner(), owner({ cars: [leaf, zoe, added] }));
    type('Назва', 'Іонік');
    type('Батарея', '77,4');
    save();
    await waitFor(() => expect(router.state.location.pathname).toBe('/cars'));
    expect(server.bodyOf(editCall)).toMatchObject({ added_cars: [{ name: 'Іонік', battery: 77.4, plate: '' }] });
    expect(screen.getByRole('button', { name: /^Іонік/ })).toBeTruthy();
  });

  it('with errors is not sent; errors that only the server finds are marked too', async () => {
    const refused = new RefusedAnswer(422, {
      message: 'No',
      code: 'invalid_input',
      errors: { 'added_cars.0.plate': ['No'] },
    });
    const { server } = await open('/car/add', owner(), refused);
    type('Батарея', '250');
    // The battery of a new car is checked when it is saved.
    expect(screen.queryByText('Введіть число від 20 до 200 або залиште поле порожнім')).toBeNull();
    save();
    expect(screen.getByText('Назва авто: від 1 до 20 символів і до 4 слів')).toBeTruthy();
    expect(screen.getByText('Введіть число від 20 до 200 або залиште поле порожнім')).toBeTruthy();
    expect(server.times(editCall)).toBe(0);
    type('Назва', 'Іонік');
    type('Батарея', '');
    save();
    await screen.findByText('Не більше 15 символів');
    expect(screen.getByLabelText('Назва')).toHaveProperty('value', 'Іонік');
  });
});

describe('an existing car', () => {
  it('is edited [CAR-06]', async () => {
    const { server, router } = await open('/car/3', owner(), owner());
    expect(screen.getByLabelText('Назва')).toHaveProperty('value', 'Леаф');
    type('Модель', 'Leaf 2');
    save();
    await waitFor(() => expect(router.state.location.pathname).toBe('/cars'));
    expect(server.bodyOf(editCall)).toMatchObject({
      edited_cars: [{ id: 3, name: 'Леаф', battery: 40, model: 'Leaf 2' }],
    });
  });

  it('with a battery above 300 is marked while typing [VAL-12]', async () => {
    await open('/car/3', owner());
    type('Батарея', '300');
    expect(screen.getByLabelText('Батарея').getAttribute('aria-invalid')).toBeNull();
    type('Батарея', '301');
    expect(screen.getByLabelText('Батарея').getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByText('Введіть число від 20 до 200 або залиште поле порожнім')).toBeTruthy();
  });

  it('is deleted after a confirmation that names the next active one [CAR-06]', async () => {
    const { server, router } = await open('/car/3', owner(), owner({ cars: [zoe], active_car_id: 4 }));
    fireEvent.click(screen.getByRole('button', { name: 'Видалити авто' }));
    const dialog = await screen.findByRole('dialog', { name: 'Видалити «Леаф»?' });
    expect(dialog.textContent).toContain('Активним стане «Зоя».');
    fireEvent.click(within(dialog).getByRole('button', { name: 'Видалити авто' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/cars'));
    expect(server.bodyOf(editCall)).toMatchObject({ deleted_cars: [3] });
    expect(screen.queryByRole('button', { name: /^Леаф/ })).toBeNull();
  });

  it('of another user shows the 404 page', async () => {
    const { router } = await open('/car/99', owner());
    await waitFor(() => expect(router.state.location.pathname).toBe('/404'));
  });
});
