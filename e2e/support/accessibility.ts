import type { Page } from '@playwright/test';
import axe from 'axe-core';
import { expect } from './test.ts';

/** What axe reports in the page; only what the message of a failed test needs. */
interface Violation {
  id: string;
  nodes: { html: string }[];
}

/** What a theme can change: the colours. The elements are the same, so the other rules need one theme only. */
const colourRules = ['color-contrast', 'link-in-text-block'];

const everyRule = [
  { colorScheme: 'light', rules: {} },
  { colorScheme: 'dark', runOnly: colourRules },
] as const;
const structure = [
  { colorScheme: 'light', rules: Object.fromEntries(colourRules.map((rule) => [rule, { enabled: false }])) },
] as const;

/**
 * The colours are half of axe's work. `apps/web/src/ui/styles/contrast.test.ts` proves their pairs for all pages, so axe looks at them on
 * some pages only, and on all of them in `npm test -- --all`.
 */
const runsAll = process.env.TEST_ALL === '1';

/**
 * Checks the page as it is shown with the rules of axe, and with `colours` also its colours in both themes. The page has no frames of other
 * documents, so axe runs in it directly: `@axe-core/playwright` sends the library again and opens a further page for each
 * check, which takes ten times as long as the rules themselves.
 */
export async function checkAccessibility(page: Page, { colours = runsAll } = {}): Promise<void> {
  // A page that waits for its code or its data has no heading yet.
  await expect(page.locator('h1, [role=heading][aria-level="1"]').first()).toBeAttached();
  await expect(page.getByTestId('waiting')).toHaveCount(0);
  for (const { colorScheme, ...options } of colours ? everyRule : structure) {
    await page.emulateMedia({ colorScheme });
    await coloursAreStill(page);
    if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
    const violations = await page.evaluate<Violation[]>(
      `axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], ...options })}).then(({ violations }) =>
        violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) })))`,
    );
    expect(violations.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes[0]?.html}`)).toEqual([]);
  }
}

/** Buttons change their colours gradually, so right after a change of the theme axe would measure a colour that is in neither theme. */
async function coloursAreStill(page: Page): Promise<void> {
  await page.evaluate(`Promise.allSettled(
    document.getAnimations().filter((one) => one instanceof CSSTransition).map(({ finished }) => finished)).then(() => {})`);
}
