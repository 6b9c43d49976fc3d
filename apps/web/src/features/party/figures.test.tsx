import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { anOperation, aParty, openParty, shown, stats, statsOf, zone } from '../../testing/party.tsx';

vi.setConfig({ testTimeout: 30_000 });
afterEach(() => void vi.restoreAllMocks());

describe('figures for the owner', () => {
  it('shows statistics by user and period with percentages, ?% and MISSING [PARTY-12] [PARTY-13] [PARTY-14] [ENT-28]', async () => {
    const { server } = await openParty(
      {
        'GET /api/party/data': aParty(),
        [statsOf('all', '14d')]: stats,
        [statsOf('avg', '14d')]: stats,
        [statsOf('avg', 'lastMonth')]: stats,
      },
      '/party?tab=stats',
    );
    expect(await screen.findByText('12 зарядок')).toBeTruthy();
    expect(screen.getByText('90 % від усього')).toBeTruthy();
    const rows = Array.from(screen.getByRole('list', { name: 'Станції' }).children, shown);
    expect(rows[0]).toContain('100,0100 %');
    expect(rows[1]).toBe('F1050MISSING0,00 %Учасники групи: ?%Безкоштовно: ?%');
    const options = screen.getByLabelText<HTMLSelectElement>('Учасник').options;
    expect(Array.from(options, shown)).toEqual(['Усі учасники', 'У середньому', 'Богдан', 'Ігор', 'Олена']);
    fireEvent.change(screen.getByLabelText('Учасник'), { target: { value: 'avg' } });
    await waitFor(() => expect(server.times(statsOf('avg', '14d'))).toBe(1));
    fireEvent.change(screen.getByLabelText('Період'), { target: { value: 'lastMonth' } });
    await waitFor(() => expect(server.times(statsOf('avg', 'lastMonth'))).toBe(1));
  });

  it('asks for a range of the owner’s own once its end is after its beginning [PARTY-15]', async () => {
    const { server } = await openParty(
      { 'GET /api/party/data': aParty(), [statsOf('all', '14d')]: stats },
      '/party?tab=stats',
    );
    await screen.findByText('12 зарядок');
    fireEvent.change(screen.getByLabelText('Період'), { target: { value: 'manual' } });
    const from = await screen.findByLabelText('Від');
    expect(from.getAttribute('step')).toBe('300');
    fireEvent.change(screen.getByLabelText('До'), { target: { value: '2020-01-01T00:00' } });
    expect(await screen.findByText('Кінець має бути після початку')).toBeTruthy();
    fireEvent.change(from, { target: { value: '2019-01-01T00:00' } });
    await waitFor(() =>
      expect(
        server.sent.some(({ call }) => call.includes('manual_range=true') && call.includes('start_date=2019')),
      ).toBe(true),
    );
  });

  it('lists operations, and a press opens the read-only detail [PARTY-16]', async () => {
    await openParty(
      {
        'GET /api/party/data': aParty(),
        [`GET /api/party/trans?user=all&period=7d&tz=${zone}`]: [anOperation],
      },
      '/party?tab=operations',
    );
    fireEvent.click(await screen.findByText('42,60', { exact: false }));
    const detail = await screen.findByRole('dialog', { name: '№\u00a0480172' });
    for (const part of ['617,70 ₴', '14,50 ₴/кВт·год', 'F1302 · вул. Паркова, 6', 'Завершено', 'Лише перегляд'])
      expect(shown(detail)).toContain(part);
    expect(shown(detail)).toContain('АвтоMISSING');
    expect(
      within(detail)
        .getAllByRole('button')
        .map((button) => button.getAttribute('aria-label')),
    ).toEqual(['Закрити']);
  });
});
