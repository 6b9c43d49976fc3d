import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from '@playwright/test';
import config from '../e2e/playwright.config.ts';
import { ensureBrowser } from './browser.ts';

/** Draws the pictures of `apps/web/public` that systems want as pixels: `node scripts/icons.ts` after the mark changed. */
const folder = fileURLToPath(new URL('../apps/web/public/', import.meta.url));
const mark = /<g transform[^>]*>(.*)<\/g>/.exec(await readFile(`${folder}icon.svg`, 'utf8'))?.[1] ?? '';
const ink = '#0B1510';
const accent = '#22E07C';
const manrope = fileURLToPath(
  import.meta.resolve('@fontsource-variable/manrope/files/manrope-latin-wght-normal.woff2'),
);
const font = `data:font/woff2;base64,${(await readFile(manrope)).toString('base64')}`;

/** In a square of 24, drawn with a line of 2. */
const shortcuts = {
  scan: 'M3 8V5a2 2 0 0 1 2-2h3M16 3h3a2 2 0 0 1 2 2v3M21 16v3a2 2 0 0 1-2 2h-3M8 21H5a2 2 0 0 1-2-2v-3M7 12h10',
  map: 'M20 10c0 5-5.5 10.2-7.4 11.8a1 1 0 0 1-1.2 0C9.5 20.2 4 15 4 10a8 8 0 0 1 16 0ZM12 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z',
  sessions: 'M13 2 4 14h7l-1 8 9-12h-7l1-8Z',
};

const square = (size: number, content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="100%" height="100%">${content}</svg>`;
const withMark = (inset: number, radius: number) => {
  const scale = (48 + 2 * inset) / 48;
  return square(
    48,
    `<rect width="48" height="48" rx="${radius}" fill="${ink}"/><g transform="translate(24 24) scale(${1 / scale}) translate(-24.5 -24)">${mark}</g>`,
  );
};
const shortcut = (path: string) =>
  square(
    96,
    `<circle cx="48" cy="48" r="48" fill="${ink}"/><g transform="translate(24 24) scale(2)" fill="none" stroke="${accent}" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"><path d="${path}"/></g>`,
  );
const preview = `<style>@font-face{font-family:M;src:url(${font});font-weight:200 800}
  body{margin:0;background:${ink};color:#fff;font-family:M;display:flex;align-items:center;gap:64px;padding:0 96px;box-sizing:border-box;height:630px}
  p{margin:0;font-weight:800;font-size:148px;letter-spacing:-0.04em} i{display:block;width:150px;height:14px;border-radius:7px;background:${accent};margin-top:28px}</style>
  <div style="width:330px;height:330px">${square(48, mark)}</div><div><p>FPay</p><i></i></div>`;

const browser = await chromium.launch({
  executablePath: await ensureBrowser(),
  args: config.use?.launchOptions?.args ?? [],
});
try {
  await save('icon-maskable-192.png', await draw(browser, withMark(14, 0), 192));
  for (const [name, path] of Object.entries(shortcuts)) {
    await save(`shortcut-${name}.png`, await draw(browser, shortcut(path), 96));
  }
  await save('preview.png', await draw(browser, preview, 1200, 630));
  await save('favicon.ico', iconFile(await draw(browser, withMark(4, 11), 32), 32));
} finally {
  await browser.close();
}

async function draw(browser: Browser, content: string, width: number, height = width): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width, height } });
  await page.setContent(`<!doctype html><style>body{margin:0}</style>${content}`);
  await page.evaluate('document.fonts.ready');
  const picture = await page.screenshot({ omitBackground: true });
  await page.close();
  return picture;
}

/** An .ico with one PNG in it: a header of 6 bytes and an entry of 16. */
function iconFile(png: Buffer, size: number): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(size, 6);
  head.writeUInt8(size, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.byteLength, 14);
  head.writeUInt32LE(head.byteLength, 18);
  return Buffer.concat([head, png]);
}

async function save(name: string, bytes: Buffer): Promise<void> {
  await writeFile(`${folder}${name}`, bytes);
  console.log(`${name} ${Math.ceil(bytes.byteLength / 1024)} KB`);
}
