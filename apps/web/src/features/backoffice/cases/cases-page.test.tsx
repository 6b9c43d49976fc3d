import type { AdminCase, CaseEntry, CaseItem } from '@fpay/contract/admin/cases';
import { kopecks } from '@fpay/contract/money';
import type { Role } from '@fpay/contract/roles';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { aUser } from '../../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../../testing/render.tsx';
import { serve } from '../../../testing/server.ts';
import { readCases, writeCases } from './address.ts';
import { deliveryTexts } from './case-text.ts';
import { Page } from './cases-page.tsx';
import { answerTone, formatMs } from './time-to-answer.ts';

vi.setConfig({ testTimeout: 30_000 });
afterEach(() => vi.unstubAllGlobals());

const reader = { id: 7, name: 'Денис Лисенко' };
const minuteMs = 60_000;
const ago = (minutes: number) => new Date(Date.now() - minutes * minuteMs).toISOString();

const anItem = (id: number, rest: Partial<CaseItem> = {}): CaseItem => ({
  id,
  source: 'report',
  state: 'open',
  subject: `Звернення ${id}`,
  rating: null,
  anomaly: null,
  user: { id: 20_418, name: 'Тарас Бондар', phone_number: '+380932071480' },
  charging_operation_id: null,
  charging_station: 'F1118',
  owner: null,
  opened_at: ago(10),
  changed_at: ago(6),
  waiting_since: ago(6),
  snoozed_until: null,
  first_answer_at: null,
  ...rest,
});

const anEntry = (id: number, rest: Partial<CaseEntry>): CaseEntry => ({
  id,
  kind: 'from_driver',
  staff: null,
  text: null,
  event: null,
  assignee: null,
  push: null,
  telegram: null,
  sms: null,
  read_at: null,
  created_at: ago(6),
  ...rest,
});

const aCase = (rest: Partial<AdminCase> = {}): AdminCase => ({
  ...anItem(318, { owner: reader, first_answer_at: ago(6), subject: 'Станція зникла, кабель не віддає' }),
  language: 'uk',
  entries: [
    anEntry(1, { text: 'Екран погас' }),
    anEntry(2, { kind: 'to_driver', staff: reader, text: 'Бачимо', sms: 'accepted', read_at: ago(5) }),
    anEntry(3, { kind: 'note', staff: { id: 8, name: 'Марина' }, text: 'Третій зрив за місяць' }),
    anEntry(4, { kind: 'event', event: 'assigned', staff: reader, assignee: reader }),
  ],
  refunds: [{ amount: kopecks(171_68), created_at: ago(1) }],
  actions: ['answer', 'note', 'assign', 'snooze', 'close'],
  ...rest,
});

const counts = { mine: 3, new: 2, waiting: 4, snoozed: 2, open: 11, unanswered: 2, first_answer_seconds: 360 };
const listCall = 'GET /api/admin/cases?';
const listQueries = [
  'view=open&page=1',
  'view=new&page=1',
  'view=new&page=1&q=F1118',
  'view=new&page=1&source=rating&q=F1118',
];

interface Opening {
  path?: string;
  rows?: CaseItem[];
  found?: AdminCase;
  role?: Role;
  isWide?: boolean;
}

async function openCases({ path = '/admin/cases', rows = [], found, role = 'Support', isWide = true }: Opening = {}) {
  vi.stubGlobal('matchMedia', () => ({ matches: isWide, addEventListener() {}, removeEventListener() {} }));
  const one = `/api/admin/cases/${found?.id ?? 318}`;
  const server = serve({
    ...Object.fromEntries(
      listQueries.map((query) => [listCall + query, { data: rows, page_count: 1, total_count: rows.length }]),
    ),
    'GET /api/admin/cases/counts': counts,
    'GET /api/admin/cases/staff': [reader, { id: 8, name: 'Марина' }],
    [`GET ${one}`]: found ?? aCase(),
    ...Object.fromEntries(
      ['answer', 'note', 'assign', 'snooze', 'close', 'reopen'].map((action) => [`POST ${one}/${action}`, undefined]),
    ),
  });
  const routes = [
    { path: '/admin/cases', element: <Page /> },
    { path: '/admin/cases/:case', element: <Page /> },
    { path: '*', element: <p>Інша сторінка</p> },
  ];
  const drawn = await renderRoutes(routes, cacheWith({ user: aUser({ role }) }), path);
  await act(async () => undefined);
  return { server, address: () => drawn.router.state.location.pathname + drawn.router.state.location.search };
}

