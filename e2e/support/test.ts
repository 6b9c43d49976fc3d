import { test as base, expect, type Page } from '@playwright/test';
import { demoPassword } from '../../apps/server/src/demo/accounts.ts';
import { createClient } from '../../apps/server/src/testing/client.ts';

/** Of the demo's accounts. */
export const people = {
  driver: '+380500000001',
  partyOwner: '+380500000003',
  analytic: '+380500000010',
  superAdmin: '+380500000014',
} as const;

interface Fixtures {
  /** Where the product is. */
  site: string;
  /** Where the browser seems to be: limits that count strangers at one address do not add tests up. */
  address: string;
  /** What the console may complain about in this test: failures the test itself provokes. */
  expectedComplaint: RegExp;
  /** Fails the test on anything else the browser complains about, content security policy included. */
  calm: undefined;
  /** Signs the browser in, past the sign-in page. */
  signIn: (phone: string) => Promise<void>;
}

/** A visitor's page asks who they are, and the browser reports each 401 it gets for that. */
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
  expectedComplaint: [/^(?!)/, { option: true }],
  calm: [
    async ({ page, expectedComplaint }, use) => {
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(`${message.text()} ${message.location().url}`);
      });
      await use(undefined);
      expect(complaints.filter((text) => !usual.test(text) && !expectedComplaint.test(text))).toEqual([]);
    },
    { auto: true },
  ],
  signIn: async ({ context, site, address }, use) => {
    await use(async (phone) => {
      const client = createClient(site);
      const credentials = { phone_number: phone, password: demoPassword };
      const headers = { 'x-forwarded-for': address };
      const { status } = await client.mutate('POST', '/api/login', credentials, { headers });
      expect(status).toBe(200);
      const cookies = Array.from(client.jar, ([name, value]) => ({ name, value, url: site }));
      await context.addCookies(cookies);
    });
  },
});

/** Any address shows the shell; this one needs nothing else. */
export const anyPage = '/nowhere';

/** The first page stands and the loading animation is gone. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('main')).toBeAttached();
}

/**
 * The server writes what a page asks first into the page itself. A test that answers those calls in the server's stead takes
 * them out, as if the server had been too slow to know: the page then asks by itself.
 */
export async function withoutFirstAnswers(page: Page): Promise<void> {
  await page.route('**/*', async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback();
    const response = await route.fetch();
    const html = (await response.text()).replace(/("answers":)\{.*\}(\}<\/script>)/, '$1{}$2');
    await route.fulfill({ response, body: html });
  });
}

/** As if the driver had chosen it on an earlier visit. */
export async function speak(page: Page, language: 'uk' | 'en' | 'pl'): Promise<void> {
  await page.addInitScript(`localStorage.setItem('fpay.language', '${language}')`);
}

export { expect };
