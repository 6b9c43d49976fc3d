import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { ApiError, NetworkError } from '../api/errors.ts';
import { renderPart } from '../testing/render.tsx';
import { Loaded } from './loaded.tsx';

const rows = (names: string[]) => names.map((name) => <p key={name}>{name}</p>);
const waiting = { data: undefined as string[] | undefined, error: null, isFetching: true, refetch: vi.fn() };
const failed = (error: Error) => ({ ...waiting, error, isFetching: false });
const refused = (status: number) =>
  failed(new ApiError({ status, message: 'No', code: null, errors: {}, retryAfter: null, serverTime: null }));

describe('Loaded', () => {
  it('shows a placeholder of as many lines as the page expects', () => {
    const { container } = renderPart(
      <Loaded query={waiting} rows={3}>
        {rows}
      </Loaded>,
    );
    expect(container.querySelectorAll('[aria-busy] > div')).toHaveLength(3);
  });

  it('shows the placeholder of the page', () => {
    renderPart(
      <Loaded query={waiting} waiting="Soon">
        {rows}
      </Loaded>,
    );
    expect(screen.getByText('Soon')).toBeDefined();
  });

  it('shows the data, also while a later call fails', () => {
    renderPart(<Loaded query={{ ...failed(new NetworkError('no answer')), data: ['Ira'] }}>{rows}</Loaded>);
    expect(screen.getByText('Ira')).toBeDefined();
    expect(screen.queryByRole('heading')).toBeNull();
  });

  it('says why a list has no rows', () => {
    renderPart(
      <Loaded query={{ ...waiting, data: [] }} empty="No rows">
        {rows}
      </Loaded>,
    );
    expect(screen.getByText('No rows')).toBeDefined();
  });

  it('distinguishes what does not exist from what failed', () => {
    renderPart(
      <>
        <Loaded query={refused(404)} notFound="No such station" />
        <Loaded query={refused(404)} failure="Nothing read" />
        <Loaded query={refused(500)} notFound="No such tariff" failure="Not read" />
      </>,
    );
    expect(screen.getByText('No such station')).toBeDefined();
    expect(screen.queryByText('No such tariff')).toBeNull();
    expect(screen.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual(['Nothing read', 'Not read']);
  });

  it('says that there is no network, and tries again', () => {
    const query = failed(new NetworkError('no answer'));
    renderPart(<Loaded query={query} />);
    expect(screen.getByRole('heading', { level: 2, name: 'Немає зв’язку' })).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Спробувати ще раз' }));
    expect(query.refetch).toHaveBeenCalledOnce();
  });
});
