import { act, fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { pass } from '../../testing/server.ts';
import {
  aCharge,
  buttonNamed as button,
  popupMessages as messages,
  openStatusPage as openStatus,
  operationCall,
  prepareStatusScreen,
  signedCall as signed,
} from '../../testing/status-screen.tsx';

vi.mock('../../api/realtime.ts', () => ({ connectRealtime: vi.fn() }));

prepareStatusScreen();

describe('a stop', () => {
  it('asks for confirmation with about sums and the age of the reading; then finish is disabled [STA-20] [STA-22]', async () => {
    const { server } = await openStatus();
    fireEvent.click(button('Зупинити зарядку'));
    await pass(10);
    expect(server.times('POST /api/operation/stop/12')).toBe(0);
    const asked = screen.getByRole('dialog', { name: 'Зупинити зарядку?' }).textContent?.replaceAll('\u00a0', ' ');
    expect(asked).toContain('Енергіяблизько 18,4 кВт·годСпишемоблизько 267 ₴Повернемоблизько 95 ₴');
    expect(asked).toContain('За показанням 3 с тому. Точну суму покажемо після зупинки.');
    server.answers[operationCall] = aCharge({ stop_requested: true });
    fireEvent.click(button('Зупинити'));
    await signed();
    expect(server.times('POST /api/operation/stop/12')).toBe(1);
    expect(button('Завершуємо').disabled).toBe(true);
  });

  it.each([{ is_online: false }, { read_at: '2026-11-15T01:26:00Z' }])(
    'promises no sum for a station that is silent: %o',
    async (silent) => {
      await openStatus(silent);
      fireEvent.click(button('Зупинити зарядку'));
      await pass(10);
      const asked = screen.getByRole('dialog', { name: 'Станція не відповідає' });
      expect(asked.textContent).not.toContain('₴');
      expect(asked.textContent).toContain('натисніть червону кнопку на станції');
      expect(screen.getByRole('link', { name: 'Зателефонувати' }).getAttribute('href')).toBe('tel:+380800000000');
    },
  );

  it('says what happens with a stop that waits for a silent station', async () => {
    await openStatus({ status: 'finishing', stop_requested: true, is_online: false });
    expect(screen.getByText('Зупинка чекає на станцію')).toBeTruthy();
    expect(screen.getByText(/натисніть червону кнопку на станції або зателефонуйте/)).toBeTruthy();
  });

  it('keeps a stop that was pressed without a network, over a reload, and sends it once the network is back', async () => {
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    const { server, unmount } = await openStatus();
    fireEvent.click(button('Зупинити зарядку'));
    await pass(10);
    const kept = screen.getByRole('dialog', { name: 'Зупинку збережено' });
    expect(kept.textContent).not.toContain('₴');
    fireEvent.click(button('Зрозуміло'));
    expect(messages()).toEqual([]);
    unmount();
    const again = await openStatus();
    expect(screen.getAllByText('Зупинку збережено').length).toBeGreaterThan(0);
    expect(server.times('POST /api/operation/stop/12')).toBe(0);
    onLine.mockReturnValue(true);
    again.server.answers[operationCall] = aCharge({ stop_requested: true });
    act(() => void dispatchEvent(new Event('online')));
    await signed();
    expect(again.server.times('POST /api/operation/stop/12')).toBe(1);
    expect(screen.queryByText('Зупинку збережено')).toBeNull();
    expect(button('Завершуємо').disabled).toBe(true);
    onLine.mockRestore();
  });

  it('lets the driver withdraw a kept stop before it is sent', async () => {
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    const { server } = await openStatus();
    fireEvent.click(button('Зупинити зарядку'));
    await pass(10);
    fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Скасувати зупинку' }));
    await pass(10);
    onLine.mockReturnValue(true);
    act(() => void dispatchEvent(new Event('online')));
    await signed();
    expect(server.times('POST /api/operation/stop/12')).toBe(0);
    expect(button('Зупинити зарядку').disabled).toBe(false);
    onLine.mockRestore();
  });
});
