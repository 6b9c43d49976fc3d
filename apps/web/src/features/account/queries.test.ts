import { onlineManager, QueryObserver } from '@tanstack/react-query';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { aUser } from '../../testing/people.ts';
import { cacheWith } from '../../testing/render.tsx';
import { RefusedAnswer, serve } from '../../testing/server.ts';
import { usePopups } from '../../ui/overlay/popups.ts';
import { accountQueries } from './queries.ts';

const ask = (user = aUser()) => cacheWith({ user }).fetchQuery({ ...accountQueries.user(), staleTime: 0 });
const messages = () => usePopups.getState().waiting.map((popup) => (popup.kind === 'message' ? popup.message : null));

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('loading the user', () => {
  it('a refusal signs the shown user out [ERR-27]', async () => {
    for (const status of [401, 404, 500]) {
      serve({ 'GET /api/user': new RefusedAnswer(status) });
      expect(await ask()).toBeNull();
    }
  });

  it('a failure is shown; a missing session is no failure [ERR-28]', async () => {
    serve({ 'GET /api/user': new RefusedAnswer(401) });
    expect([await ask(), messages()]).toEqual([null, []]);
    serve({ 'GET /api/user': new RefusedAnswer(500) });
    expect([await ask(), messages()]).toEqual([null, ['Помилка на сервері. Спробуйте трохи згодом.']]);
  });

  it('is repeated when the network is back', async () => {
    serve({ 'GET /api/user': new RefusedAnswer(503, { code: 'maintenance' }) });
    const queryClient = cacheWith();
    queryClient.mount();
    const observer = new QueryObserver(queryClient, { ...accountQueries.user(), staleTime: 0, networkMode: 'always' });
    const stop = observer.subscribe(() => undefined);
    await vi.waitFor(() => expect(observer.getCurrentResult().isError).toBe(true));
    serve({ 'GET /api/user': aUser() });
    onlineManager.setOnline(false);
    onlineManager.setOnline(true);
    await vi.waitFor(() => expect(observer.getCurrentResult().data?.id).toBe(aUser().id));
    stop();
    queryClient.unmount();
  });

  it('no answer leaves the shown user signed in', async () => {
    serve({});
    vi.useFakeTimers();
    const queryClient = cacheWith({ user: aUser() });
    const asked = expect(queryClient.fetchQuery({ ...accountQueries.user(), staleTime: 0 })).rejects.toThrow(
      'no answer',
    );
    await vi.advanceTimersByTimeAsync(10_000);
    await asked;
    expect(queryClient.getQueryData(accountQueries.user().queryKey)).toEqual(aUser());
    expect(messages()).toEqual([]);
  });
});
