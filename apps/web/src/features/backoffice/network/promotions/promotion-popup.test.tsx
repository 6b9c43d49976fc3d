import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderPart } from '../../../../testing/render.tsx';
import { serve } from '../../../../testing/server.ts';
import { PromotionPopup } from './promotion-popup.tsx';

vi.setConfig({ testTimeout: 30_000 });

const add = 'POST /api/admin/network/promotions';
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const type = (name: string, value: string) => fireEvent.change(screen.getByLabelText(name), { target: { value } });

it('sends its days without a year, typed or chosen from a calendar without a time', async () => {
  const server = serve({ [add]: { id: 4, is_waiting: false } });
  renderPart(<PromotionPopup promotion={null} isLocked={false} onClose={() => undefined} onDone={() => undefined} />);
  type('Номер станції', 'f1400');
  type('Перший день', '05.12.2026');
  press('Календар: Останній день');
  const calendar = within(await screen.findByRole('dialog', { name: 'Останній день' }));
  expect(calendar.queryByLabelText('Години')).toBeNull();
  fireEvent.click(calendar.getAllByRole('button', { name: /^15 / })[0] as HTMLElement);
  fireEvent.click(calendar.getByText('OK'));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Останній день' })).toBeNull());
  press('Зберегти');
  await waitFor(() => expect(server.times(add)).toBe(1));
  expect(server.bodyOf(add)).toMatchObject({
    station_number: 'F1400',
    days: { from: '12-05', to: expect.stringMatching(/^\d\d-15$/) },
  });
});

it('marks a day that cannot be read and sends nothing', async () => {
  const server = serve({ [add]: { id: 4, is_waiting: false } });
  renderPart(<PromotionPopup promotion={null} isLocked={false} onClose={() => undefined} onDone={() => undefined} />);
  type('Номер станції', 'F1400');
  type('Перший день', '12/25/2026');
  type('Останній день', '26.12.2026');
  expect(screen.getByText('Введіть дату, наприклад 15.11.2026')).toBeTruthy();
  press('Зберегти');
  await waitFor(() => expect(screen.getByLabelText('Перший день').getAttribute('aria-invalid')).toBe('true'));
  expect(server.times(add)).toBe(0);
});

it('sends the budget of a day, and says what happens without one [ADM-OP-31]', async () => {
  const server = serve({ [add]: { id: 4, is_waiting: true } });
  renderPart(<PromotionPopup promotion={null} isLocked={false} onClose={() => undefined} onDone={() => undefined} />);
  fireEvent.click(screen.getByLabelText('Бонус'));
  type('Номер станції', 'F1400');
  type('Від, кВт·год', '40');
  type('Бонус на баланс, ₴', '40');
  fireEvent.click(screen.getByLabelText('Діє завжди'));
  expect(screen.getByText('Без бюджету акція почнеться, коли її схвалить інший працівник')).toBeTruthy();
  type('Бюджет на день, ₴', '39');
  press('Зберегти');
  expect(await screen.findByText('Бюджет: від однієї виплати до 1 000 000 ₴')).toBeTruthy();
  type('Бюджет на день, ₴', '400,50');
  press('Зберегти');
  await waitFor(() => expect(server.times(add)).toBe(1));
  expect(server.bodyOf(add)).toMatchObject({ reward: { amount: 40_00 }, budget_per_day: 400_50 });
});