const shown = (element: Element) => element.textContent?.replaceAll('\u00a0', ' ');
const buttons = () => screen.getAllByRole('button').flatMap((button) => button.textContent || []);

describe('the queue', () => {
  it('has groups by whose turn it is, with the time since the driver waits', async () => {
    await openCases({
      rows: [
        anItem(1, { owner: reader }),
        anItem(2),
        anItem(3, { subject: null, source: 'rating', rating: 1 }),
        anItem(4, { owner: { id: 8, name: 'Марина' } }),
        anItem(5, { state: 'waiting', waiting_since: null }),
      ],
    });
    const groups = await screen.findAllByRole('heading', { level: 2 });
    expect(groups.map(shown)).toEqual(['Мої', 'Нові, без власника', 'У колег', 'Чекають водія']);
    expect(
      within(screen.getByRole('list', { name: 'Мої' }))
        .getAllByRole('link')
        .map(shown),
    ).toEqual(['Звернення 16 хвТарас Бондар · F1118Моє']);
    expect(screen.getByText('Оцінка 1')).toBeTruthy();
    expect(screen.getAllByLabelText('Без відповіді')).toHaveLength(4);
    expect(screen.getByText(/Відкрито 11 · перша відповідь сьогодні в середньому/)).toBeTruthy();
  });

  it('keeps view, search and source in the address', async () => {
    const { server, address } = await openCases({ rows: [anItem(1)] });
    fireEvent.click(await screen.findByLabelText('Нові 2'));
    await waitFor(() => expect(address()).toBe('/admin/cases?view=new'));
    fireEvent.change(screen.getByLabelText('Пошук звернень'), { target: { value: 'F1118' } });
    fireEvent.submit(screen.getByLabelText('Пошук звернень'));
    await waitFor(() => expect(address()).toBe('/admin/cases?view=new&q=F1118'));
    fireEvent.change(screen.getByLabelText('Звідки'), { target: { value: 'rating' } });
    await waitFor(() => expect(address()).toBe('/admin/cases?view=new&source=rating&q=F1118'));
    await waitFor(() => expect(server.times(listCall + listQueries[3])).toBe(1));
  });

  it('says that all answers are sent', async () => {
    await openCases();
    expect(await screen.findByText('Усі відповіді надіслано')).toBeTruthy();
  });

  it('leaves out values of an address that are no filters', () => {
    const read = readCases(new URLSearchParams('view=all&source=x&page=-1&q=Бондар'));
    expect(read).toEqual({ view: 'open', source: null, q: 'Бондар', page: 1 });
    expect(writeCases(read)).toBe(`?q=${encodeURIComponent('Бондар')}`);
    expect(writeCases({ view: 'open', source: null, q: ' ', page: 1 })).toBe('');
  });
});

