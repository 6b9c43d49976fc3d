import { languages } from '@fpay/contract/languages';
import type { Language } from '@fpay/contract/person';
import { type BrowserContext, test as base, type ConsoleMessage, expect, type Page } from '@playwright/test';
import { demoPassword } from '../../apps/server/src/demo/accounts.ts';
import { createTestClient } from '../../apps/server/src/testing/client.ts';

/** Accounts of the demo. */
export const people = {
  driver: '+380500000001',
  partyOwner: '+380500000003',
  analytic: '+380500000010',
  superAdmin: '+380500000014',
} as const;

interface Fixtures {
  /** The address of the product. */
  site: string;
  /** The client address of the browser, so that limits per address do not count tests together. */
  address: string;
  /** Console errors that this test causes on purpose. */
  expectedConsoleError: RegExp;
  /** Fails the test on any other console error, including violations of the content security policy. */
  noConsoleErrors: undefined;
  /** Signs the browser in without the sign-in page. */
  signIn: (phone: string) => Promise<void>;
}

/** A visitor's page requests the user, and the browser logs the 401. */
const usual = /status of 401 \(Unauthorized\) .*\/api\/user$/;

export const test = base.extend<Fixtures>({
  site: async ({ baseURL }, use) => {
    if (!baseURL) throw new Error('The global setup started no product');
    await use(baseURL);
  },
  address: [
    async ({ context }, use) => {
      const address = `10.${[0, 0, 0].map(() => Math.floor(Math.random() * 256)).join('.')}`;
      await context.setExtraHTTPHeaders({ 'x-forwarded-for': address });
      await use(address);
    },
    { auto: true },
  ],
  expectedConsoleError: [/^(?!)/, { option: true }],
  noConsoleErrors: [
    async ({ page, expectedConsoleError }, use) => {
      const consoleErrors: string[] = [];
      const onPageError = (error: Error) => consoleErrors.push(String(error));
      const onConsole = (message: ConsoleMessage) => {
        if (message.type() === 'error') consoleErrors.push(`${message.text()} ${message.location().url}`);
      };
      page.on('pageerror', onPageError);
      page.on('console', onConsole);
      await use(undefined);
      // The page may be used by the next test, too.
      page.off('pageerror', onPageError);
      page.off('console', onConsole);
      expect(consoleErrors.filter((text) => !usual.test(text) && !expectedConsoleError.test(text))).toEqual([]);
    },
    { auto: true },
  ],
  signIn: async ({ context, site, address }, use) => {
    await use(async (phone) => {
      const client = createTestClient(site);
      const credentials = { phone_number: phone, password: demoPassword };
      const headers = { 'x-forwarded-for': address };
      const { status } = await client.mutate('POST', '/api/login', credentials, { headers });
      expect(status).toBe(200);
      const cookies = Array.from(client.jar, ([name, value]) => ({ name, value, url: site }));
      await context.addCookies(cookies);
      signedInAfterLoad.add(context);
      // The account's language follows what any test chose last, so this device has chosen its own.
      await context.addInitScript("if (location.origin !== 'null') localStorage['fpay.language'] ??= 'uk'");
    });
  },
});

/** Any address shows the shell; this one loads nothing else. */
export const anyPage = '/nowhere';

/** The app learns who uses it when it is loaded. */
const signedInAfterLoad = new WeakSet<BrowserContext>();

/** Loads the page from the server, and waits until it is shown and the loading animation is gone. */
export async function load(page: Page, path: string): Promise<void> {
  signedInAfterLoad.delete(page.context());
  await page.goto(path);
  await expect(page.getByRole('main')).toBeAttached();
}

/**
 * Opens a page as its reader would: the first one is loaded, and the app goes to the others by itself, which takes a
 * tenth of the work. `load` is for a test of the load itself, and for what was changed past the app meanwhile.
 */
export async function open(page: Page, path: string): Promise<void> {
  const isFirst = signedInAfterLoad.has(page.context()) || !(await isOtherPageOfApp(page, path));
  if (isFirst || !(await navigateInApp(page, path))) return load(page, path);
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0, { timeout: 60_000 });
}

async function isOtherPageOfApp(page: Page, path: string): Promise<boolean> {
  if (page.url() === 'about:blank') return false;
  return page.evaluate<boolean>(
    `location.pathname !== ${JSON.stringify(path.replace(/[?#].*/, ''))} && Boolean(history.state?.key && document.querySelector('main'))`,
  );
}

/** As after a link: one entry more in the history. False when the shown page has not been replaced. */
export async function navigateInApp(page: Page, path: string): Promise<boolean> {
  await page.evaluate(`{
    const headings = document.querySelectorAll('main h1');
    for (const part of headings.length ? headings : document.querySelectorAll('main > *')) part.dataset.left = '';
    const { index = 0 } = history.state;
    const key = Math.random().toString(36).slice(2);
    history.pushState({ state: null, key, index: index + 1, depth: 0 }, '', ${JSON.stringify(path)});
    dispatchEvent(new PopStateEvent('popstate'));
  }`);
  return page
    .locator('[data-left]')
    .first()
    .waitFor({ state: 'detached', timeout: 5_000 })
    .then(
      () => true,
      () => false,
    );
}

/**
 * The server embeds the first answers in the page. A test that mocks those calls removes the embedded answers, so that
 * the page sends the requests itself, as after a slow server.
 */
export async function withoutFirstAnswers(page: Page): Promise<void> {
  await page.route('**/*', async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback();
    const response = await route.fetch();
    const html = (await response.text()).replace(/("answers":)\{.*\}(\}<\/script>)/, '$1{}$2');
    await route.fulfill({ response, body: html });
  });
}

/**
 * Sets the language as if the driver had chosen it on an earlier visit, or in another tab when the app is open in this
 * one.
 */
export async function setLanguage(page: Page, language: Language): Promise<void> {
  await page.addInitScript(`localStorage.setItem('fpay.language', '${language}')`);
  if (page.url() === 'about:blank') return;
  await page.evaluate(`{
    localStorage.setItem('fpay.language', '${language}');
    dispatchEvent(new StorageEvent('storage', { key: 'fpay.language', newValue: '${language}' }));
  }`);
  await expect(page.locator('html')).toHaveAttribute('lang', language);
}

/**
 * Nothing scrolls sideways on the narrowest phone, in any language. The page stays open, as for a driver who changes the
 * language; `look` is called in each.
 */
export async function fitsNarrowPhone(page: Page, look?: (language: Language) => Promise<unknown>): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 });
  // Ukrainian is the last one, because the tests go on in it.
  for (const language of languages.toReversed()) {
    await setLanguage(page, language);
    await look?.(language);
    expect(await page.evaluate('document.documentElement.scrollWidth'), language).toBe(320);
  }
}

export { expect };
