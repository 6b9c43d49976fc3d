import type { AuditRecord } from '@fpay/contract/admin/audit';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { aUser } from '../../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../../testing/render.tsx';
import { RefusedAnswer, serve } from '../../../testing/server.ts';
import { subjectPage } from './address.ts';
import { Page } from './audit-page.tsx';
import { changeText } from './record-view.tsx';

vi.setConfig({ testTimeout: 30_000 });

const aRecord = (id: number, rest: Partial<AuditRecord> = {}): AuditRecord => ({
  id,
  by: 'staff',
  staff: { id: 3, name: 'Олег Бойко' },
  action: 'operation.force-status',
  subject_kind: 'operation',
  subject_id: '480208',
  before: { status: 'ongoing', energy: 0 },
  after: { status: 'failed', energy: 0 },
  personal: null,
  is_erased: false,
  created_at: '2025-11-15T11:48:12Z',
  ...rest,
});
const listCall = (filters = '') => `GET /api/admin/audit?${filters}limit=50`;

async function openAudit(answers: Record<string, unknown>, { path = '', isWide = true } = {}) {
  vi.stubGlobal('matchMedia', () => ({ matches: isWide, addEventListener() {}, removeEventListener() {} }));
  const server = serve(answers);
  const routes = [
    { path: '/admin/audit', element: <Page /> },
    { path: '*', element: <p>Інша сторінка</p> },
  ];
  const drawn = await renderRoutes(routes, cacheWith({ user: aUser({ role: 'SuperAdmin' }) }), `/admin/audit${path}`);
  await act(async () => undefined);
  return { server, address: () => drawn.router.state.location.pathname + drawn.router.state.location.search };
}

const shown = (element: Element) => element.textContent?.replaceAll('\u00a0', ' ');
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const rows = () => Array.from(document.querySelectorAll('[data-row]'), shown);
afterEach(() => vi.unstubAllGlobals());

describe('the audit', () => {
  it('lists what staff did, and shows before and after of the open record', async () => {
    await openAudit({
      [listCall()]: [aRecord(2), aRecord(1, { by: 'command line', staff: null, before: null, after: { sum: 5 } })],
    });
    await waitFor(() => expect(rows()).toHaveLength(2));
    expect(rows()[0]).toBe('15.11.2025, 13:48Олег Бойкоoperation.force-statusoperation 480208status: ongoing → failed');
    expect(rows()[1]).toContain('командний рядок');
    expect(shown(screen.getByRole('region', { name: 'Було' }))).toBe('Булоstatusongoingenergy0');
    expect(screen.getByText('failed').className).toContain('font-bold');
    expect(screen.getByText('Відкрити').closest('a')?.getAttribute('href')).toBe('/admin/operations/480208');
    fireEvent.click(document.querySelectorAll('[data-row]')[1] as Element);
    expect(screen.queryByRole('region', { name: 'Було' })).toBeNull();
  });

  it('has the reason beside the change, and says when none was given', async () => {
    const given = { action: 'balance.increase', before: null, after: { amount: 5 } };
    await openAudit({
      [listCall()]: [
        aRecord(3, { ...given, personal: { reason: 'Оплачено двічі' } }),
        aRecord(2, { ...given, personal: { reason: null } }),
      ],
    });
    await waitFor(() => expect(rows()).toHaveLength(2));
    expect(rows()).toEqual([
      expect.stringContaining('Оплачено двічі · amount: 5'),
      expect.stringContaining('причину не вказано · amount: 5'),
    ]);
  });

  it('shows a job as a job and names who decided it; personal values stand apart and say when they are erased', async () => {
    const records = [
      aRecord(3, { by: 'job', action: 'tariff.change' }),
      aRecord(2, { before: null, after: null, personal: { text: 'Ваша станція знову працює' } }),
      aRecord(1, { before: null, after: null, is_erased: true }),
    ];
    await openAudit({ [listCall()]: records });
    await waitFor(() => expect(rows()).toHaveLength(3));
    expect(rows()[0]).toContain('завдання сервера · Олег Бойко');
    fireEvent.click(document.querySelectorAll('[data-row]')[1] as Element);
    expect(shown(screen.getByRole('region', { name: 'Персональні дані' }))).toContain('Ваша станція знову працює');
    fireEvent.click(document.querySelectorAll('[data-row]')[2] as Element);
    expect(screen.getByText('Персональні дані стерто разом з акаунтом')).toBeTruthy();
  });

  it('is narrowed with GO, and the address keeps the filters', async () => {
    const filters =
      'staff=3&action=payment&subject_kind=operation&subject_id=480208&from=2026-11-14T22%3A00%3A00.000Z&';
    const { server, address } = await openAudit({ [listCall()]: [], [listCall(filters)]: [aRecord(2)] });
    type('Працівник', '3');
    type('Дія', 'Payment');
    type('Об’єкт', 'operation');
    type('Номер', '480208');
    type('Від', '15.11.2026');
    fireEvent.click(screen.getByText('GO'));
    await waitFor(() => expect(server.times(listCall(filters))).toBe(1));
    expect(address()).toBe(
      '/admin/audit?staff=3&action=payment&subject_kind=operation&subject_id=480208&from=2026-11-15T00%3A00',
    );
  });

  it('marks a filter that cannot be, and leaves one out that came with a link', async () => {
    const { server } = await openAudit({ [listCall('action=payment&')]: [] }, { path: '?staff=olena&action=payment' });
    await waitFor(() => expect(server.times(listCall('action=payment&'))).toBe(1));
    type('Працівник', 'Олена');
    type('Від', '15.13.2026');
    fireEvent.click(screen.getByText('GO'));
    expect(screen.getByText('Введіть id працівника')).toBeTruthy();
    expect(server.sent).toHaveLength(1);
  });

  it('opens a record in a sheet on a phone', async () => {
    await openAudit({ [listCall()]: [aRecord(2)] }, { isWide: false });
    fireEvent.click(await screen.findByText('Олег Бойко'));
    expect(await screen.findByRole('dialog', { name: 'Запис' })).toBeTruthy();
  });

  it('says when there is none, and offers a retry when it cannot be loaded', async () => {
    const { server } = await openAudit({ [listCall()]: new RefusedAnswer(500) });
    server.answers[listCall()] = [];
    fireEvent.click(await screen.findByText('Спробувати ще раз'));
    expect(await screen.findByText('Записів не знайдено')).toBeTruthy();
  });

  it('writes a change in one line', () => {
    expect(changeText({ before: { a: 1, b: 2 }, after: { a: 1, b: 3 } })).toBe('b: 2 → 3');
    expect(changeText({ before: null, after: { role: 'Support' } })).toBe('role: Support');
    expect(changeText({ before: { role: 'User' }, after: null })).toBe('role: User');
    expect(changeText({ before: null, after: null })).toBe('');
  });

  it.each([
    ['user', '8', '/admin/users/8'],
    ['operation', '5', '/admin/operations/5'],
    ['payment', '5', null],
    ['user', 'all', null],
  ])('the page of %s %s is %s', (kind, id, page) => {
    expect(subjectPage(kind, id)).toBe(page);
  });
});
