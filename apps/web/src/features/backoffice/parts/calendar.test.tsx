import { fireEvent, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../../testing/render.tsx';
import { addMonths, dayByKey, readDay, readMoment, weeksOf, writeDay, writeMoment } from './calendar.ts';
import { MomentField } from './moment-field.tsx';

vi.setConfig({ testTimeout: 30_000 });

function Sample({ onChange, max }: { onChange: (value: string) => void; max?: string }) {
  const [value, setValue] = useState('2026-11-15T14:35');
  return (
    <MomentField
      label="Від"
      value={value}
      max={max}
      onChange={(next) => {
        setValue(next);
        onChange(next);
      }}
    />
  );
}

describe('a date with its time', () => {
  it.each([
    ['15.11.2026 14:35', '2026-11-15T14:35'],
    ['5.1.2026 9:02', '2026-01-05T09:00'],
    ['15.11.2026', '2026-11-15T00:00'],
    ['15/11/2026, 23:59', '2026-11-15T23:55'],
    ['2026-11-15T14:38', '2026-11-15T14:35'],
    ['31.02.2026 10:00', null],
    ['15.11.2026 24:00', null],
    ['15.11.2026 14:75', null],
    ['15.11', null],
    ['', null],
  ])('%j is read as %s, on a step of five minutes [CONST-07]', (typed, local) => {
    expect(readMoment(typed)).toBe(local);
  });

  it('has its day first in every language', () => {
    expect(writeMoment('2026-11-05T14:35')).toBe('05.11.2026 14:35');
    expect(writeMoment('5.11.20')).toBe('5.11.20');
    expect([writeDay('2026-11-05'), writeDay('5.11.20')]).toEqual(['05.11.2026', '5.11.20']);
    expect(['05.11.2026', '2026-11-05', '31.02.2026', ''].map(readDay)).toEqual([
      '2026-11-05',
      '2026-11-05',
      null,
      null,
    ]);
  });

  it('is in a month of six weeks from Monday on', () => {
    const weeks = weeksOf('2026-11');
    expect([weeks.length, weeks[0]?.[0], weeks[0]?.[6], weeks[5]?.[6]]).toEqual([
      6,
      '2026-10-26',
      '2026-11-01',
      '2026-12-06',
    ]);
    expect([addMonths('2026-01', -1), addMonths('2026-12', 1)]).toEqual(['2025-12', '2027-01']);
  });

  it('is chosen from a calendar with a mouse or with the arrow keys, in steps of five minutes [CONST-07]', async () => {
    const changed = vi.fn();
    renderPart(<Sample onChange={changed} />);
    fireEvent.click(screen.getByRole('button', { name: 'Календар: Від' }));
    const popup = within(await screen.findByRole('dialog', { name: 'Від' }));
    expect(popup.getByText('листопад 2026 р.')).toBeTruthy();
    expect(Array.from(popup.getByLabelText<HTMLSelectElement>('Хвилини').options, ({ value }) => value)).toHaveLength(
      12,
    );
    fireEvent.click(popup.getByLabelText('30 листопада 2026 р.'));
    fireEvent.keyDown(document.querySelector('table') as HTMLElement, { key: 'ArrowRight' });
    expect(document.activeElement?.getAttribute('aria-label')).toBe('1 грудня 2026 р.');
    fireEvent.change(popup.getByLabelText('Години'), { target: { value: '08' } });
    fireEvent.click(popup.getByText('OK'));
    expect(changed).toHaveBeenLastCalledWith('2026-12-01T08:35');
    expect(screen.getByLabelText<HTMLInputElement>('Від').value).toBe('01.12.2026 08:35');
  });

  it.each([
    ['ArrowLeft', '2026-11-14'],
    ['ArrowDown', '2026-11-22'],
    ['Home', '2026-11-09'],
    ['End', '2026-11-15'],
    ['PageUp', '2026-10-15'],
    ['PageDown', '2026-12-15'],
    ['Shift+PageUp', '2025-11-15'],
    ['Shift+PageDown', '2027-11-15'],
    ['a', null],
  ])('%s moves from 15 November to %s', (keys, day) => {
    const [key = '', shift] = keys.split('+').reverse();
    expect(dayByKey('2026-11-15', { key, shiftKey: shift !== undefined })).toBe(day);
  });

  it('of a shorter month is its last day', () => {
    const pageDown = { key: 'PageDown', shiftKey: false };
    expect([dayByKey('2026-01-31', pageDown), dayByKey('2024-02-29', { ...pageDown, shiftKey: true })]).toEqual([
      '2026-02-28',
      '2025-02-28',
    ]);
  });

  it('is a grid with one chosen cell, which keys move over the border of a month, never past the limit', async () => {
    renderPart(<Sample onChange={vi.fn()} max="2026-12-20T15:00" />);
    fireEvent.click(screen.getByRole('button', { name: 'Календар: Від' }));
    const popup = within(await screen.findByRole('dialog', { name: 'Від' }));
    const chosen = () => popup.getAllByRole('gridcell', { selected: true }).map(({ textContent }) => textContent);
    expect([popup.getByRole('grid', { name: 'листопад 2026 р.' }) !== null, chosen()]).toEqual([true, ['15']]);
    const grid = () => popup.getByRole('grid');
    fireEvent.keyDown(grid(), { key: 'PageDown' });
    expect(document.activeElement?.getAttribute('aria-label')).toBe('15 грудня 2026 р.');
    fireEvent.keyDown(grid(), { key: 'ArrowDown' });
    expect(document.activeElement?.getAttribute('aria-label')).toBe('15 грудня 2026 р.');
    fireEvent.keyDown(grid(), { key: 'End' });
    expect([document.activeElement?.getAttribute('aria-label'), chosen()]).toEqual(['20 грудня 2026 р.', ['20']]);
  });

  it('is never after its limit', async () => {
    const changed = vi.fn();
    renderPart(<Sample onChange={changed} max="2026-11-15T15:00" />);
    fireEvent.click(screen.getByRole('button', { name: 'Календар: Від' }));
    const popup = within(await screen.findByRole('dialog', { name: 'Від' }));
    expect(popup.getByLabelText<HTMLButtonElement>('16 листопада 2026 р.').disabled).toBe(true);
    fireEvent.change(popup.getByLabelText('Години'), { target: { value: '18' } });
    fireEvent.click(popup.getByText('OK'));
    expect(changed).toHaveBeenLastCalledWith('2026-11-15T15:00');
  });

  it('says when it cannot be read, and keeps what was typed', () => {
    const changed = vi.fn();
    renderPart(<Sample onChange={changed} />);
    fireEvent.change(screen.getByLabelText('Від'), { target: { value: '15.13.2026' } });
    expect(changed).toHaveBeenLastCalledWith('15.13.2026');
    expect(screen.getByText('Введіть дату й час, наприклад 15.11.2026 14:35')).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Від').value).toBe('15.13.2026');
  });
});
