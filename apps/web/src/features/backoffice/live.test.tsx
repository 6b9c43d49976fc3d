import { QueryClient } from '@tanstack/react-query';
import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aUser } from '../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../testing/render.tsx';
import { createRefresh, useStaffMessages } from './live.ts';
import { pollMs, pollWithoutMessages } from './queries.ts';

vi.setConfig({ testTimeout: 30_000 });

const connection = vi.hoisted(() => ({
  rights: [] as object[],
  groups: [] as string[],
  joined: () => {},
  lost: () => {},
  stopped: 0,
}));
vi.mock('../../api/realtime.ts', () => ({
  connectRealtime: (rights: object) => {
    connection.rights.push(rights);
    return {
      listen(group: string, _onMessage: () => void, onJoined: () => void, onLost: () => void) {
        connection.groups.push(group);
        Object.assign(connection, { joined: onJoined, lost: onLost });
      },
      stop: () => void connection.stopped++,
    };
  },
}));

beforeEach(() => Object.assign(connection, { rights: [], groups: [], stopped: 0 }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function Page() {
  useStaffMessages();
  return <p>Сторінка</p>;
}

async function openPage(role: 'Support' | 'Analytic' | 'User') {
  const queryClient = cacheWith({ user: aUser({ role }) });
  const invalidated = vi.spyOn(queryClient, 'invalidateQueries');
  const drawn = await renderRoutes([{ path: '/', element: <Page /> }], queryClient, '/');
  await screen.findByText('Сторінка');
  return { invalidated, unmount: drawn.unmount };
}

describe('messages of staff', () => {
  it('replace the poll while they arrive, and the poll returns when the connection is lost', async () => {
    const { invalidated, unmount } = await openPage('Support');
    expect([connection.rights, connection.groups]).toEqual([[{ staff: true }], ['staff']]);
    expect(pollWithoutMessages()).toBe(pollMs);
    act(() => connection.joined());
    expect(pollWithoutMessages()).toBe(false);
    expect(invalidated).toHaveBeenLastCalledWith({ queryKey: ['backoffice'] });
    invalidated.mockClear();
    act(() => connection.lost());
    expect(pollWithoutMessages()).toBe(pollMs);
    expect(invalidated).toHaveBeenCalledWith({ queryKey: ['backoffice'] });
    act(() => connection.joined());
    unmount();
    expect([connection.stopped, pollWithoutMessages()]).toEqual([1, pollMs]);
  });

  it('are not asked for by a role that does not see every operation', async () => {
    await openPage('User');
    expect(connection.rights).toEqual([]);
  });
});

describe('what a message changes', () => {
  function setUp() {
    vi.useFakeTimers();
    const queryClient = new QueryClient();
    const read: string[] = [];
    vi.spyOn(queryClient, 'invalidateQueries').mockImplementation(async (filters) => {
      read.push(String(filters?.queryKey?.[1]));
    });
    return { read, refresh: createRefresh(queryClient) };
  }
  const changed = { type: 'staff_operations_changed', count: 1, operations: '7' };

  it('is read at once, then at most every 3 seconds, overviews every 10, and the last change is never lost', () => {
    const { read, refresh } = setUp();
    refresh.onMessage(changed);
    expect(read).toEqual(['operations', 'today', 'health']);
    for (let second = 0; second < 9; second += 1) {
      vi.advanceTimersByTime(1_000);
      refresh.onMessage(changed);
    }
    expect(read.slice(3)).toEqual(['operations', 'operations', 'operations']);
    vi.advanceTimersByTime(60_000);
    expect(read.slice(6).sort()).toEqual(['health', 'operations', 'today']);
    refresh.stop();
  });

  it('waits while the page is hidden', () => {
    const { read, refresh } = setUp();
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    refresh.onMessage({ type: 'staff_list_changed', list: 'approvals' });
    vi.advanceTimersByTime(60_000);
    expect(read).toEqual([]);
    hidden.mockReturnValue(false);
    document.dispatchEvent(new Event('visibilitychange'));
    expect(read).toEqual(['today', 'money']);
    refresh.stop();
  });

  it('is nothing when the message is not one of the contract', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { read, refresh } = setUp();
    refresh.onMessage({ type: 'staff_list_changed', list: 'salaries' });
    expect([read, warn.mock.calls.length]).toEqual([[], 1]);
    refresh.stop();
  });
});
