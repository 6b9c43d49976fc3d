import { isDown } from '@fpay/contract/maintenance';
import { getSettings } from '@fpay/contract/settings';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { call } from '../api/call.ts';
import { accountQueries } from '../features/account/queries.ts';
import { aGuest, aUser } from '../testing/people.ts';
import '../testing/render.tsx';
import { usePopups } from '../ui/popups.ts';
import { followCallRules } from './call-rules.ts';

const userKey = accountQueries.user().queryKey;
let requests: string[];
let stop: () => void;

/** A page at `pathname`, with a user in the cache, whose every call the server refuses. */
function openPage(pathname: string, refusal: { status: number; code?: string }, user = aUser()) {
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    requests.push(`${init.method ?? 'GET'} ${url}`);
    if (url === '/sanctum/csrf-cookie') {
      // biome-ignore lint/suspicious/noDocumentCookie: the server's Set-Cookie, played.
      document.cookie = 'XSRF-TOKEN=token';
      return new Response(null, { status: 204 });
    }
    if (url === '/api/logout') return new Response(null, { status: 204 });
    return Response.json({ message: 'No', ...refusal }, { status: refusal.status });
  });
  const queryClient = new QueryClient();
  queryClient.setQueryData(userKey, user);
  const router = {
    state: { location: { pathname }, navigation: {} },
    navigate: vi.fn(async () => undefined),
    revalidate: vi.fn(async () => undefined),
  };
  stop = followCallRules(router as never, queryClient);
  return { router, queryClient, ask: () => call(isDown).catch((error: unknown) => error) };
}

beforeEach(() => {
  requests = [];
});

afterEach(() => {
  stop();
  vi.useRealTimers();
});

describe('the service is down', () => {
  it.each(['/', '/map', '/account', '/administration', '/auth/deeper'])(
    'so %s leads to /offline [ERR-02]',
    async (path) => {
      const { router, ask } = openPage(path, { status: 503, code: 'maintenance' });
      await ask();
      expect(router.navigate).toHaveBeenCalledExactlyOnceWith('/offline');
    },
  );

  it.each(['/auth', '/admin', '/admin/users/7', '/offline'])('but %s stays [ERR-02]', async (path) => {
    const { router, ask } = openPage(path, { status: 503, code: 'maintenance' });
    expect(await ask()).toMatchObject({ status: 503 });
    expect(router.navigate).not.toHaveBeenCalled();
  });

  it('counts where the driver is going, not where they come from [ERR-02]', async () => {
    const { router, ask } = openPage('/map', { status: 503 });
    Object.assign(router.state.navigation, { location: { pathname: '/admin' } });
    await ask();
    expect(router.navigate).not.toHaveBeenCalled();
  });

  it('and does not throw the driver back and forth when only part of it is', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { router, ask } = openPage('/map', { status: 503 });
    await ask();
    await ask();
    expect(router.navigate).toHaveBeenCalledOnce();
    vi.setSystemTime(Date.now() + 60_000);
    await ask();
    expect(router.navigate).toHaveBeenCalledTimes(2);
  });
});

describe('the session has ended', () => {
  it('so the user and all that was theirs is forgotten and the guards run again', async () => {
    const { router, queryClient, ask } = openPage('/account', { status: 401, code: 'unauthenticated' });
    queryClient.setQueryData(['account', 'history'], ['a charge']);
    await ask();
    expect(queryClient.getQueryData(userKey)).toBeNull();
    expect(queryClient.getQueryData(['account', 'history'])).toBeUndefined();
    expect(router.revalidate).toHaveBeenCalledOnce();
    await ask();
    expect(router.revalidate).toHaveBeenCalledOnce();
  });

  it('and whatever shows the user hears of it at once', async () => {
    const { queryClient, ask } = openPage('/map', { status: 401, code: 'unauthenticated' });
    const observer = new QueryObserver(queryClient, { ...accountQueries.user(), enabled: false });
    const seen: unknown[] = [];
    observer.subscribe(({ data }) => seen.push(data));
    await ask();
    await vi.waitFor(() => expect(seen).toEqual([null]));
  });

  it('but a guest who mistypes a password stays a guest', async () => {
    const { router, queryClient, ask } = openPage('/auth', { status: 401, code: 'bad_credentials' }, aGuest());
    await ask();
    expect(queryClient.getQueryData(userKey)).toEqual(aGuest());
    expect(router.revalidate).not.toHaveBeenCalled();
  });

  it("but the network's own settings are kept: they are nobody's", async () => {
    const { queryClient, ask } = openPage('/account', { status: 401, code: 'unauthenticated' });
    queryClient.setQueryData(['settings'], { brand: 'Volta' });
    await ask();
    expect(queryClient.getQueryData(['settings'])).toEqual({ brand: 'Volta' });
  });
});

describe('the user is banned', () => {
  it('so the page says why and signs out, once', async () => {
    const { queryClient, ask } = openPage('/account', { status: 403, code: 'banned' });
    await ask();
    await ask();
    expect(queryClient.getQueryData(userKey)).toBeNull();
    expect(usePopups.getState().waiting).toMatchObject([
      { message: 'Цей акаунт заблоковано. Зверніться до підтримки.' },
    ]);
    await vi.waitFor(() => expect(requests.filter((request) => request === 'DELETE /api/logout')).toHaveLength(1));
  });
});

describe('any other refusal', () => {
  it.each([403, 404, 409, 422, 500])('%i is the business of whoever asked [ERR-04]', async (status) => {
    const { router, queryClient } = openPage('/map', { status, code: 'forbidden' });
    await expect(call(getSettings)).rejects.toMatchObject({ status });
    expect(router.navigate).not.toHaveBeenCalled();
    expect(router.revalidate).not.toHaveBeenCalled();
    expect(queryClient.getQueryData(userKey)).toEqual(aUser());
    expect(usePopups.getState().waiting).toEqual([]);
  });
});
