import type { Role } from '@fpay/contract/roles';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { createAppRoutes } from '../../../app/routes/routes.tsx';
import { aUser } from '../../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../../testing/render.tsx';
import { RefusedAnswer, serve } from '../../../testing/server.ts';

vi.setConfig({ testTimeout: 30_000 });

const anomaly = (operation_id: number, code: string) => ({
  operation_id,
  payment_id: 1,
  operation_status: 'created',
  payment_status: 'success',
  code,
});
const counter = (operation_id: number, created_at: string) => ({
  ...anomaly(operation_id, 'e-scv-05'),
  payment_amount: 362_50,
  payment_total: 267_09,
  operation_total: 267_09,
  energy: 151_420,
  created_at,
});
const termination = (id: number, is_pending: boolean) => ({
  id,
  total: 267_09,
  amount: 362_50,
  type: 'silent',
  is_pending,
  started_at: '2025-11-15T12:32:00Z',
  finished_at: null,
});

async function open(path: string, answers: Record<string, unknown>, role: Role = 'Operator') {
  const server = serve({ 'GET /api/admin/today?tz=Europe%2FKyiv': new RefusedAnswer(500), ...answers });
  const queryClient = cacheWith({ user: aUser({ role }) });
  await renderRoutes(createAppRoutes(queryClient), queryClient, path);
  return server;
}

const shown = (element: Element) => element.textContent?.replaceAll('\u00a0', ' ');
const rule = async (code: string) => within(await screen.findByRole('region', { name: code }));
const links = (scope: ReturnType<typeof within>) => scope.getAllByRole('link').map(shown);

describe('the health of the system', () => {
  it('groups anomalies by code with an explanation, the latest operation first [ADM-HLTH-05]', async () => {
    const found = [anomaly(5, 'e-sma-01'), anomaly(9, 'e-sma-01'), anomaly(7, 'e-sma-03')];
    await open('/admin/anomalies', { 'GET /api/admin/health/statuses': found });
    expect(links(await rule('e-sma-01'))).toEqual(['9', '5']);
    expect((await rule('e-sma-01')).getByRole('heading').textContent).toBe(
      'Застрягло у created після оновлення платежу',
    );
    expect(shown(screen.getByRole('region', { name: 'e-sma-04' }))).toContain('немає');
  });

  it('groups counters by code, the newest first, with energy in kWh [ADM-HLTH-12]', async () => {
    const found = [counter(5, '2025-11-14T10:00:00Z'), counter(4, '2025-11-15T10:00:00Z')];
    await open('/admin/counters', { 'GET /api/admin/health/counters': found });
    const scope = await rule('e-scv-05');
    expect(links(scope)).toEqual(['4', '5']);
    expect(shown(scope.getAllByRole('listitem')[0] as Element)).toContain('151,42 кВт·год');
  });

  it('lists what the watchdogs stopped and will stop, by id [ADM-HLTH-06] [ADM-HLTH-16]', async () => {
    const found = [termination(3, false), termination(8, true)];
    await open('/admin/terminator', { 'GET /api/admin/health/terminator': found });
    const rows = within(await screen.findByRole('list', { name: 'Термінатор' })).getAllByRole('listitem');
    expect(rows.map(shown)).toEqual([
      '8 · silent267,09 ₴ з 362,50 ₴ · 15.11.2025, 14:32Зупиняється',
      '3 · silent267,09 ₴ з 362,50 ₴ · 15.11.2025, 14:32Зупинено',
    ]);
  });

  it('lists jobs that keep failing and charge points that report the impossible, with what to do', async () => {
    const finding = {
      id: 1,
      kind: 'job',
      subject: 'sms',
      code: 'job_failed',
      times: 3,
      first_at: '2025-11-15T12:00:00Z',
      last_at: '2025-11-15T12:30:00Z',
      details: { error: 'timeout', operation_id: 480215 },
    };
    await open('/admin/system', { 'GET /api/admin/health/system': [finding] });
    const row = await screen.findByText('Завдання не виконується');
    expect(shown(row.closest('li') as Element)).toContain('3 рази');
    expect(screen.getByText('timeout')).toBeTruthy();
    expect(screen.getByText('Операція № 480215').getAttribute('href')).toBe('/admin/operations/480215');
  });

  it('offers the usual repair of a finding, with its effect first', async () => {
    const server = await open('/admin/anomalies', {
      'GET /api/admin/health/statuses': [anomaly(5, 'e-sma-01')],
      'GET /api/admin/operation/5': new RefusedAnswer(404),
    });
    fireEvent.click((await rule('e-sma-01')).getByRole('button', { name: 'Скасувати' }));
    await waitFor(() => expect(server.times('GET /api/admin/operation/5')).toBe(1));
  });

  it('offers no repair to a role that only watches', async () => {
    await open('/admin/anomalies', { 'GET /api/admin/health/statuses': [anomaly(5, 'e-sma-01')] }, 'Analytic');
    expect((await rule('e-sma-01')).queryByRole('button')).toBeNull();
  });

  it('links its four views', async () => {
    await open('/admin/terminator', { 'GET /api/admin/health/terminator': [] });
    const views = within(await screen.findByRole('navigation', { name: 'Стан системи' }));
    expect(links(views)).toEqual(['Аномалії', 'Термінатор', 'Лічильники', 'Система']);
    expect(views.getByRole('link', { current: 'page' }).textContent).toBe('Термінатор');
    expect(await screen.findByText('За 7 днів автоматика нічого не зупиняла')).toBeTruthy();
  });
});
