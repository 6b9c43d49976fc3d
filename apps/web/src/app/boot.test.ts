import { QueryClient } from '@tanstack/react-query';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { settingsQueries } from '../features/settings/queries.ts';
import { someSettings } from '../testing/people.ts';
import { takeBoot } from './boot.ts';

afterEach(() => {
  document.head.innerHTML = '';
  vi.unstubAllGlobals();
});

describe('the settings of the network', () => {
  it('come with the page, without another question [SHELL-13]', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new Error('nobody should ask')));
    const boot = document.createElement('script');
    boot.id = 'boot';
    boot.type = 'application/json';
    boot.textContent = JSON.stringify({ settings: someSettings });
    document.head.append(boot);
    const queryClient = new QueryClient();
    expect(await takeBoot(queryClient)).toEqual(someSettings);
    expect(queryClient.getQueryData(settingsQueries.settings().queryKey)).toEqual(someSettings);
  });

  it('are asked for when the page carries none', async () => {
    const asked: string[] = [];
    vi.stubGlobal('fetch', async (url: string) => {
      asked.push(url);
      return Response.json(someSettings);
    });
    expect(await takeBoot(new QueryClient())).toEqual(someSettings);
    expect(asked).toEqual(['/api/settings']);
  });
});
