import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import '../../../testing/render.tsx';
import { StationNotes } from './station-notes.tsx';

it('shows the note, the opening hours and the work that goes on at a station', () => {
  const work = { reason: 'Замінюємо кабель', starts_at: '2025-11-15T10:00:00Z' };
  render(
    <StationNotes
      station={{
        number: 'F1400',
        photos: [],
        note: 'За шлагбаумом ліворуч',
        opening_hours: { weekdays: { from: '08:00', to: '22:00' }, weekend: null },
        maintenance: [
          { ...work, connector_id: 4, ends_at: '2025-11-17T10:00:00Z' },
          { ...work, connector_id: null, ends_at: null },
        ],
        connectors: [{ id: 4, api_address: '2' } as never],
      }}
    />,
  );
  const texts = Array.from(document.querySelectorAll('p'), (line) => line.textContent?.replaceAll('\u00a0', ' '));
  expect(texts).toEqual([
    'Роз’єм № 2: технічні роботиЗамінюємо кабель · до 17.11.2025, 12:00',
    'Станція на технічних роботахЗамінюємо кабель',
    'За шлагбаумом ліворуч',
    'Пн–Пт 08:00–22:00 · Сб–Нд зачинено',
  ]);
  expect(screen.queryByText(/null/)).toBeNull();
});

it('shows nothing at a station without notes that is always open', () => {
  const { container } = render(
    <StationNotes
      station={{ number: 'F1400', note: null, opening_hours: null, maintenance: [], connectors: [], photos: [] }}
    />,
  );
  expect(container.textContent).toBe('');
});
