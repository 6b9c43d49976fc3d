import type { Page } from '@playwright/test';

/** Longer than any pause between what a page fetches by itself; shorter than what it leaves for later. */
const quietMs = 2000;

/** Opens a page and counts the JavaScript that crosses the network for it, as served, until the page rests. */
export async function javaScriptOf(page: Page, url: string): Promise<{ bytes: number; files: string[] }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  const scripts = new Map<string, { file: string; bytes: number }>();
  cdp.on('Network.responseReceived', ({ requestId, response: { url, mimeType, headers } }) => {
    if (!/javascript/.test(mimeType)) return;
    // Files are sent as they lie on the disk, so each answer tells how long it is.
    const bytes = Number(headers['content-length']);
    if (!(bytes > 0)) throw new Error(`${url} does not say how long it is`);
    scripts.set(requestId, { file: new URL(url).pathname, bytes });
  });
  await page.goto(url);
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(quietMs);
  await cdp.detach();
  const all = [...scripts.values()];
  return { bytes: all.reduce((sum, { bytes }) => sum + bytes, 0), files: all.map(({ file }) => file) };
}