describe('a case', () => {
  const path = '/admin/cases/318';

  it('shows what each channel has reported, notes, events and refunds', async () => {
    await openCases({ path });
    const conversation = await screen.findByRole('list', { name: 'Розмова' });
    const written = within(conversation).getAllByRole('listitem').map(shown);
    expect(written[1]).toMatch(/^БачимоДенис Лисенко · SMS прийнято · прочитано · /);
    expect(written[2]).toMatch(/^Нотатка для своїх: Третій зрив за місяцьМарина · /);
    expect(screen.getByText('Взято: Денис Лисенко')).toBeTruthy();
    expect(screen.getByText(/^Повернення 171,68/)).toBeTruthy();
    expect(screen.getByText('Водій чекає').nextElementSibling?.textContent).toMatch(/^6/);
  });

  it('sends an answer, or a note that the driver does not see', async () => {
    const { server } = await openCases({ path });
    fireEvent.change(await screen.findByLabelText('Відповідь водієві'), { target: { value: ' Повертаємо ' } });
    fireEvent.click(screen.getByText('Надіслати'));
    await waitFor(() =>
      expect(server.bodyOf('POST /api/admin/cases/318/answer')).toMatchObject({ text: 'Повертаємо' }),
    );
    fireEvent.click(screen.getByLabelText('Нотатка'));
    fireEvent.change(screen.getByLabelText('Нотатка, якої водій не бачить'), { target: { value: 'Дзвонив' } });
    fireEvent.click(screen.getByText('Додати нотатку'));
    await waitFor(() => expect(server.bodyOf('POST /api/admin/cases/318/note')).toMatchObject({ text: 'Дзвонив' }));
  });

  it('is snoozed and given to a colleague', async () => {
    const { server } = await openCases({ path });
    fireEvent.click(await screen.findByText('Відкласти'));
    fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Відкласти' }));
    await waitFor(() => expect(server.times('POST /api/admin/cases/318/snooze')).toBe(1));
    fireEvent.click(screen.getByText('Передати'));
    const dialog = within(await screen.findByRole('dialog'));
    await dialog.findByText('Марина');
    fireEvent.change(dialog.getByLabelText('Кому'), { target: { value: '8' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Передати' }));
    await waitFor(() => expect(server.bodyOf('POST /api/admin/cases/318/assign')).toMatchObject({ staff_id: 8 }));
  });

  it.each<[Role, AdminCase['actions'], string[]]>([
    ['Analytic', [], []],
    ['Support', ['answer', 'note', 'assign', 'snooze', 'close'], ['Відкласти', 'Передати', 'Закрити', 'Надіслати']],
    ['Operator', ['answer', 'note', 'assign', 'snooze', 'close'], ['Відкласти', 'Передати', 'Закрити', 'Надіслати']],
    ['Admin', ['note', 'reopen'], ['Відкрити знову', 'Додати нотатку']],
  ])('has for %s with %j the buttons %j', async (role, actions, expected) => {
    await openCases({ path, role, found: aCase({ actions }) });
    await screen.findByRole('list', { name: 'Розмова' });
    expect(buttons().filter((label) => !/Знайти|Нове звернення/.test(label))).toEqual(expected);
    expect(screen.queryByText('Подзвонити') !== null).toBe(actions.length > 0);
    expect(screen.queryByText('Нове звернення') !== null).toBe(role !== 'Analytic');
  });

  it('has a page of its own on a phone', async () => {
    await openCases({ path, isWide: false });
    await screen.findByRole('list', { name: 'Розмова' });
    expect(screen.queryByLabelText('Пошук звернень')).toBeNull();
    expect(screen.getByLabelText('Назад').getAttribute('href')).toBe('/admin/cases');
  });
});

describe('the time to the first answer', () => {
  it.each([
    [11 * minuteMs, 'free'],
    [12 * minuteMs, 'occupied'],
    [15 * minuteMs - 1, 'occupied'],
    [15 * minuteMs, 'error'],
  ])('of %i ms is %s', (ms, tone) => {
    expect(answerTone(ms)).toBe(tone);
  });

  it.each([
    [0, '0 хв'],
    [6 * minuteMs, '6 хв'],
    [130 * minuteMs, '2 год 10 хв'],
    [(26 * 60 + 10) * minuteMs, '26 год'],
  ])('of %i ms reads %s', (ms, written) => {
    expect(formatMs(ms).replaceAll('\u00a0', ' ')).toBe(written);
  });

  it('a message without a channel is in the thread only', () => {
    const none = { push: null, telegram: null, sms: null, read_at: null };
    expect(deliveryTexts(none)).toEqual(['adminCases:inThread']);
    expect(deliveryTexts({ ...none, push: 'sent', telegram: 'failed' })).toEqual([
      'adminCases:pushSent',
      'adminCases:telegramFailed',
    ]);
  });
});
