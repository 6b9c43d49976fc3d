import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAppRoutes } from '../../app/routes/routes.tsx';
import { chooseLanguage } from '../../i18n/i18n.ts';
import { aUser } from '../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../testing/render.tsx';
import { pass, RefusedAnswer, serve } from '../../testing/server.ts';

/** What the camera sees now. */
let seen: string | null = null;
let tracks: ReturnType<typeof aTrack>[] = [];

function aTrack(id: string, capabilities: object) {
  const applied: unknown[] = [];
  return Object.assign(new EventTarget(), {
    applied,
    stop: vi.fn(),
    getSettings: () => ({ deviceId: id }),
    getCapabilities: () => capabilities,
    applyConstraints: async (constraints: unknown) => void applied.push(constraints),
  });
}

interface Phone {
  cameras?: string[];
  capabilities?: object;
  /** The name of the error with which the camera request fails. */
  failure?: string;
}

function aPhone({ cameras = ['Задня камера'], capabilities = {}, failure }: Phone = {}) {
  const asked: MediaStreamConstraints[] = [];
  const phone = {
    failure,
    asked,
    async getUserMedia(constraints: MediaStreamConstraints) {
      asked.push(constraints);
      if (phone.failure) throw new DOMException('no', phone.failure);
      const { deviceId } = constraints.video as { deviceId?: { exact: string } };
      const track = aTrack(deviceId?.exact ?? 'camera-0', capabilities);
      tracks.push(track);
      return { getTracks: () => [track], getVideoTracks: () => [track] };
    },
    enumerateDevices: async () => [
      ...cameras.map((label, index) => ({ kind: 'videoinput', deviceId: `camera-${index}`, label })),
      { kind: 'audioinput', deviceId: 'microphone', label: 'Мікрофон' },
    ],
  };
  hold(phone);
  return phone;
}

const realNavigator = navigator;
function hold(mediaDevices: unknown) {
  vi.stubGlobal(
    'navigator',
    Object.create(realNavigator, { mediaDevices: { value: mediaDevices }, onLine: { value: true } }),
  );
}

async function open(path = '/qr') {
  const queryClient = cacheWith({ user: aUser() });
  const { router } = await renderRoutes(createAppRoutes(queryClient), queryClient, '/debug');
  void router.navigate(path);
  await settle();
  return { router, at: () => router.state.location.pathname + router.state.location.search };
}

/** Pages are loaded on the platform's real clock. */
async function settle() {
  await pass();
  await act(() => vi.dynamicImportSettled());
  await pass();
}

/** The camera sees this for half a second. */
async function see(code: string | null) {
  seen = code;
  await pass(500);
  await settle();
}

const popup = () => screen.queryByRole('dialog', { name: 'Це не наш QR-код!' });

beforeEach(() => {
  vi.useFakeTimers();
  seen = null;
  tracks = [];
  history.replaceState(null, '');
  vi.stubGlobal(
    'BarcodeDetector',
    class {
      static getSupportedFormats = async () => ['qr_code'];
      detect = async () => (seen === null ? [] : [{ rawValue: seen }]);
    },
  );
  vi.spyOn(HTMLMediaElement.prototype, 'readyState', 'get').mockReturnValue(4);
  serve({});
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('the scanner', () => {
  it('has menu, language switcher and a logo that links to the map [QR-01]', async () => {
    aPhone();
    await open();
    expect(screen.getByRole('heading', { name: 'Наведіть камеру на QR-код станції' })).toBeTruthy();
    const header = within(screen.getByRole('banner'));
    expect(header.getByRole('button', { name: 'Відкрити меню' })).toBeTruthy();
    expect(header.getByRole('combobox', { name: 'Мова' })).toBeTruthy();
    expect(header.getByRole('link', { name: 'Volta' }).getAttribute('href')).toBe('/map');
  });

  it('shows the rear camera, and stops it when the page is left [QR-01]', async () => {
    const phone = aPhone();
    const { router } = await open();
    expect(phone.asked).toMatchObject([{ audio: false, video: { facingMode: 'environment' } }]);
    expect(screen.getByText('Шукаємо код')).toBeTruthy();
    expect(tracks[0]?.stop).not.toHaveBeenCalled();
    await act(() => router.navigate('/debug'));
    expect(tracks[0]?.stop).toHaveBeenCalledOnce();
  });

  it.each(['https://volta.example/station/F1400?ref_id=bus', 'volta.example/station/F1400?ref_id=bus'])(
    'goes from %s to the station, which replaces the scanner in the history [QR-03]',
    async (code) => {
      aPhone();
      const { router, at } = await open();
      await see(code);
      expect(at()).toBe('/station/F1400?ref_id=bus');
      await act(() => router.navigate(-1));
      await settle();
      expect(at()).toBe('/debug');
    },
  );

  it('goes from a link of ours to its station [QR-04]', async () => {
    aPhone();
    serve({ 'GET /api/link/mall15': { station_number: 'F1500', is_virtual: true } });
    const { at } = await open();
    await see('https://volta.example/qr/mall15');
    expect(at()).toBe('/station/v/F1500');
  });

  it('reports a foreign code once, and continues scanning [QR-05]', async () => {
    aPhone();
    const { at } = await open();
    await see('https://other.example/station/F1400');
    await pass(3000);
    expect(popup()).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'OK' }));
    // The code is still visible, and the message is not repeated.
    await pass(3000);
    expect(popup()).toBeNull();
    expect(at()).toBe('/qr');
    await see(null);
    await pass(2000);
    await see('https://other.example/station/F1400');
    expect(popup()).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'OK' }));
    await see('https://volta.example/station/F1400');
    expect(at()).toBe('/station/F1400');
  });

  it('has the text of the specification [QR-05]', async () => {
    await chooseLanguage('en');
    aPhone();
    await open();
    await see('something');
    expect(screen.getByRole('dialog', { name: 'Not our QR code!' })).toBeTruthy();
  });

  it('goes back to the last page, or to the account without one [QR-02]', async () => {
    aPhone();
    const { router, at } = await open();
    // The state that the browser's history would have.
    history.replaceState({ index: 1 }, '');
    fireEvent.click(screen.getByRole('button', { name: 'Назад' }));
    await settle();
    expect(at()).toBe('/debug');
    await act(() => router.navigate('/qr'));
    await settle();
    history.replaceState({ index: 0 }, '');
    fireEvent.click(screen.getByRole('button', { name: 'Назад' }));
    await settle();
    expect(at()).toBe('/account');
  });
});

