import type { Page } from '@playwright/test';

/** Longer than any pause between two requests of a loading page, but shorter than the delay of deferred requests. */
const quietMs = 2000;

/** Opens a page and counts the bytes of JavaScript on the network until the page is idle. */
export async function javaScriptOf(page: Page, url: string): Promise<{ bytes: number; files: string[] }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  const scripts = new Map<string, { file: string; bytes: number }>();
  cdp.on('Network.responseReceived', ({ requestId, response: { url, mimeType, headers } }) => {
    if (!/javascript/.test(mimeType)) return;
    // Files are sent from disk without streaming, so each answer has a content length.
    const bytes = Number(headers['content-length']);
    if (!(bytes > 0)) throw new Error(`${url} has no content-length`);
    scripts.set(requestId, { file: new URL(url).pathname, bytes });
  });
  await page.goto(url);
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(quietMs);
  await cdp.detach();
  const all = [...scripts.values()];
  return { bytes: all.reduce((sum, { bytes }) => sum + bytes, 0), files: all.map(({ file }) => file) };
}
