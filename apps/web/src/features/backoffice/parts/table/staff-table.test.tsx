import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aUser } from '../../../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../../../testing/render.tsx';
import { moved, orderOf } from './arrangement.ts';
import type { HeadSort } from './column-head.tsx';
import type { StaffColumn } from './columns.ts';
import { StaffTable } from './staff-table.tsx';

interface Line {
  id: number;
  name: string;
}
type Key = 'id' | 'name';

const columns: readonly StaffColumn<Line, Key>[] = [
  { id: 'id', label: 'adminOperations:number', sort: 'id', width: 100, isFixed: true, cell: ({ id }) => id },
  { id: 'name', label: 'adminUsers:name', sort: 'name', width: 200, grows: true, cell: ({ name }) => name },
  { id: 'role', label: 'adminUsers:role', sort: null, width: 120, cell: () => 'User' },
];
const lines: readonly Line[] = [
  { id: 3, name: 'Олена' },
  { id: 2, name: 'Ігор' },
  { id: 1, name: 'Тарас' },
];

async function openTable({ account = 7, onSort = (_: HeadSort<Key>) => {} } = {}) {
  const element = (
    <StaffTable
      name="test"
      label="Таблиця"
      columns={columns}
      rows={lines}
      total={40}
      rowLabel={({ name }) => name}
      copied={({ id }) => id}
      sort={{ key: 'id', isDescending: true }}
      onSort={onSort}
    />
  );
  return renderRoutes([{ path: '/', element }], cacheWith({ user: aUser({ id: account, role: 'Support' }) }), '/');
}

const heads = () => Array.from(document.querySelectorAll('th'), (head) => head.textContent);
const cells = () => Array.from(document.querySelectorAll('tbody tr'), (row) => row.textContent);
const widthsOf = () => Array.from(document.querySelectorAll('col'), ({ style }) => style.width);
async function arrange() {
  fireEvent.click(screen.getByRole('button', { name: /^Колонки/ }));
  return within(await screen.findByRole('dialog', { name: 'Колонки' }));
}

beforeEach(() => localStorage.clear());
afterEach(() => vi.unstubAllGlobals());

describe('a table of staff', () => {
  it('has its columns, the size of the whole list, and the sort for screen readers', async () => {
    const onSort = vi.fn();
    await openTable({ onSort });
    expect([heads(), cells()]).toEqual([
      ['', '№', 'Ім’я', 'Роль'],
      ['3ОленаUser', '2ІгорUser', '1ТарасUser'],
    ]);
    expect(screen.getByRole('table', { name: 'Таблиця' }).getAttribute('aria-rowcount')).toBe('41');
    expect(screen.getByRole('columnheader', { name: '№' }).getAttribute('aria-sort')).toBe('descending');
    fireEvent.click(screen.getByRole('button', { name: '№' }));
    fireEvent.click(screen.getByRole('button', { name: 'Ім’я' }));
    expect(onSort.mock.calls).toEqual([[{ key: 'id', isDescending: false }], [{ key: 'name', isDescending: true }]]);
    expect(screen.queryByRole('button', { name: 'Роль' })).toBeNull();
  });

  it('keeps choice, order and width of columns for its account, and no other', async () => {
    const first = await openTable();
    const popup = await arrange();
    fireEvent.click(popup.getByRole('button', { name: 'Раніше: Роль' }));
    fireEvent.click(popup.getByLabelText('Ім’я'));
    fireEvent.click(popup.getByRole('button', { name: 'Ширше: Роль' }));
    expect([heads(), cells()[0], widthsOf()]).toEqual([['', '№', 'Роль'], '3User', ['40px', '100px', '136px']]);
    first.unmount();

    const second = await openTable();
    expect([heads(), widthsOf()]).toEqual([
      ['', '№', 'Роль'],
      ['40px', '100px', '136px'],
    ]);
    expect(screen.getByRole('button', { name: /Колонки · сховано/ })).toBeTruthy();
    second.unmount();

    await openTable({ account: 8 });
    expect(heads()).toEqual(['', '№', 'Ім’я', 'Роль']);
  });

  it('never hides the column with the link of the row, and goes back to the usual columns', async () => {
    await openTable();
    const popup = await arrange();
    expect(popup.getByLabelText<HTMLInputElement>('№').disabled).toBe(true);
    expect(popup.queryByRole('button', { name: 'Повернути звичайний вигляд' })).toBeNull();
    fireEvent.click(popup.getByLabelText('Роль'));
    expect(heads()).toEqual(['', '№', 'Ім’я']);
    fireEvent.click(popup.getByRole('button', { name: 'Повернути звичайний вигляд' }));
    expect(heads()).toEqual(['', '№', 'Ім’я', 'Роль']);
    expect(localStorage.getItem('staff.columns.7.test')).toBeNull();
  });

  it('is resized by pulling the edge of a head, within limits', async () => {
    await openTable();
    const pull = (to: number) => {
      const edge = screen.getByRole('columnheader', { name: 'Роль' }).querySelector('[data-resize]') as HTMLElement;
      fireEvent.mouseDown(edge, { clientX: 500 });
      fireEvent.mouseMove(document, { clientX: to });
      fireEvent.mouseUp(document, { clientX: to });
    };
    pull(560);
    await waitFor(() => expect(widthsOf().at(-1)).toBe('180px'));
    pull(-2000);
    await waitFor(() => expect(widthsOf().at(-1)).toBe('56px'));
  });

  it('selects rows, says how many, and copies their numbers', async () => {
    const written: string[] = [];
    vi.stubGlobal('navigator', {
      ...navigator,
      clipboard: { writeText: async (text: string) => void written.push(text) },
    });
    await openTable();
    fireEvent.click(screen.getByLabelText('Вибрати Олена'));
    fireEvent.click(screen.getByLabelText('Вибрати Тарас'));
    expect(screen.getByText(/^Вибрано 2/)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Копіювати номери' }));
    await waitFor(() => expect(written).toEqual(['3\n1']));
    const all = screen.getByLabelText<HTMLInputElement>('Вибрати всі показані рядки');
    fireEvent.click(all);
    expect([screen.getByText(/^Вибрано 3/), all.checked]).toEqual([expect.anything(), true]);
    fireEvent.click(screen.getByRole('button', { name: 'Зняти вибір' }));
    expect([screen.queryByText(/^Вибрано/), all.checked]).toEqual([null, false]);
  });

  it('ignores what another version, or somebody, has left in the storage', async () => {
    localStorage.setItem('staff.columns.7.test', '{"order":["role","gone"],"isShown":{},"widths":{}}');
    (await openTable()).unmount();
    localStorage.setItem('staff.columns.7.test', '{"order":5}');
    await openTable();
    expect(heads()).toEqual(['', '№', 'Ім’я', 'Роль']);
  });
});

describe('the order of columns', () => {
  const order = (kept: string[]) => orderOf(['id', 'name', 'role'], { order: kept, isShown: {}, widths: {} });

  it('has a new column where the version has it, and leaves out one that is gone', () => {
    expect(order(['role', 'gone', 'id'])).toEqual(['role', 'name', 'id']);
    expect(order([])).toEqual(['id', 'name', 'role']);
  });

  it('changes by one place and stops at its ends', () => {
    expect(moved(['id', 'name', 'role'], 'role', -1)).toEqual(['id', 'role', 'name']);
    expect(moved(['id', 'name', 'role'], 'id', -1)).toEqual(['id', 'name', 'role']);
    expect(moved(['id', 'name', 'role'], 'role', 1)).toEqual(['id', 'name', 'role']);
  });
});
