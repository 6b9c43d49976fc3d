import { javaScriptOf } from '../support/javascript.ts';
import { expect, people, test } from '../support/test.ts';

const budgetBytes = 110 * 1024;
const heavy = /map-page|ol-|decode|overlay|browser-/;

test.describe('the first page', () => {
  test('of a station after a QR scan stays within its budget, without code of the map', async ({
    page,
    site,
    signIn,
  }) => {
    await signIn(people.driver);
    const { bytes, files } = await javaScriptOf(page, `${site}/station/F1001`);
    await expect(page.getByRole('heading', { name: 'F1001' })).toBeVisible();
    expect(bytes).toBeLessThanOrEqual(budgetBytes);
    expect(files.filter((file) => heavy.test(file))).toEqual([]);
  });

  test('of sign-in stays within its budget, without code of the map', async ({ page, site }) => {
    const { bytes, files } = await javaScriptOf(page, `${site}/auth`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(bytes).toBeLessThanOrEqual(budgetBytes);
    expect(files.filter((file) => heavy.test(file))).toEqual([]);
  });

  test('of a station contains its first data and requests nothing that it already has', async ({ page, signIn }) => {
    await signIn(people.driver);
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/api/')) asked.push(pathname);
    });
    // A slow server sends the page without its data, so a busy machine gets another attempt.
    await expect(async () => {
      asked.length = 0;
      const response = await page.goto('/station/F1001');
      expect(response?.headers()['cache-control']).toBe('no-store');
      expect((await response?.text()) ?? '').toContain('<p class="text-h1">F1001</p>');
    }).toPass();
    await expect(page.getByRole('heading', { name: 'F1001' })).toBeVisible();
    expect(asked).not.toContain('/api/user');
    expect(asked).not.toContain('/api/station/F1001');
  });

  test('that needs sign-in sends a visitor the code of the sign-in page at once', async ({ page, request }) => {
    const html = await (await request.get('/station/F1001')).text();
    expect(html).toMatch(/modulepreload[^>]*\/parts-of-sign-in-/);
    expect(html).not.toMatch(/\/station-page-/);
    await page.goto('/station/F1001');
    await expect(page).toHaveURL(/\/auth$/);
  });
});
