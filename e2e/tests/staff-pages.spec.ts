import { checkAccessibility } from '../support/accessibility.ts';
import { picture } from '../support/picture.ts';
import { test } from '../support/reader.ts';
import { expect, fitsNarrowPhone, open, people } from '../support/test.ts';

/** Pages of staff as they are, without a change: all of them in one page of the browser. */
const longTimeout = { timeout: 60_000 };
const desktop = { width: 1440, height: 900 };

/** The staff pages that need no item, each with a text that is there once its data is. */
const backOfficePages = {
  '/admin/operations': /Знайдено/,
  '/admin/users': /\+380\d{9}/,
  '/admin/feedback': /відгук/,
  '/admin/cases': /Усі відкриті/,
  '/admin/stats?period=month': /Станції з найбільшою енергією/,
  '/admin/money': /Потребує рішення|Тут нічого не чекає|Що зробити/,
  '/admin/anomalies': /e-sma-01/,
  '/admin/terminator': /Перевірено/,
  '/admin/counters': /e-scv-01/,
  '/admin/system': /Перевірено/,
  '/admin/audit': /Записи не змінюються/,
  '/admin/reasons': /Зарядка не почалася/,
  '/admin/shutdown': /Стан сервісу/,
} as const;

for (const [path, shown] of Object.entries(backOfficePages)) {
  test(`${path}: axe finds nothing in either theme, and nothing scrolls sideways at 320 px`, async ({
    page,
    signIn,
  }) => {
    test.setTimeout(180_000);
    await signIn(people.superAdmin);
    await page.setViewportSize(desktop);
    await open(page, path);
    await expect(page.getByText(shown).first()).toBeVisible(longTimeout);
    await checkAccessibility(page);
    await fitsNarrowPhone(page);
    await expect(page.getByText(shown).first()).toBeAttached();
    await checkAccessibility(page);
  });
}

const networkPages = [
  '/admin/network',
  '/admin/network/charge-points',
  '/admin/network/sites',
  '/admin/network/stations/F1400/report',
];

for (const path of networkPages) {
  test(`${path}: axe finds nothing, and nothing scrolls sideways at 320 px in any language [I18N-01]`, async ({
    page,
    signIn,
  }) => {
    await signIn(people.superAdmin);
    await open(page, path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await checkAccessibility(page);
    await picture(page, path.slice(1).replaceAll('/', '-'));
    await fitsNarrowPhone(page, async (language) => {
      if (process.env.SHOTS)
        await page.screenshot({
          path: `${process.env.SHOTS}/${path.slice(1).replaceAll('/', '-')}-320-${language}.png`,
          fullPage: true,
        });
    });
  });
}

/** Lists and their first item, on a laptop; on a phone they are checked while the network is built. */
const laptopScreens = [
  ['stations', 'stations/F1400'],
  ['stations/new', null],
  ['tariffs', 'first'],
  ['promotions', 'year'],
  ['parties', 'first'],
  ['rfid', null],
  ['import', null],
] as const;

for (const [screen, then] of laptopScreens) {
  test(`/admin/network/${screen} on a laptop: axe finds nothing in either theme`, async ({ page, signIn }) => {
    test.setTimeout(120_000);
    const shown = async () => {
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible({ timeout: 60_000 });
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0, { timeout: 60_000 });
    };
    await signIn(people.superAdmin);
    await page.setViewportSize({ width: 1440, height: 900 });
    await open(page, `/admin/network/${screen}`);
    await shown();
    await checkAccessibility(page);
    if (then === null) return;
    if (then === 'first') {
      await page.locator('main :is([data-row], ul a):not(nav *)').first().click();
      await expect(page).toHaveURL(new RegExp(`/admin/network/${screen}/\\d+$`));
    } else if (then === 'year') {
      await page.getByRole('group').first().locator('label').nth(1).click();
    } else {
      await open(page, `/admin/network/${then}`);
    }
    await shown();
    await checkAccessibility(page);
  });
}
