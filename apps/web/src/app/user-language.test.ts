import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { accountQueries } from '../features/account/queries.ts';
import { chooseLanguage, currentLanguage } from '../i18n/i18n.ts';
import { aGuest, aUser } from '../testing/people.ts';
import { cacheWith } from '../testing/render.tsx';
import { serve } from '../testing/server.ts';
import { keepLanguageStored } from './user-language.ts';

const call = 'POST /api/user/language';
const { queryKey } = accountQueries.user();
let server: ReturnType<typeof serve>;
let stop = () => {};

beforeEach(() => {
  server = serve({ [call]: null });
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

describe('the language of the page', () => {
  it.each([
    ['a guest', aGuest()],
    ['a driver', aUser()],
  ])('is stored with %s when it is switched', async (_, user) => {
    const queryClient = cacheWith({ user: { ...user, language: 'uk' } });
    stop = keepLanguageStored(queryClient);
    expect(server.times(call)).toBe(0);
    await chooseLanguage('pl');
    await vi.waitFor(() => expect(server.bodyOf(call)).toMatchObject({ language: 'pl' }));
    expect(queryClient.getQueryData(queryKey)?.language).toBe('pl');
  });

  it('is stored with a guest who has just been created', async () => {
    await chooseLanguage('en');
    const queryClient = cacheWith({ user: null });
    stop = keepLanguageStored(queryClient);
    queryClient.setQueryData(queryKey, { ...aGuest(), language: 'uk' });
    await vi.waitFor(() => expect(server.bodyOf(call)).toMatchObject({ language: 'en' }));
  });

  it('is the one of the account on a device where none was chosen', async () => {
    localStorage.clear();
    stop = keepLanguageStored(cacheWith({ user: { ...aUser(), language: 'pl' } }));
    await vi.waitFor(() => expect(currentLanguage()).toBe('pl'));
    expect(server.times(call)).toBe(0);
  });
});
