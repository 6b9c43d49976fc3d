import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../testing/render.tsx';
import { Paginator } from '../layout/paginator.tsx';
import { Tabs } from '../layout/tabs.tsx';
import { Segmented } from './segmented.tsx';
import { Switch } from './switch.tsx';

describe('one of a few', () => {
  it('is a group of radio buttons under its legend', () => {
    const onChange = vi.fn();
    renderPart(
      <Segmented
        legend="Роз’єми"
        value="available"
        onChange={onChange}
        segments={[
          { value: 'available', label: 'Доступні' },
          { value: 'all', label: 'Усі', short: '∀' },
        ]}
      />,
    );
    expect(screen.getByRole('group', { name: 'Роз’єми' })).toBeTruthy();
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Доступні' }).checked).toBe(true);
    fireEvent.click(screen.getByRole('radio', { name: 'Усі' }));
    expect(onChange).toHaveBeenCalledExactlyOnceWith('all');
  });
});

describe('a switch', () => {
  it('is toggled by its label too', () => {
    const onChange = vi.fn();
    renderPart(<Switch label="Лише з коментарем" checked={false} onChange={onChange} />);
    expect(screen.getByRole<HTMLInputElement>('switch').checked).toBe(false);
    fireEvent.click(screen.getByText('Лише з коментарем'));
    expect(onChange).toHaveBeenCalledExactlyOnceWith(true);
  });
});

describe('tabs', () => {
  it('render only the chosen view', () => {
    function Party() {
      const [tab, setTab] = useState<'users' | 'operations'>('users');
      return (
        <Tabs
          label="Група"
          value={tab}
          onChange={setTab}
          tabs={[
            { value: 'users', label: 'Учасники', content: 'Олена' },
            { value: 'operations', label: 'Операції', content: '№ 480215' },
          ]}
        />
      );
    }
    renderPart(<Party />);
    expect(screen.getByRole('tabpanel').textContent).toBe('Олена');
    fireEvent.mouseDown(screen.getByRole('tab', { name: 'Операції' }), { button: 0 });
    expect(screen.getByRole('tabpanel').textContent).toBe('№ 480215');
  });
});

describe('a paginator', () => {
  it.each([
    [1, [true, false]],
    [2, [false, false]],
    [3, [false, true]],
  ])('on page %i of 3 links only to pages that exist', (page, disabled) => {
    const onChange = vi.fn();
    renderPart(<Paginator page={page} pageCount={3} onChange={onChange} />);
    expect(screen.getByText(`${page} з 3`)).toBeTruthy();
    const buttons = screen.getAllByRole<HTMLButtonElement>('button');
    expect(buttons.map((button) => button.disabled)).toEqual(disabled);
    for (const button of buttons) fireEvent.click(button);
    const reachable = [page - 1, page + 1].filter((next) => next >= 1 && next <= 3);
    expect(onChange.mock.calls.flat()).toEqual(reachable);
  });
});
