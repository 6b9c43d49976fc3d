import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cameraVideo } from '../../apps/web/src/testing/camera-video.ts';
import { checkAccessibility } from '../support/accessibility.ts';
import { expect, fitsNarrowPhone, open, people, test } from '../support/test.ts';

/** The camera first shows a foreign code, then one of ours. */
async function film(site: string): Promise<string> {
  const scenes = [
    { code: 'https://other.example/station/F1400', seconds: 6 },
    { code: `https://${new URL(site).host}/qr/mall15`, seconds: 6 },
  ];
  const file = join(await mkdtemp(join(tmpdir(), 'fpay-camera-')), 'camera.y4m');
  await writeFile(file, Buffer.concat(cameraVideo(scenes)));
  return file;
}

const withCamera = test.extend<object, { camera: string }>({
  camera: [
    // biome-ignore lint/correctness/noEmptyPattern: the way to say that it needs nothing.
    async ({}, use) => {
      const file = await film(process.env.FPAY_URL ?? '');
      await use(file);
      await rm(join(file, '..'), { recursive: true });
    },
    { scope: 'worker' },
  ],
  launchOptions: [
    async ({ launchOptions, camera }, use) => {
      const args = [
        '--use-fake-ui-for-media-stream',
        '--use-fake-device-for-media-stream',
        `--use-file-for-fake-video-capture=${camera}`,
      ];
      await use({ ...launchOptions, args: [...(launchOptions.args ?? []), ...args] });
    },
    { scope: 'worker' },
  ],
});

withCamera(
  'the camera refuses a foreign code, then reads ours and opens its station [QR-04] [QR-05] [QR-06]',
  async ({ page, signIn }) => {
    await signIn(people.driver);
    await open(page, '/qr');
    await page.getByRole('dialog', { name: 'Це не наш QR-код!' }).getByRole('button', { name: 'OK' }).click();
    await expect(page).toHaveURL(/\/station\/v\/F1500$/, { timeout: 30_000 });
    await expect(page.getByRole('heading', { name: 'F1500' })).toBeVisible();
  },
);

withCamera('the scanner looks the same in both themes, and axe finds nothing [QR-01]', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open(page, '/qr');
  await expect(page.getByText('Шукаємо код')).toBeAttached();
  await page.getByRole('dialog').getByRole('button', { name: 'OK' }).click();
  await checkAccessibility(page);
});

test('without a camera the number leads to the station, back leads to the last page [QR-02]', async ({
  page,
  signIn,
}) => {
  await signIn(people.driver);
  await open(page, '/active');
  await page.getByRole('link', { name: 'Сканувати QR' }).click();
  await expect(page.getByRole('heading', { name: 'Камери не знайдено' })).toBeVisible();
  await page.getByRole('button', { name: 'Назад' }).click();
  await expect(page).toHaveURL(/\/active$/);
  await page.goto('/qr');
  await page.getByRole('button', { name: 'Ввести номер станції' }).click();
  await page.getByRole('textbox', { name: 'Номер' }).fill('1400');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'F1400' })).toBeVisible();
});

test.describe(() => {
  test.use({ expectedConsoleError: /404 \(Not Found\) .*\/api\/station\/F1500$/ });

  test('a virtual station’s number, typed by hand, leads to the virtual station [STN-05]', async ({ page, signIn }) => {
    await signIn(people.driver);
    await open(page, '/qr');
    await page.getByRole('button', { name: 'Ввести номер станції' }).click();
    await page.getByRole('textbox', { name: 'Номер' }).fill('1500');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/station\/v\/F1500$/);
    await expect(page.getByRole('heading', { name: 'F1500' })).toBeVisible();
  });
});

test.describe(() => {
  test.use({ expectedConsoleError: /404 \(Not Found\) .*\/api\/link\/nothing$/ });

  test('an unknown printed link shows the 404 page [QR-07]', async ({ page }) => {
    await open(page, '/qr/nothing');
    await expect(page).toHaveURL(/\/404$/);
    await expect(page.getByRole('heading', { name: '404' })).toBeVisible();
  });
});

test('the scanner without a camera: axe finds nothing, and nothing scrolls sideways at 320 px', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open(page, '/qr');
  await expect(page.getByRole('heading', { name: 'Камери не знайдено' })).toBeVisible();
  await checkAccessibility(page);
  await fitsNarrowPhone(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Ввести номер станції' }).click();
  await checkAccessibility(page);
  await fitsNarrowPhone(page);
});
