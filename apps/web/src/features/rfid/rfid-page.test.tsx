import type { RfidData } from '@fpay/contract/rfid';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aUser } from '../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../testing/render.tsx';
import { pass, RefusedAnswer, serve } from '../../testing/server.ts';
import { PopupHost } from '../../ui/overlay/popup-host.tsx';
import { requestBind } from './bind.ts';
import { Page } from './rfid-page.tsx';
import { bindTimeLeft } from './time-left.ts';

const dataCall = 'GET /api/user/rfid/data';
const bindCall = 'POST /api/user/rfid/requests';
const now = Date.parse('2026-11-15T01:00:00Z');
const someData: RfidData = {
  cards: [{ id: 5, number: '•••• B2C3' }],
  requests: [{ id: 9, station_number: 'F1001', expires_at: '2026-11-15T01:01:58Z' }],
};
const nothing: RfidData = { cards: [], requests: [] };

async function open(answers: Record<string, unknown>) {
  const server = serve(answers);
  const element = (
    <>
      <Page />
      <PopupHost />
    </>
  );
  await renderRoutes([{ path: '/rfid', element }], cacheWith({ user: aUser({ role: 'Operator' }) }), '/rfid');
  return server;
}

// Only the date is faked; waits for answers are real.
beforeEach(() => void vi.useFakeTimers({ now, toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

describe('the cards', () => {
  it('are listed masked, with the open requests and a button to add one [RFID-01] [RFID-11]', async () => {
    await open({ [dataCall]: someData });
    const cards = await screen.findByRole('list', { name: 'Картки' });
    expect(cards.textContent).toBe('•••• B2C3');
    const requests = screen.getByRole('list', { name: 'Картки, що очікують' });
    expect(requests.textContent).toBe('Станція F1001Прикладіть картку до зчитувача1:58');
    expect(screen.getByRole('button', { name: 'Додати картку' })).toBeTruthy();
  });

  it('and requests show a message with a drawing when there are none, above the button that adds one [ERR-41]', async () => {
    await open({ [dataCall]: nothing });
    for (const none of ['RFID-карток ще немає', 'Немає карток, що очікують'])
      expect((await screen.findByText(none)).querySelector('svg.lucide-nfc')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Додати картку' })).toBeTruthy();
  });

  it('that could not be loaded can be requested again', async () => {
    const server = await open({ [dataCall]: new RefusedAnswer(500) });
    fireEvent.click(await screen.findByRole('button', { name: 'Спробувати ще раз' }));
    server.answers[dataCall] = nothing;
    await waitFor(() => expect(server.times(dataCall)).toBe(2));
  });

  it('are deleted after a confirmation [RFID-05]', async () => {
    const server = await open({ [dataCall]: someData, 'DELETE /api/user/rfid/5': null });
    fireEvent.click(await screen.findByRole('button', { name: 'Видалити картку •••• B2C3' }));
    const dialog = await screen.findByRole('dialog', { name: 'Видалити картку •••• B2C3?' });
    expect(server.times('DELETE /api/user/rfid/5')).toBe(0);
    server.answers[dataCall] = nothing;
    fireEvent.click(within(dialog).getByRole('button', { name: 'Видалити' }));
    await screen.findByText('RFID-карток ще немає');
    expect(server.times('DELETE /api/user/rfid/5')).toBe(1);
  });

  it('that are no longer wanted: an open request is withdrawn [RFID-05]', async () => {
    const server = await open({ [dataCall]: someData, 'DELETE /api/user/rfid/requests/9': null });
    const button = await screen.findByRole('button', { name: 'Скасувати запит на станції F1001' });
    server.answers[dataCall] = { ...someData, requests: [] };
    fireEvent.click(button);
    await screen.findByText('Немає карток, що очікують');
    expect(server.times('DELETE /api/user/rfid/requests/9')).toBe(1);
  });

  it('are polled while a request is open, in case its event is lost', async () => {
    vi.useFakeTimers({ now });
    const server = await open({ [dataCall]: someData });
    await pass(100);
    server.answers[dataCall] = { ...nothing, cards: [{ id: 6, number: '•••• 0001' }] };
    await pass(10_100);
    expect(screen.getByText('•••• 0001')).toBeTruthy();
    const asked = server.times(dataCall);
    await pass(60_000);
    expect(server.times(dataCall)).toBe(asked);
  });
});

describe('adding a card', () => {
  const openPopup = async (answers: Record<string, unknown>) => {
    const server = await open({ [dataCall]: nothing, ...answers });
    fireEvent.click(await screen.findByRole('button', { name: 'Додати картку' }));
    return { server, dialog: await screen.findByRole('dialog', { name: 'Нова картка' }) };
  };
  const enter = (dialog: HTMLElement, station: string) => {
    fireEvent.change(within(dialog).getByLabelText('Номер станції'), { target: { value: station } });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Почати' }));
  };

  it('asks for the number on the station [RFID-02]', async () => {
    const { dialog } = await openPopup({});
    const field = within(dialog).getByLabelText('Номер станції');
    expect(field.getAttribute('placeholder')).toBe('F1234');
    expect(within(dialog).getByText('Формат: F1234')).toBeTruthy();
    expect(within(dialog).getByRole('button', { name: 'Введіть номер станції' })).toHaveProperty('disabled', true);
  });

  it('marks an unknown station and keeps the popup open [RFID-03]', async () => {
    const { dialog } = await openPopup({
      [bindCall]: new RefusedAnswer(404, { message: 'Station not found.', code: 'station_not_found' }),
    });
    enter(dialog, 'F9999');
    await screen.findByText('Станцію не знайдено');
    expect(within(dialog).getByLabelText('Номер станції').getAttribute('aria-invalid')).toBe('true');
    expect(within(dialog).getByLabelText('Номер станції')).toHaveProperty('value', 'F9999');
  });

  it('closes and shows the open request [RFID-04]', async () => {
    const { server, dialog } = await openPopup({
      [bindCall]: { message: 'Hold the card to the reader of the station.' },
    });
    server.answers[dataCall] = someData;
    enter(dialog, ' f1001 ');
    await screen.findByText('Станція F1001');
    expect(server.bodyOf(bindCall)).toMatchObject({ station_number: 'F1001' });
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('closes on any other refusal too, which is then shown [RFID-04] [ERR-17]', async () => {
    const { dialog } = await openPopup({
      [bindCall]: new RefusedAnswer(409, { message: 'Somebody is binding a card', code: 'bind_request_open' }),
    });
    enter(dialog, 'F1001');
    await screen.findByRole('dialog', { name: /На цій станції зараз прив’язують іншу картку/ });
    // Found by text, because what is below another popup is hidden from roles.
    expect(screen.queryByText('Нова картка')).toBeNull();
  });

  it("returns the server's message on success and refusal [ERR-17]", async () => {
    serve({ [bindCall]: { message: 'Hold the card to the reader of the station.' } });
    expect(await requestBind('F1001')).toEqual({
      message: 'Hold the card to the reader of the station.',
      refusal: null,
    });
    serve({ [bindCall]: new RefusedAnswer(404, { message: 'Station not found.', code: 'station_not_found' }) });
    expect(await requestBind('F9999')).toEqual({
      message: 'Station not found.',
      refusal: 'refusals:stationNotFound',
    });
  });
});

describe('the remaining time', () => {
  it.each([
    ['2026-11-15T01:01:58Z', '1:58'],
    ['2026-11-15T01:00:05.001Z', '0:06'],
    ['2026-11-15T00:59:00Z', '0:00'],
    // A phone whose clock is an hour behind.
    ['2026-11-15T02:00:00Z', '2:00'],
  ])('until %s is %s', (until, left) => {
    expect(bindTimeLeft(until, now)).toBe(left);
  });
});
