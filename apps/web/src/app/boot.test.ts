import { getUser } from '@fpay/contract/account';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { call } from '../api/call.ts';
import { settingsQueries } from '../features/settings/queries.ts';
import { aUser, someSettings } from '../testing/people.ts';
import { takeBoot } from './boot.ts';

afterEach(() => {
  document.head.innerHTML = '';
  vi.unstubAllGlobals();
});

/** Writes it into the page as the server does. */
function writeBoot(content: object): void {
  const boot = document.createElement('script');
  boot.id = 'boot';
  boot.type = 'application/json';
  boot.textContent = JSON.stringify(content);
  document.head.append(boot);
}

describe('the settings of the network', () => {
  it('are embedded in the page, without a request [SHELL-13]', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new Error('unexpected request')));
    writeBoot({ settings: someSettings });
    const queryClient = new QueryClient();
    expect(await takeBoot(queryClient)).toEqual(someSettings);
    expect(queryClient.getQueryData(settingsQueries.settings().queryKey)).toEqual(someSettings);
  });

  it('are embedded together with the page’s first answers, each returned once', async () => {
    const asked: string[] = [];
    vi.stubGlobal('fetch', async (url: string) => {
      asked.push(url);
      return Response.json({ ...aUser(), name: 'Пізніше' });
    });
    writeBoot({
      settings: someSettings,
      answers: { '/api/user': { status: 200, body: aUser({ name: 'Одразу' }) } },
    });
    await takeBoot(new QueryClient());
    expect((await call(getUser)).name).toBe('Одразу');
    expect(asked).toEqual([]);
    expect((await call(getUser)).name).toBe('Пізніше');
    expect(asked).toEqual(['/api/user']);
  });

  it('refuse with the embedded refusal, as the call itself would', async () => {
    const refused = { status: 401, body: { message: 'Unauthenticated.', code: 'unauthenticated' } };
    writeBoot({ settings: someSettings, answers: { '/api/user': refused } });
    await takeBoot(new QueryClient());
    await expect(call(getUser)).rejects.toMatchObject({ status: 401, code: 'unauthenticated' });
  });

  it('are requested when the page has none', async () => {
    const asked: string[] = [];
    vi.stubGlobal('fetch', async (url: string) => {
      asked.push(url);
      return Response.json(someSettings);
    });
    expect(await takeBoot(new QueryClient())).toEqual(someSettings);
    expect(asked).toEqual(['/api/settings']);
  });
});
