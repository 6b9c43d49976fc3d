import type { Page } from '@playwright/test';
import axe from 'axe-core';
import { expect } from './test.ts';

/** What axe reports in the page; only what the message of a failed test needs. */
interface Violation {
  id: string;
  nodes: { html: string }[];
}

/**
 * Checks the page as it is shown, in both themes, with every rule of axe. The page has no frames of other documents, so axe
 * runs in it directly: `@axe-core/playwright` sends the library again and opens a further page for each check, which takes
 * ten times as long as the rules themselves.
 */
export async function checkAccessibility(page: Page): Promise<void> {
  // A page that waits for its data has no heading yet.
  await expect(page.getByTestId('waiting')).toHaveCount(0);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
    const violations = await page.evaluate<Violation[]>(
      `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
        violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) })))`,
    );
    expect(violations.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes[0]?.html}`)).toEqual([]);
  }
}
