import type { NetworkOverview } from '@fpay/contract/admin/network/overview';
import type { SiteView } from '@fpay/contract/admin/network/sites';
import { wattHours, watts } from '@fpay/contract/money';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { aUser } from '../../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../../testing/render.tsx';
import { serve } from '../../../testing/server.ts';
import { isOnScreen, placed, placedIn, spread } from './overview/map-places.ts';
import { Page as OverviewPage } from './overview/overview-page.tsx';
import { reportDays } from './report/report-period.ts';
import { sharePath } from './share-path.ts';
import { emptySite, siteRequest, siteRules } from './sites/site-form.ts';
import { Page as SitePage } from './sites/site-page.tsx';

// The test environment draws no map.
vi.mock('./overview/map-background.tsx', () => ({ MapBackground: () => null }));
vi.setConfig({ testTimeout: 30_000 });
afterEach(() => vi.unstubAllGlobals());

const shown = (element: Element) => element.textContent?.replaceAll('\u00a0', ' ') ?? '';

describe('the overview of the network', () => {
  const overview: NetworkOverview = {
    stations: 218,
    connectors: 640,
    problems: [
      {
        kind: 'stuck',
        station: 'F1227',
        charge_point: 4,
        identity: 'CP-4',
        lat: 48.5,
        lon: 35,
        connector: 1,
        error_code: null,
        operation: 480215,
        since: new Date(Date.now() - 4 * 60_000).toISOString(),
      },
      {
        kind: 'offline',
        station: null,
        charge_point: 5,
        identity: 'CP-5',
        lat: null,
        lon: null,
        connector: null,
        error_code: null,
        operation: null,
        since: new Date(Date.now() - 3 * 86_400_000).toISOString(),
      },
    ],
    healthy: [{ lat: 48.4, lon: 35.1 }],
    days: [
      { day: '2026-11-14', attempts: 0, right: 0, tries: 0, first: 0 },
      { day: '2026-11-15', attempts: 3, right: 2, tries: 4, first: 3 },
    ],
    reasons: [{ reason: 'bank', count: 1, operations: [480100] }],
  };

  it('lists what does not work with its age, filters by kind, and explains the first attempts', async () => {
    serve({ 'GET /api/admin/network/overview': overview });
    const routes = [{ path: '/admin/network', element: <OverviewPage /> }];
    await renderRoutes(routes, cacheWith({ user: aUser({ role: 'Support' }) }), '/admin/network');
    const list = await screen.findByRole('list', { name: 'Проблеми зараз' });
    expect(within(list).getAllByRole('listitem').map(shown)).toEqual([
      'F1227Зупинку не виконано · № 14 хв',
      'CP-5Без зв’язку3 дн.',
    ]);
    const links = within(list).getAllByRole('link');
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      '/admin/operations/480215',
      '/admin/network/charge-points/5',
    ]);
    expect(screen.getByText('75,0 %')).toBeTruthy();
    expect(screen.getByText('66,7 %')).toBeTruthy();
    expect(screen.getByText('Банк відхилив картку')).toBeTruthy();
    fireEvent.click(screen.getByLabelText('Без зв’язку 1'));
    await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(1));
  });

  it('places problems where the map behind them shows these coordinates, and hides those outside of it', () => {
    const box = [34, 48, 36, 49] as const;
    const [corner, middle, away] = placedIn(box, [
      { lat: 49, lon: 34 },
      { lat: 48.5, lon: 35 },
      { lat: 50.4, lon: 30.5 },
    ]);
    expect(corner).toEqual({ x: 0, y: 0 });
    // In Mercator's projection the middle of the degrees is a little below the middle of the picture.
    expect(middle?.x).toBe(50);
    expect(middle?.y).toBeGreaterThan(50);
    expect(middle?.y).toBeLessThan(51);
    expect([corner, middle, away].map((place) => place && isOnScreen(place))).toEqual([true, true, false]);
  });

  it('keeps every place on the map and pushes pills apart', () => {
    const one = { lat: 48.46, lon: 35.04 };
    const places = placed([one, one, { lat: 50.4, lon: 30.5 }]);
    for (const { x, y } of places) {
      expect(Math.min(x, y)).toBeGreaterThanOrEqual(10);
      expect(Math.max(x, y)).toBeLessThanOrEqual(90);
    }
    const [first, second] = spread([places[0], places[1]].flatMap((place) => (place ? [place] : [])));
    expect(first?.y).not.toBe(second?.y);
  });
});

