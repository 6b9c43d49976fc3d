import { beforeEach, describe, expect, it, vi } from 'vitest';

/** A newly opened page: modules are loaded again, storage stays. */
async function openPage() {
  vi.resetModules();
  const i18n = await import('./i18n.ts');
  await i18n.startI18n();
  return i18n;
}

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal('navigator', { ...navigator, language: 'uk-UA' });
});

describe('the language of the page', () => {
  it.each([
    ['uk-UA', 'uk', 'Ви впевнені?'],
    ['en-US', 'en', 'Are you sure?'],
    ['pl', 'pl', 'Na pewno?'],
    ['xx-XX', 'uk', 'Ви впевнені?'],
  ])(
    'is the one of the browser on the first visit, if it is ours: %s gives %s [I18N-02]',
    async (tag, code, sentence) => {
      vi.stubGlobal('navigator', { ...navigator, language: tag });
      const { currentLanguage, text } = await openPage();
      expect(currentLanguage()).toBe(code);
      expect(text('generic:youSure')).toBe(sentence);
      expect(document.documentElement.lang).toBe(code);
    },
  );

  it('changes when chosen, and is stored for the next visit', async () => {
    const { chooseLanguage, text } = await openPage();
    await chooseLanguage('pl');
    expect(text('generic:youSure')).toBe('Na pewno?');
    expect(document.documentElement.lang).toBe('pl');
    expect((await openPage()).currentLanguage()).toBe('pl');
  });

  it('follows the one that is chosen in another tab', async () => {
    const { text } = await openPage();
    localStorage.setItem('fpay.language', 'pl');
    dispatchEvent(new StorageEvent('storage', { key: 'fpay.language', newValue: 'pl' }));
    await vi.waitFor(() => expect(text('generic:youSure')).toBe('Na pewno?'));
    expect(document.documentElement.lang).toBe('pl');
  });

  it('falls back to Ukrainian when the stored value is unknown', async () => {
    localStorage.setItem('fpay.language', 'xx');
    expect((await openPage()).currentLanguage()).toBe('uk');
  });

  it.each([
    ['uk', ['Триває 1 сесія', 'Тривають 3 сесії', 'Триває 5 сесій', 'Триває 21 сесія']],
    ['en', ['1 session in progress', '3 sessions in progress', '5 sessions in progress', '21 sessions in progress']],
    ['pl', ['Trwa 1 sesja', 'Trwają 3 sesje', 'Trwa 5 sesji', 'Trwa 21 sesji']],
  ] as const)('has the plural forms of %s', async (language, expected) => {
    const { chooseLanguage, text } = await openPage();
    await chooseLanguage(language);
    expect([1, 3, 5, 21].map((count) => text('menu:openSessions', { count }))).toEqual(expected);
  });
});

describe('the texts of a page', () => {
  it('are loaded with the page, in the present language', async () => {
    localStorage.setItem('fpay.language', 'pl');
    const { loadTexts, text } = await openPage();
    expect(text('station:all', { number: 3 })).toBe('all');
    await loadTexts(['station']);
    expect(text('station:all', { number: 3 })).toContain('3');
  });

  it('change their language together with the shell', async () => {
    const { chooseLanguage, loadTexts, text } = await openPage();
    await loadTexts(['status']);
    const ukrainian = text('status:ongoing');
    await chooseLanguage('en');
    expect(text('status:ongoing')).not.toBe(ukrainian);
    expect(text('generic:youSure')).toBe('Are you sure?');
  });

  it('for a refusal that came before them are general, never a key', async () => {
    const { text } = await openPage();
    expect(text('refusals:connectorTaken')).toBe(text('generic:somethingWrongText'));
  });

  it('of the last chosen language are shown, in any order of arrival', async () => {
    const { chooseLanguage, currentLanguage } = await openPage();
    await Promise.all([chooseLanguage('en'), chooseLanguage('pl')]);
    expect(currentLanguage()).toBe('pl');
  });

  it('report the language to the server, so that the next page has its texts', async () => {
    const { chooseLanguage } = await openPage();
    await chooseLanguage('en');
    expect(document.cookie).toContain('fpay_language=en');
  });
});
