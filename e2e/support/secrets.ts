import type { Locator } from '@playwright/test';

/** A value of the list in a dialog that shows a password, a key or a token this once; the buttons beside it are not read. */
export const shownValue = (dialog: Locator, index: number): Promise<string> =>
  dialog.getByRole('definition').nth(index).locator('span').first().innerText({ timeout: 30_000 });
