import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { pass } from '../../testing/server.ts';
import {
  aCharge,
  liveOperation,
  openStatusPage,
  operationCall,
  prepareStatusScreen,
} from '../../testing/status-screen.tsx';

vi.mock('../../api/realtime.ts', () => ({ connectRealtime: vi.fn() }));

prepareStatusScreen();

const announced = () => screen.getByTestId('announced').textContent?.replaceAll('\u00a0', ' ');

it('a screen reader hears start, half, four fifths, trouble and end, each once, and nothing between', async () => {
  const { server } = await openStatusPage({ status: 'starting', percentage: null, started_at: null, read_at: null });
  expect(announced()).toBe('');
  let energy = 0;
  async function becomes(rest: Parameters<typeof aCharge>[0]) {
    energy += 1;
    server.answers[operationCall] = () =>
      aCharge({
        energy: energy as never,
        read_at: new Date().toISOString(),
        server_time: new Date().toISOString(),
        ...rest,
      });
    liveOperation.send(null);
    await pass(10);
    return announced();
  }
  expect(await becomes({ percentage: 3 })).toBe('Заряджаємо');
  expect(await becomes({ percentage: 49 })).toBe('Заряджаємо');
  expect(await becomes({ percentage: 51 })).toBe('Заряджено 51 % суми');
  expect(await becomes({ percentage: 79 })).toBe('Заряджено 51 % суми');
  expect(await becomes({ percentage: 79, soc: 80 })).toBe('Авто заряджено на 80 %');
  expect(await becomes({ percentage: 90, soc: 95 })).toBe('Авто заряджено на 80 %');
  expect(await becomes({ soc: 95, is_online: false })).toBe('Станція не відповідає');
  expect(await becomes({ soc: 95 })).toBe('Заряджаємо');
  expect(await becomes({ status: 'finished', rating: 5, finished_at: new Date().toISOString() })).toBe(
    'Зарядку завершено',
  );
});

it('a notice that appears above the visible part is brought into view', async () => {
  const scrolled = vi.fn();
  Element.prototype.scrollIntoView = scrolled;
  const { server } = await openStatusPage({ read_at: '2026-11-15T01:30:00Z' });
  expect(scrolled).not.toHaveBeenCalled();
  server.answers[operationCall] = () => aCharge({ is_online: false, stop_requested: true });
  liveOperation.send(null);
  await pass(10);
  expect(screen.getByText('Зупинка чекає на станцію')).toBeTruthy();
  expect(scrolled).toHaveBeenCalledWith({ block: 'nearest' });
});
