import type { BrowserContext } from '@playwright/test';
import { test as base } from './test.ts';

const phone = { width: 390, height: 844 };
/** Who is signed in there. */
const users = new WeakMap<BrowserContext, string>();

/**
 * For tests that change nothing, neither at the server nor in what the browser stores: those of a worker share one page, which goes from
 * one address to the next by itself. A load is two thirds of the work of a test with one page. After a failure Playwright begins another
 * worker, so a page that was left in a strange state is not used again.
 */
export const test = base.extend<object, { shared: BrowserContext }>({
  shared: [
    async ({ browser }, use, { project }) => {
      const { baseURL = '', locale = 'uk-UA', serviceWorkers = 'block' } = project.use;
      const context = await browser.newContext({ baseURL, locale, serviceWorkers, viewport: phone });
      await use(context);
      await context.close();
    },
    { scope: 'worker' },
  ],
  context: async ({ shared }, use) => use(shared),
  page: async ({ context }, use) => {
    const page = context.pages()[0] ?? (await context.newPage());
    await page.setViewportSize(phone);
    await page.emulateMedia({ colorScheme: null, reducedMotion: 'reduce' });
    await use(page);
  },
  signIn: async ({ context, signIn }, use) => {
    await use(async (user) => {
      if (users.get(context) === user) return;
      if (users.has(context)) throw new Error('a shared page belongs to one user of the demo');
      await signIn(user);
      users.set(context, user);
    });
  },
});
