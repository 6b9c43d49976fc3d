import type { Page } from '@playwright/test';
import { noMessages, openStation, openStatus, steps } from '../support/driver-screens.ts';
import { expect, open, people, setLanguage, test } from '../support/test.ts';

const ownPages = ['/account', '/balance', '/history', '/stats', '/cars', '/car/add', '/edit', '/icons', '/active'];
const openPages = ['/auth', '/reg', '/nowhere'];

/**
 * The controls that a driver cannot reach: scrolled into view, their centre is outside the screen, or something else
 * covers it.
 */
function unreachable(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const found = [];
    for (const control of document.querySelectorAll('a, button, input, select')) {
      const { width, height } = control.getBoundingClientRect();
      // Hidden controls: radio buttons under their labels.
      if (width < 2 || height < 2 || control.closest('.sr-only') || !control.checkVisibility()) continue;
      control.scrollIntoView({ block: 'center' });
      const box = control.getBoundingClientRect();
      const [x, y] = [box.left + box.width / 2, Math.max(box.top, 0) + Math.min(box.height, innerHeight) / 2];
      const top = document.elementFromPoint(x, y);
      const isOwn =
        top && (control.contains(top) || top.contains(control) || top.closest('label, div')?.contains(control));
      const isInside = box.left >= -1 && box.right <= innerWidth + 1;
      if (!isInside || !isOwn) {
        const name = control.getAttribute('aria-label') ?? control.textContent ?? '';
        found.push([name.trim().slice(0, 40), Math.round(box.left), Math.round(box.right), Math.round(y)].join(' '));
      }
    }
    return found;
  })()`);
}

async function enlarge(page: Page, percent: number): Promise<void> {
  await page.evaluate(`document.documentElement.style.fontSize = '${percent}%'`);
}

/** Texts that continue outside the screen. */
function cutOff(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`Array.from(document.querySelectorAll('main *, [role=dialog] *'))
    .filter((part) => part.checkVisibility() && !part.closest('.sr-only'))
    .filter((part) => part.getBoundingClientRect().right > innerWidth)
    .map((part) => part.textContent.slice(0, 40))
    .filter(Boolean)`);
}

for (const [size, percent] of [
  [{ width: 390, height: 844 }, 130],
  [{ width: 390, height: 844 }, 200],
  [{ width: 320, height: 568 }, 100],
  [{ width: 320, height: 568 }, 200],
] as const) {
  test(`every control is reachable at ${size.width} × ${size.height} with ${percent} % text`, async ({
    page,
    signIn,
  }) => {
    test.slow();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize(size);
    await setLanguage(page, percent === 130 ? 'pl' : 'uk');
    const check = async (path: string) => {
      await open(page, path);
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
      await enlarge(page, percent);
      expect(await unreachable(page), path).toEqual([]);
    };
    for (const path of openPages) await check(path);
    await signIn(people.driver);
    for (const path of ownPages) await check(path);
  });
}

test('the bar keeps its parts apart with 200 % text', async ({ page, signIn }) => {
  await signIn(people.driver);
  await open(page, '/account');
  await enlarge(page, 200);
  const boxes = await page
    .getByRole('banner')
    .locator(':scope > *')
    .evaluateAll((parts) =>
      parts
        .map((part) => part.getBoundingClientRect())
        .map(({ left, right, top, bottom }) => ({ left, right, top, bottom })),
    );
  for (const [index, one] of boxes.entries()) {
    expect(one.right).toBeLessThanOrEqual(390);
    for (const other of boxes.slice(index + 1)) {
      const isApart =
        one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top;
      expect(isApart, JSON.stringify([one, other])).toBe(true);
    }
  }
});

test('on the smallest phone the ways to pay, the presets and the error of an amount are above the dock, which stays in place', async ({
  page,
  signIn,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 320, height: 568 });
  await signIn(people.driver);
  await openStation(page, 'F1400');
  await steps.connector(page);
  await expect(page.getByRole('heading', { name: 'Як платитимете?' })).toBeVisible();
  expect(await unreachable(page)).toEqual([]);
  await steps.payment(page, 'card');
  const amount = page.getByRole('textbox');
  const pay = page.locator('[type=submit]');
  await expect(amount).toBeVisible();
  expect(await unreachable(page)).toEqual([]);
  const top = async () => Math.round((await pay.boundingBox())?.y ?? 0);
  const before = await top();
  await amount.fill('500');
  const error = page.getByText(/Неправильна сума/);
  await expect(error).toBeInViewport();
  expect(await top()).toBe(before);
  const box = await error.boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(before);
});

test('the ways to pay are not cut off with 200 % text', async ({ page, signIn }) => {
  await signIn(people.driver);
  await openStation(page, 'F1400');
  await steps.connector(page);
  await enlarge(page, 200);
  await expect(page.getByText(/Вистачить на/)).toBeVisible();
  await expect.poll(() => cutOff(page)).toEqual([]);
  await steps.payment(page, 'card');
  const amount = page.getByRole('textbox');
  for (const typed of ['200', '12.55', '100.55', '99999.55']) {
    await amount.fill(typed);
    // The field grows after the key, and again with the app's own font.
    const hidden = () => amount.evaluate((field) => field.scrollWidth - field.clientWidth);
    await expect.poll(hidden, { message: typed }).toBeLessThanOrEqual(0);
  }
});

test.describe(() => {
  test.use({ expectedConsoleError: noMessages });

  test('a running charge and the question before its stop are not cut off with 200 % text', async ({
    page,
    signIn,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await signIn(people.driver);
    await openStatus(page, { read_at: new Date().toISOString() });
    await enlarge(page, 200);
    await expect(page.getByTestId('energy')).toBeVisible();
    expect(await cutOff(page)).toEqual([]);
    await page.getByRole('button', { name: 'Зупинити зарядку' }).click();
    await expect(page.getByRole('dialog').getByText('Спишемо')).toBeVisible();
    // Text that is wider than its box continues outside of it, where the frame of the popup cuts it off.
    const cutSums = await page.evaluate<number[]>(
      "Array.from(document.querySelectorAll('[role=dialog] dd'), (sum) => sum.scrollWidth - sum.clientWidth)",
    );
    expect(cutSums).toEqual([0, 0, 0]);
    expect(await cutOff(page)).toEqual([]);
  });

  test('the sums of a finished charge are not cut off with 200 % text', async ({ page, signIn }) => {
    await signIn(people.driver);
    await openStatus(page, { status: 'finished', rating: 5, finished_at: '2026-11-15T05:40:57.000Z' });
    await enlarge(page, 200);
    await expect(page.getByText('Розблоковано на картці')).toBeVisible();
    expect(await cutOff(page)).toEqual([]);
  });
});

test('the pages of staff fit a phone with 200 % text', async ({ page, signIn }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await signIn(people.superAdmin);
  const fits = async (path: string) => {
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    await enlarge(page, 200);
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth'), { message: path }).toBe(390);
  };
  for (const path of ['/admin', '/admin/network/stations/F1400', '/admin/network/promotions']) {
    await open(page, path);
    await fits(path);
  }
  await open(page, '/admin/operations?status=closed');
  await page.locator('[data-row]').first().click();
  await expect(page.getByRole('button', { name: 'Зняти холд' })).toBeVisible();
  await fits('an operation');
  // The names in the bar stand beside each other.
  const names = await page.evaluate<{ left: number; right: number }[]>(
    "Array.from(document.querySelectorAll('nav.fixed span'), (name) => name.getBoundingClientRect().toJSON())",
  );
  expect(names).toHaveLength(4);
  for (const [index, { left }] of names.entries()) expect(left).toBeGreaterThanOrEqual(names[index - 1]?.right ?? 0);
});