describe("the phone's camera", () => {
  it('has a light button only where it has a light', async () => {
    aPhone({ capabilities: { torch: true } });
    await open();
    const torch = screen.getByRole('button', { name: 'Ліхтарик' });
    expect(torch.getAttribute('aria-pressed')).toBe('false');
    fireEvent.click(torch);
    await pass();
    expect(tracks[0]?.applied).toEqual([{ advanced: [{ torch: true }] }]);
    expect(torch.getAttribute('aria-pressed')).toBe('true');
    fireEvent.click(torch);
    await pass();
    expect(tracks[0]?.applied[1]).toEqual({ advanced: [{ torch: false }] });
    cleanup();

    aPhone();
    await open();
    expect(screen.queryByRole('button', { name: 'Ліхтарик' })).toBeNull();
    expect(screen.queryByRole('combobox', { name: 'Камера' })).toBeNull();
  });

  it('can be changed when there are several', async () => {
    const phone = aPhone({ cameras: ['Задня камера', 'Передня камера'] });
    await open();
    const choice = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Камера' });
    expect(choice.value).toBe('camera-0');
    expect(
      within(choice)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['Задня камера', 'Передня камера']);
    fireEvent.change(choice, { target: { value: 'camera-1' } });
    await pass();
    expect(phone.asked[1]).toMatchObject({ video: { deviceId: { exact: 'camera-1' } } });
    expect(tracks[0]?.stop).toHaveBeenCalledOnce();
    expect(choice.value).toBe('camera-1');
  });

  it('is stopped while the page is hidden', async () => {
    const phone = aPhone();
    await open();
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    expect(tracks[0]?.stop).toHaveBeenCalledOnce();
    hidden.mockReturnValue(false);
    await act(async () => void document.dispatchEvent(new Event('visibilitychange')));
    expect(phone.asked).toHaveLength(2);
  });

  it.each([
    ['NotAllowedError', 'Немає доступу до камери'],
    ['NotFoundError', 'Камери не знайдено'],
    ['NotReadableError', 'Камера зайнята'],
  ])('%s is reported as text, and can be retried', async (failure, title) => {
    const phone = aPhone({ failure });
    await open();
    expect(screen.getByRole('heading', { name: title })).toBeTruthy();
    phone.failure = undefined;
    fireEvent.click(screen.getByRole('button', { name: 'Спробувати ще раз' }));
    await pass();
    expect(screen.getByRole('heading', { name: 'Наведіть камеру на QR-код станції' })).toBeTruthy();
  });

  it('is optional, because a typed number leads to the station too', async () => {
    // Without https a browser has no mediaDevices.
    hold(undefined);
    const { at } = await open();
    fireEvent.click(screen.getByRole('button', { name: 'Ввести номер станції' }));
    const sheet = within(screen.getByRole('dialog', { name: 'Номер станції' }));
    const field = sheet.getByRole<HTMLInputElement>('textbox', { name: 'Номер' });
    fireEvent.change(field, { target: { value: 'Фургон' } });
    await act(async () => fireEvent.click(sheet.getByRole('button', { name: 'До станції' })));
    expect(sheet.getByText('Номер має вигляд F1234')).toBeTruthy();
    expect([field.value, at()]).toEqual(['Фургон', '/qr']);
    fireEvent.change(field, { target: { value: '1400' } });
    fireEvent.click(sheet.getByRole('button', { name: 'До станції' }));
    await settle();
    expect(at()).toBe('/station/F1400');
  });

  it('pauses while the number is typed', async () => {
    aPhone();
    const { at } = await open();
    fireEvent.click(screen.getByRole('button', { name: 'Ввести номер станції' }));
    await see('volta.example/station/F1400');
    expect(at()).toBe('/qr');
  });
});

describe('a printed link', () => {
  it('redirects to its station, with its query [QR-06]', async () => {
    serve({ 'GET /api/link/a7k2': { station_number: 'F1400', is_virtual: false } });
    expect((await open('/qr/a7k2?ref_id=bus')).at()).toBe('/station/F1400?ref_id=bus');
  });

  it('redirects to a virtual station [QR-06]', async () => {
    serve({ 'GET /api/link/mall15': { station_number: 'F1500', is_virtual: true } });
    expect((await open('/qr/mall15')).at()).toBe('/station/v/F1500');
  });

  it('that is unknown shows the 404 page [QR-07]', async () => {
    serve({ 'GET /api/link/gone': new RefusedAnswer(404) });
    expect((await open('/qr/gone')).at()).toBe('/404');
  });

  it('is retried when the network is down for a moment', async () => {
    serve({});
    const { at } = await open('/qr/a7k2');
    await pass(60_000);
    await settle();
    expect(at()).toBe('/qr/a7k2');
    expect(screen.getByRole('heading', { name: 'Немає зв’язку' })).toBeTruthy();
  });
});
