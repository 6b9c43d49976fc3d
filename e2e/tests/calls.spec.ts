import type { Page, Request } from '@playwright/test';
import { anyPage, expect, open, people, test, withoutFirstAnswers } from '../support/test.ts';

const banned = { message: 'This account is blocked.', code: 'banned' };
const bannedText = 'Цей акаунт заблоковано';

/**
 * Makes the page send a signed request: it signs a banned user out. It learns of the ban by the next request of the
 * user, which it sends when the driver returns to the tab after a while.
 */
async function loadBan(page: Page): Promise<void> {
  await page.route('**/api/user', (route) => route.fulfill({ status: 403, json: banned }));
  await page.clock.fastForward('02:00');
  await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
  await expect(page.getByRole('dialog', { name: new RegExp(bannedText) })).toBeVisible();
}

const isSignOut = (request: Request) => request.method() === 'DELETE' && request.url().endsWith('/api/logout');

test('the CSRF cookie is fetched at the start, and all calls go to one host with credentials [API-01] [API-03]', async ({
  page,
  signIn,
  site,
}) => {
  await signIn(people.driver);
  const requests: Request[] = [];
  const keep = (request: Request) => requests.push(request);
  page.on('request', keep);
  await open(page, anyPage);
  // The last request that a page sends by itself.
  const negotiated = page.waitForRequest((request) => {
    const isLast = request.url().endsWith('/api/negotiate');
    if (isLast) page.off('request', keep);
    return isLast;
  });
  requests.push(await negotiated);

  expect(requests.filter((request) => !request.url().startsWith(`${site}/`)).map((request) => request.url())).toEqual(
    [],
  );
  const calls = requests.filter((request) => /\/(api|sanctum)\//.test(request.url()));
  // The cookies of a request are known only after it was sent.
  await Promise.all(calls.map((call) => call.response()));
  expect(calls[0]?.url()).toBe(`${site}/sanctum/csrf-cookie`);
  for (const call of calls) {
    const { cookie = '' } = await call.allHeaders();
    expect([call.url(), cookie]).toEqual([call.url(), expect.stringContaining('XSRF-TOKEN=')]);
  }
});

test.describe('a mutating request', () => {
  // The real-time connection of an ended session is refused too.
  test.use({
    expectedConsoleError: /status of (401|403|419) .*\/api\/(user|logout|negotiate)$|WebSocket connection to .* failed/,
  });

  test.beforeEach(async ({ page, signIn }) => {
    await signIn(people.driver);
    await page.clock.install();
    const texts = page.waitForResponse(
      async (response) => response.url().endsWith('.js') && (await response.text()).includes(bannedText),
    );
    await open(page, anyPage);
    // The texts of refusals come with the idle tasks of the page. An earlier refusal is shown in general terms.
    await page.clock.fastForward('00:10');
    await texts;
    // The answer is not enough: the page has the texts some tasks after their file has run, and shows no sign of it.
    await page.waitForTimeout(1_500);
  });

  test('has a signature that the server accepts [API-02]', async ({ page }) => {
    const sent = page.waitForRequest(isSignOut);
    await loadBan(page);
    const request = await sent;
    expect(request.postDataJSON()).toEqual({
      signature: expect.stringMatching(/^v1\.\d{13}\.[\w-]{22}\.[\w-]{43}$/),
    });
    expect((await request.response())?.status()).toBe(204);
  });

  test('fetches the cookie again and is repeated once when the token is refused [ERR-03]', async ({
    page,
    context,
    site,
  }) => {
    const outcomes: string[] = [];
    page.on('response', (response) => {
      const path = new URL(response.url()).pathname;
      if (isSignOut(response.request()) || path === '/sanctum/csrf-cookie')
        outcomes.push(`${response.status()} ${path}`);
    });
    await context.addCookies([{ name: 'XSRF-TOKEN', value: 'of-another-session', url: site }]);
    await loadBan(page);
    await expect.poll(() => outcomes).toEqual(['419 /api/logout', '204 /sanctum/csrf-cookie', '204 /api/logout']);
  });

  test('is signed again once with the right time when the clock is wrong [API-06]', async ({ page }) => {
    const outcomes: number[] = [];
    page.on('response', (response) => {
      if (isSignOut(response.request())) outcomes.push(response.status());
    });
    await page.clock.fastForward('30:00');
    await loadBan(page);
    await expect.poll(() => outcomes).toEqual([403, 204]);
  });
});

test.describe('while the service is down', () => {
  test.use({ expectedConsoleError: /status of 503/ });
  const maintenance = {
    message: 'The application is currently unavailable due to maintenance work',
    code: 'maintenance',
  };

  test('pages redirect to /offline, sign-in and the back office stay open [ERR-02]', async ({ page, signIn }) => {
    await signIn(people.superAdmin);
    await withoutFirstAnswers(page);
    await page.route('**/api/is-down', (route) =>
      route.fulfill({ json: { is_down: true, start_time: null, end_time: null, text: null } }),
    );
    await page.route('**/api/user', (route) => route.fulfill({ status: 503, json: maintenance }));

    await open(page, '/map');
    await expect(page).toHaveURL(/\/offline$/);
    await expect(page.getByRole('heading', { name: 'FPay на технічних роботах' })).toBeVisible();
    await open(page, '/auth');
    await expect(page).toHaveURL(/\/auth$/);
    await open(page, '/admin/users');
    await expect(page).toHaveURL(/\/admin\/users$/);
  });

  test('the page shows that and redirects when it is over [ERR-01] [OFF-05] [OFF-06]', async ({ page }) => {
    let isDown = true;
    await page.addInitScript("localStorage.setItem('fpay.language', 'en')");
    await page.route('**/api/is-down', (route) =>
      route.fulfill({ json: { is_down: isDown, start_time: null, end_time: null, text: null } }),
    );
    await open(page, '/offline');
    await expect(page.getByRole('main')).toContainText(
      'The application is currently unavailable due to maintenance work',
    );
    await expect(page.getByRole('main')).toContainText('as soon as possible');
    isDown = false;
    await page.getByRole('button', { name: 'Check again' }).click();
    await expect(page).toHaveURL(/\/$/);
  });

  test('/offline redirects to the map at once when the service is up [OFF-06]', async ({ page }) => {
    await page.goto('/offline');
    await expect(page).toHaveURL(/\/$/);
  });
});

test.describe(() => {
  // Any call that the page sends after the session has ended.
  test.use({ expectedConsoleError: /status of 401 .*\/api\// });

  test('a page that needs a session redirects to sign-in after the session ended elsewhere', async ({
    page,
    context,
    signIn,
  }) => {
    await signIn(people.driver);
    await page.clock.install();
    await open(page, '/account');
    await context.clearCookies();
    await page.clock.fastForward('02:00');
    // The page may notice it by itself before the press.
    await page
      .getByRole('button', { name: 'Відкрити меню' })
      .click({ timeout: 5_000 })
      .catch(() => undefined);
    await expect(page).toHaveURL(/\/auth$/);
  });
});
