import type { Operation } from '@fpay/contract/charging';
import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { pass } from '../../testing/server.ts';
import {
  aCharge,
  buttonNamed as button,
  infoText,
  openStatusPage as openStatus,
  operationCall,
  prepareStatusScreen,
} from '../../testing/status-screen.tsx';
import { freshnessOf } from './freshness.ts';

vi.mock('../../api/realtime.ts', () => ({ connectRealtime: vi.fn() }));

prepareStatusScreen();

/** The clock of the test begins at 01:30:00, and the reading of the charge is 3 s old. */
const hero = () => document.querySelector('[data-freshness]');

describe('a station that sends no readings', () => {
  it('shows their age and no speed from the first limit, and does not answer from the second [STN-24]', async () => {
    const { server } = await openStatus({ time_left: 1500, soc: 64 });
    server.answers[operationCall] = () => aCharge({ time_left: 1500, soc: 64 });
    expect(hero()?.textContent).toContain('Заряджаємо');
    expect(infoText()).toContain('47,3 кВт');
    await pass(26_000);
    expect(infoText()).toContain('47,3 кВт');

    await pass(1_000);
    expect(hero()?.getAttribute('data-freshness')).toBe('stale');
    expect(screen.getByRole('heading', { name: 'Немає нових даних' })).toBeTruthy();
    expect(hero()?.textContent).toMatch(/30\sс тому/);
    expect(hero()?.textContent).toContain('станом на 03:29:57');
    expect(hero()?.textContent).not.toContain('ще');
    expect(hero()?.textContent).toMatch(/Авто: було 64/);
    expect(infoText()).toMatch(/^Швидкістьнемає даних/);
    expect(screen.getByText('Станція мовчить', { selector: 'strong' })).toBeTruthy();
    expect(screen.getByText(/^За 30 с скажемо/)).toBeTruthy();
    expect(screen.queryByText('Станція не відповідає', { selector: 'strong' })).toBeNull();
    expect(button('Зупинити зарядку').disabled).toBe(false);

    await pass(31_000);
    expect(hero()?.getAttribute('data-freshness')).toBe('silent');
    expect(screen.getByText('Станція не відповідає', { selector: 'strong' })).toBeTruthy();
    expect(screen.queryByText('Станція мовчить', { selector: 'strong' })).toBeNull();
    expect(button('Зупинити зарядку').disabled).toBe(false);
  });

  it('is blue again with the next reading [STN-24]', async () => {
    const { server } = await openStatus({ read_at: '2026-11-15T01:29:00Z' });
    expect(hero()?.getAttribute('data-freshness')).toBe('silent');
    server.answers[operationCall] = () => aCharge({ read_at: '2026-11-15T01:30:28Z' });
    await pass(31_000);
    expect(hero()?.getAttribute('data-freshness')).toBe('fresh');
    expect(screen.queryByText('Станція не відповідає', { selector: 'strong' })).toBeNull();
    expect(infoText()).toContain('47,3 кВт');
  });

  it('does not answer as soon as its socket is lost [STN-24]', async () => {
    await openStatus({ is_online: false });
    expect(hero()?.getAttribute('data-freshness')).toBe('silent');
    expect(screen.getByText('Станція не відповідає', { selector: 'strong' })).toBeTruthy();
    expect(infoText()).not.toContain('47,3 кВт');
  });

  it.each([
    ['a day fast', 24 * 60 * 60_000],
    ['a day slow', -24 * 60 * 60_000],
  ])(
    'is judged by the server’s clock: on a phone that is %s a good charge is a good charge [STN-24]',
    async (_, offMs) => {
      vi.setSystemTime(Date.parse('2026-11-15T01:30:00Z') + offMs);
      const server_time = '2026-11-15T01:30:00Z';
      await openStatus({ server_time });
      expect(hero()?.getAttribute('data-freshness')).toBe('fresh');
      expect(infoText()).toContain('Минуло29 хв');
      fireEvent.click(button('Зупинити зарядку'));
      await pass(10);
      const asked = screen.getByRole('dialog', { name: 'Зупинити зарядку?' });
      expect(asked.textContent?.replaceAll('\u00a0', ' ')).toContain('За показанням 3 с тому');
    },
  );
});

describe('the freshness of a charge', () => {
  const now = Date.parse('2026-11-15T02:00:00Z');
  const ago = (seconds: number) => new Date(now - seconds * 1000).toISOString();
  it.each<[string, Partial<Operation>, string]>([
    ['just before the first limit', { read_at: ago(74.9) }, 'fresh'],
    ['at the first limit', { read_at: ago(75) }, 'stale'],
    ['just before the second', { read_at: ago(149.9) }, 'stale'],
    ['at the second', { read_at: ago(150) }, 'silent'],
    ['without a reading since the start', { read_at: null, started_at: ago(80) }, 'stale'],
    ['without a reading or a start', { read_at: null, started_at: null }, 'fresh'],
    ['with a reading of the future', { read_at: ago(-50) }, 'fresh'],
    ['that has not begun', { status: 'starting', read_at: null, is_online: false }, 'fresh'],
    ['that has ended', { status: 'finished', read_at: ago(5000), is_online: false }, 'fresh'],
  ])('%s [STN-24]', (_, rest, freshness) => {
    expect(freshnessOf(aCharge({ stale_after: 75, silent_after: 150, ...rest }), now)).toBe(freshness);
  });
});
