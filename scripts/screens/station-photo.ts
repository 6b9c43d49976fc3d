import type { Page } from '@playwright/test';

/** A drawn charger on a parking lot by day and by night, as photos that staff upload. */
const sights = [
  { sky: '#9ecbea', ground: '#7d8a83', light: '#2fd07f' },
  { sky: '#14233b', ground: '#262d2a', light: '#7dffc0' },
] as const;

const drawing = ({ sky, ground, light }: (typeof sights)[number]) => `
  <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 900" style="display:block;width:1200px">
    <rect width="1200" height="900" fill="${sky}"/>
    <rect y="600" width="1200" height="300" fill="${ground}"/>
    <path d="M120 900 300 600M560 900 600 600M1000 900 900 600" stroke="#e6ebe5" stroke-width="14"/>
    <rect x="180" y="250" width="190" height="420" rx="26" fill="#f4f6f3"/>
    <rect x="212" y="290" width="126" height="92" rx="12" fill="#10201a"/>
    <rect x="180" y="420" width="190" height="22" fill="${light}"/>
    <path d="M370 470c120 20 70 210 240 170" fill="none" stroke="#10201a" stroke-width="18"/>
    <path d="M600 650c0-70 60-80 110-90l70-80h190l90 90c60 6 90 30 90 80v40H600z" fill="#3f6db5"/>
    <circle cx="720" cy="690" r="52" fill="#111"/><circle cx="1030" cy="690" r="52" fill="#111"/>
  </svg>`;

const station = '/admin/network/stations/F1400';
const photos = (page: Page) => page.locator('li:has(> div > img)');

/** Uploads them in the form of the station; taking the pictures again finds them there. */
export async function addPhotos(page: Page): Promise<void> {
  const pictures: Buffer[] = [];
  for (const sight of sights) {
    await page.setViewportSize({ width: 1200, height: 900 });
    await page.setContent(`<body style="margin:0">${drawing(sight)}`);
    pictures.push(await page.screenshot());
  }
  await page.goto(station);
  await page.locator('input[type=file]').waitFor({ state: 'attached' });
  if ((await photos(page).count()) > 0) return;
  const files = pictures.map((buffer, index) => ({ name: `F1400-${index + 1}.png`, mimeType: 'image/png', buffer }));
  await page.locator('input[type=file]').setInputFiles(files);
  await photos(page)
    .nth(sights.length - 1)
    .waitFor();
}

export async function showPhotos(page: Page): Promise<void> {
  await photos(page).last().scrollIntoViewIfNeeded();
  await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)');
}

export async function askToRemovePhoto(page: Page): Promise<void> {
  await showPhotos(page);
  await photos(page).first().getByRole('button').nth(1).click();
  await page.getByRole('dialog').waitFor();
}

/** The driver scrolls to the photos and opens one. */
export async function openPhoto(page: Page): Promise<void> {
  await page.locator('main button:has(img)').first().click();
  await page.getByRole('dialog').waitFor();
}
