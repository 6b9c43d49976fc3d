import { connectorTypes, everyConnectorType } from '@fpay/contract/connectors';
import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderPart } from '../../testing/render.tsx';
import { Avatar } from '../layout/avatar.tsx';
import { StatusBadge } from '../layout/status-badge.tsx';
import { BarChart, roundTop } from './bar-chart.tsx';
import { BatteryIndicator, shareOf } from './battery-indicator.tsx';
import { ConnectorIcon } from './connector-icon.tsx';

describe('a connector icon', () => {
  it.each(everyConnectorType)('draws %s with and without its cable', (type) => {
    const { name } = connectorTypes[type];
    renderPart(
      <>
        <ConnectorIcon type={type} />
        <ConnectorIcon type={type} withCable />
      </>,
    );
    const bare = screen.getByRole('img', { name });
    const withCable = screen.getByRole('img', { name: `${name} з кабелем` });
    expect(bare.querySelectorAll('circle').length).toBeGreaterThan(4);
    expect(withCable.querySelectorAll('circle').length).toBe(bare.querySelectorAll('circle').length);
    expect(withCable.querySelectorAll('path').length).toBe(bare.querySelectorAll('path').length + 1);
  });
});

describe('the battery', () => {
  it.each([
    [0, [0, 0, 0, 0]],
    [10, [0.5, 0, 0, 0]],
    [20, [1, 0, 0, 0]],
    [74, [1, 1, 1, 0.7]],
    [80, [1, 1, 1, 1]],
    [100, [1, 1, 1, 1]],
    [140, [1, 1, 1, 1]],
  ])('at %i %% lights its four segments, 20 %% each', (percent, shares) => {
    expect([0, 1, 2, 3].map((segment) => shareOf(segment, percent))).toEqual(shares);
  });

  it('announces the percentage', () => {
    renderPart(<BatteryIndicator percent={74} />);
    expect(screen.getByRole('img', { name: 'Заряджено 74\u00a0%' })).toBeTruthy();
  });
});

describe('a bar chart', () => {
  const week = [
    { label: 'Пн', value: 0 },
    { label: 'Вт', value: 22.4 },
    { label: 'Ср', value: 25, isPresent: true },
  ];
  const formatValue = (value: number) => value.toFixed(1);

  it('has a table with the same numbers for screen readers', () => {
    renderPart(<BarChart caption="Енергія за тиждень" bars={week} formatValue={formatValue} showsValues />);
    const table = screen.getByRole('table', { name: 'Енергія за тиждень' });
    const rows = within(table).getAllByRole('row');
    expect(rows.map(({ textContent }) => textContent)).toEqual(['Пн0.0', 'Вт22.4', 'Ср25.0']);
  });

  it('draws each bar to the scale', () => {
    const { container } = renderPart(<BarChart caption="Тиждень" bars={week} formatValue={formatValue} />);
    const tops = Array.from(container.querySelectorAll('rect[data-bar]'), (bar) => bar.getAttribute('y'));
    // From the top: 22.4 and 25 of a scale that ends at 50.
    expect(tops).toEqual([`${100 - 44.8}%`, '50%']);
  });

  it('shows the number of a pressed bar where there is no space for all', () => {
    const { container } = renderPart(<BarChart caption="Місяць" bars={week} formatValue={formatValue} />);
    const plot = container.querySelector('.h-40') as HTMLElement;
    plot.getBoundingClientRect = () => ({ left: 0, width: 300 }) as DOMRect;
    expect(within(plot).queryByText('22.4')).toBeNull();
    fireEvent.pointerDown(plot, { clientX: 150 });
    expect(within(plot).getByText('22.4')).toBeTruthy();
  });

  it.each([
    [41.2, 50],
    [50, 50],
    [107.5, 200],
    [0.7, 1],
    [0, 1],
  ])('ends its scale for %d on a round %d', (most, top) => {
    expect(roundTop(most)).toBeCloseTo(top);
  });
});

describe('a status', () => {
  it.each([
    ['free', 'Вільний'],
    ['ready', 'Готовий до зарядки'],
    ['charging', 'Заряджає'],
    ['occupied', 'Зайнятий'],
    ['offline', 'Не працює'],
    ['error', 'Помилка'],
  ] as const)('%s is never shown by colour alone', (status, word) => {
    renderPart(<StatusBadge status={status} />);
    const badge = screen.getByText(word);
    expect(badge.querySelector('svg')).toBeTruthy();
  });
});

describe('an avatar', () => {
  it('is one of six, the fourth for an unknown number', () => {
    const { container } = renderPart([1, 2, 3, 4, 5, 6, 7].map((icon) => <Avatar key={icon} icon={icon} size={32} />));
    const pictures = Array.from(container.querySelectorAll('img'), ({ src }) => src);
    expect(new Set(pictures).size).toBe(6);
    expect(pictures[6]).toBe(pictures[3]);
  });
});
