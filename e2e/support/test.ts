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
  signIn: async ({ context, site }, use) => {
    await use(async (phone) => {
      const client = createClient(site);
      const { status } = await client.mutate('POST', '/api/login', { phone_number: phone, password: demoPassword });
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

/** As if the driver had chosen it on an earlier visit. */
export async function speak(page: Page, language: 'uk' | 'en' | 'pl'): Promise<void> {
  await page.addInitScript(`localStorage.setItem('fpay.language', '${language}')`);
}

export { expect };
