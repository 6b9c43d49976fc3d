import { test as base, expect, type Page } from '@playwright/test';
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
      page.on('pageerror', (error) => consoleErrors.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error') consoleErrors.push(`${message.text()} ${message.location().url}`);
      });
      await use(undefined);
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
      // The account's language follows what any test chose last, so this device has chosen its own.
      await context.addInitScript("if (location.origin !== 'null') localStorage['fpay.language'] ??= 'uk'");
    });
  },
});

/** Any address shows the shell; this one loads nothing else. */
export const anyPage = '/nowhere';

/** Waits until the first page is shown and the loading animation is gone. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('main')).toBeAttached();
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

/** Sets the language as if the driver had chosen it on an earlier visit. */
export async function setLanguage(page: Page, language: 'uk' | 'en' | 'pl'): Promise<void> {
  await page.addInitScript(`localStorage.setItem('fpay.language', '${language}')`);
}

export { expect };