describe('a site', () => {
  const site: SiteView = {
    id: 3,
    name: 'ТРЦ «Мост-Сіті»',
    limit: watts(120_000),
    limit_now: watts(90_000),
    hours: { from: '08:00', to: '20:00', limit: watts(90_000) },
    has_queue: false,
    queue: [],
    reserve: watts(3_000),
    stations: ['F1500', 'F1501'],
    connectors: 2,
    charging: 1,
    power: watts(36_000),
    subtracted: watts(7_000),
    counted: watts(12_000),
    over_since: null,
    stops: [{ operation: 9, station: 'F1501', number: 1, at: '2026-11-15T11:00:00Z', energy: wattHours(4_200) }],
    at: '2026-11-15T12:00:00Z',
    rows: [
      {
        id: 1,
        station: 'F1500',
        number: 1,
        type: 'ccstype2',
        rated: watts(60_000),
        is_online: true,
        is_charging: true,
        has_profiles: true,
        operation: 7,
        user: 'Олена Коваль',
        taken: watts(36_000),
        allowed: watts(40_000),
        soc: 64,
        counts: watts(60_000),
        counts_as: 'ignores',
        fallback: watts(15_000),
      },
      {
        id: 2,
        station: 'F1501',
        number: 1,
        type: 'gbtac',
        rated: watts(7_000),
        is_online: true,
        is_charging: false,
        has_profiles: false,
        operation: null,
        user: null,
        taken: null,
        allowed: null,
        soc: null,
        counts: watts(0),
        counts_as: 'free',
        fallback: watts(15_000),
      },
    ],
  };

  it('shows what each connector takes, may take and could take', async () => {
    serve({ 'GET /api/admin/network/sites/3': site });
    const routes = [{ path: '/admin/network/sites/:site', element: <SitePage /> }];
    await renderRoutes(routes, cacheWith({ user: aUser({ role: 'Admin' }) }), '/admin/network/sites/3');
    const rows = (await screen.findAllByRole('row')).slice(1).map(shown);
    expect(rows).toEqual([
      'F1500-1 CCS2Олена КовальНе слухається: номінал36,0 кВт40,0 кВт60 кВт60 кВт64 %',
      'F1501-1 GB/T ACбез профілів——0 кВт7 кВт—',
    ]);
    expect(screen.getByRole('link', { name: '№ 9 · F1501-1' })).toBeTruthy();
    const page = document.body.textContent?.replaceAll('\u00a0', ' ');
    expect(page).toContain('08:00–20:00: 90 кВт, решта 120 кВт');
    expect(page).toContain('Для нового старту враховано 12 кВт з 90 кВт.');
    expect(page).toContain('2 роз’єми з 2 самі братимуть не більше ніж 15,0 кВт кожен');
    fireEvent.click(screen.getByRole('button', { name: 'Змінити' }));
    expect((await screen.findByLabelText<HTMLInputElement>('Ліміт, кВт')).value).toBe('120');
    expect((await screen.findByLabelText<HTMLInputElement>('Ліміт у ці години, кВт')).value).toBe('90');
  });

  it('shows who waits in its queue, and staff switch the queue on in its settings', async () => {
    const user = (id: number, name: string) => ({ id, name });
    const place = { number: 1, type: 'ccstype2', since: '2026-11-15T11:50:00Z' } as const;
    const queue = [
      {
        ...place,
        user: user(5, 'Ігор Савченко'),
        station: 'F1500',
        turn_at: null,
        head_start_until: '2026-11-15T12:10:00Z',
      },
      {
        ...place,
        user: user(6, 'Юлія Мельник'),
        station: 'F1501',
        turn_at: '2026-11-15T12:25:00Z',
        head_start_until: null,
      },
      { ...place, user: user(7, ''), station: 'F1501', turn_at: null, head_start_until: null },
    ];
    const server = serve({
      'GET /api/admin/network/sites/3': { ...site, has_queue: true, queue },
      'PATCH /api/admin/network/sites/3': { id: 3 },
    });
    const routes = [{ path: '/admin/network/sites/:site', element: <SitePage /> }];
    await renderRoutes(routes, cacheWith({ user: aUser({ role: 'Admin' }) }), '/admin/network/sites/3');
    await screen.findByRole('heading', { name: 'Черга' });
    const shownQueue = screen.getAllByRole('listitem').map(shown);
    expect(shownQueue).toEqual(
      expect.arrayContaining([
        '1. Ігор Савченко · F1500-1 CCS2чекає з 13:50 · має потужність до 14:10',
        '2. Юлія Мельник · F1501-1 CCS2чекає з 13:50 · орієнтовно о 14:25',
        '3. № 7 · F1501-1 CCS2чекає з 13:50 · коли, невідомо',
      ]),
    );
    fireEvent.click(screen.getByRole('button', { name: 'Змінити' }));
    const toggle = await screen.findByRole('switch', { name: 'Черга, коли бракує потужності' });
    expect(toggle.getAttribute('aria-checked') ?? String((toggle as HTMLInputElement).checked)).toBe('true');
    fireEvent.click(toggle);
    fireEvent.click(screen.getByRole('button', { name: 'Зберегти' }));
    await waitFor(() => expect(server.bodyOf('PATCH /api/admin/network/sites/3')).toMatchObject({ has_queue: false }));
  });

  it.each([
    [{ ...emptySite, name: '', limit: '120', reserve: '0', stations: '' }, { wrong: 'name' }],
    [{ ...emptySite, name: 'А', limit: '0,5', reserve: '0', stations: '' }, { wrong: 'limit' }],
    [{ ...emptySite, name: 'А', limit: '10', reserve: '10', stations: '' }, { wrong: 'reserve' }],
    [{ ...emptySite, name: 'А', limit: '10', reserve: '0', stations: '1500' }, { wrong: 'stations' }],
    [
      { ...emptySite, name: ' А ', limit: '10,5', reserve: '', stations: 'f1500; F1501' },
      { name: 'А', limit: 10_500, reserve: 0, stations: ['F1500', 'F1501'], has_queue: false, hours: null },
    ],
    [
      { ...emptySite, name: 'А', limit: '120', hasHours: true, from: '22:00', to: '06:00', hoursLimit: '90' },
      {
        name: 'А',
        limit: 120_000,
        reserve: 0,
        stations: [],
        has_queue: false,
        hours: { from: '22:00', to: '06:00', limit: 90_000 },
      },
    ],
    [{ ...emptySite, name: 'А', limit: '120', hasHours: true, to: '08:00', hoursLimit: '90' }, { wrong: 'to' }],
    [{ ...emptySite, name: 'А', limit: '120', hasHours: true, from: '', hoursLimit: '90' }, { wrong: 'from' }],
    [{ ...emptySite, name: 'А', limit: '120', hasHours: true, hoursLimit: '' }, { wrong: 'hoursLimit' }],
    [
      { ...emptySite, name: 'А', limit: '120', reserve: '90', hasHours: true, hoursLimit: '90' },
      { wrong: 'hoursLimit' },
    ],
  ])('is read from what was typed: %j', (form, expected) => {
    const [wrong] = Object.keys(siteRules.check(form));
    expect(wrong === undefined ? siteRequest(form) : { wrong }).toEqual(expected);
  });
});

describe('the report of a station', () => {
  it.each([
    ['week', { from: '2026-11-09', to: '2026-11-15' }],
    ['fortnight', { from: '2026-11-02', to: '2026-11-15' }],
    ['month', { from: '2026-11-01', to: '2026-11-15' }],
    ['lastMonth', { from: '2026-10-01', to: '2026-10-31' }],
  ] as const)('has the Kyiv days of a %s', (period, days) => {
    expect(reportDays(period, Date.parse('2026-11-14T23:30:00Z'))).toEqual(days);
  });

  it('draws a line that a day without starts interrupts', () => {
    expect(sharePath([1, 0.5, null, 0])).toBe('M0 1L93 40M280 79h-4');
  });
});
