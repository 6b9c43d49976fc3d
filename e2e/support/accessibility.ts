import type { Page } from '@playwright/test';
import axe from 'axe-core';
import { expect } from './test.ts';

/** What axe reports in the page; only what the message of a failed test needs. */
interface Violation {
  id: string;
  nodes: { html: string }[];
}

/** What a theme can change: the colours. The elements are the same, so the other rules need one theme only. */
const colours = ['color-contrast', 'link-in-text-block'];

const themes = [
  { colorScheme: 'light', runOnly: null },
  { colorScheme: 'dark', runOnly: colours },
] as const;

/**
 * Checks the page as it is shown with every rule of axe, and its colours in both themes. The page has no frames of other
 * documents, so axe runs in it directly: `@axe-core/playwright` sends the library again and opens a further page for each
 * check, which takes ten times as long as the rules themselves.
 */
export async function checkAccessibility(page: Page): Promise<void> {
  // A page that waits for its code or its data has no heading yet.
  await expect(page.locator('h1, [role=heading][aria-level="1"]').first()).toBeAttached();
  await expect(page.getByTestId('waiting')).toHaveCount(0);
  for (const { colorScheme, runOnly } of themes) {
    await page.emulateMedia({ colorScheme });
    if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
    const violations = await page.evaluate<Violation[]>(
      `axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], ...(runOnly ? { runOnly } : {}) })}).then(({ violations }) =>
        violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) })))`,
    );
    expect(violations.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes[0]?.html}`)).toEqual([]);
  }
}
