import { isDown } from '@fpay/contract/maintenance';
import { getSettings } from '@fpay/contract/settings';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { call } from '../api/call.ts';
import { errorText } from '../api/error-text.ts';
import { accountQueries } from '../features/account/queries.ts';
import { text } from '../i18n/i18n.ts';
import { aGuest, aUser } from '../testing/people.ts';
import '../testing/render.tsx';
import { notify, usePopups } from '../ui/overlay/popups.ts';
import { followCallRules } from './call-rules.ts';

const userKey = accountQueries.user().queryKey;
let requests: string[];
let stop: () => void;

/** A page at `pathname` with a user in the cache, for whom the server refuses every call. */
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

describe('when the service is down', () => {
  it.each(['/', '/map', '/account', '/administration', '/auth/deeper'])(
    '%s redirects to /offline [ERR-02]',
    async (path) => {
      const { router, ask } = openPage(path, { status: 503, code: 'maintenance' });
      await ask();
      expect(router.navigate).toHaveBeenCalledExactlyOnceWith('/offline');
    },
  );

  it.each(['/auth', '/admin', '/admin/users/7', '/offline'])('%s stays [ERR-02]', async (path) => {
    const { router, ask } = openPage(path, { status: 503, code: 'maintenance' });
    expect(await ask()).toMatchObject({ status: 503 });
    expect(router.navigate).not.toHaveBeenCalled();
  });

  it('the target of a navigation counts, not its origin [ERR-02]', async () => {
    const { router, ask } = openPage('/map', { status: 503 });
    Object.assign(router.state.navigation, { location: { pathname: '/admin' } });
    await ask();
    expect(router.navigate).not.toHaveBeenCalled();
  });

  it('the driver is not sent back and forth when only a part of it is down', async () => {
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

describe('when the session has ended', () => {
  it('the user and their data are removed and the guards run again', async () => {
    const { router, queryClient, ask } = openPage('/account', { status: 401, code: 'unauthenticated' });
    queryClient.setQueryData(['history', 'week'], ['a charge']);
    await ask();
    expect(queryClient.getQueryData(userKey)).toBeNull();
    expect(queryClient.getQueryData(['history', 'week'])).toBeUndefined();
    expect(router.revalidate).toHaveBeenCalledOnce();
    await ask();
    expect(router.revalidate).toHaveBeenCalledOnce();
    // The driver reads why the page has changed, once.
    expect(usePopups.getState().waiting).toMatchObject([
      { message: 'Сеанс на цьому пристрої завершено. Увійдіть ще раз.' },
    ]);
  });

  it('components that show the user are updated at once', async () => {
    const { queryClient, ask } = openPage('/map', { status: 401, code: 'unauthenticated' });
    const observer = new QueryObserver(queryClient, { ...accountQueries.user(), enabled: false });
    const seen: unknown[] = [];
    observer.subscribe(({ data }) => seen.push(data));
    await ask();
    await vi.waitFor(() => expect(seen).toEqual([null]));
  });

  it('a guest who mistypes a password stays a guest', async () => {
    const { router, queryClient, ask } = openPage('/auth', { status: 401, code: 'bad_credentials' }, aGuest());
    await ask();
    expect(queryClient.getQueryData(userKey)).toEqual(aGuest());
    expect(router.revalidate).not.toHaveBeenCalled();
  });

  it("the network's settings are kept, because they belong to no user", async () => {
    const { queryClient, ask } = openPage('/account', { status: 401, code: 'unauthenticated' });
    queryClient.setQueryData(['settings'], { brand: 'Volta' });
    await ask();
    expect(queryClient.getQueryData(['settings'])).toEqual({ brand: 'Volta' });
  });
});

describe('when the user is banned', () => {
  it('the page shows the reason and signs out, once', async () => {
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

describe('a message about a lost network', () => {
  const messages = () => usePopups.getState().waiting.map((popup) => popup.kind === 'message' && popup.message);
  async function loseNetwork(): Promise<void> {
    vi.useFakeTimers();
    const failed = call(isDown).catch((error: unknown) => void notify(text(errorText(error))));
    await vi.runAllTimersAsync();
    await failed;
    vi.useRealTimers();
    void notify('Ціна змінилася');
    expect(messages()).toEqual(['Перевірте інтернет і спробуйте ще раз.', 'Ціна змінилася']);
  }
  afterEach(() => usePopups.setState({ waiting: [] }));

  it('closes by itself with the next answer, also where the device never noticed the loss, and no other message does', async () => {
    const { ask } = openPage('/map', { status: 404 });
    const answering = globalThis.fetch;
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    await loseNetwork();
    vi.stubGlobal('fetch', answering);
    await ask();
    expect(messages()).toEqual(['Ціна змінилася']);
  });

  it('closes by itself when the device reports a network', async () => {
    openPage('/map', { status: 404 });
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    await loseNetwork();
    dispatchEvent(new Event('online'));
    expect(messages()).toEqual(['Ціна змінилася']);
  });
});

describe('any other refusal', () => {
  it.each([403, 404, 409, 422, 500])('%i is left to the caller [ERR-04]', async (status) => {
    const { router, queryClient } = openPage('/map', { status, code: 'forbidden' });
    await expect(call(getSettings)).rejects.toMatchObject({ status });
    expect(router.navigate).not.toHaveBeenCalled();
    expect(router.revalidate).not.toHaveBeenCalled();
    expect(queryClient.getQueryData(userKey)).toEqual(aUser());
    expect(usePopups.getState().waiting).toEqual([]);
  });
});
