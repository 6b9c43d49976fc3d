import { defineConfig } from '@playwright/test';

const ownProduct = ['**/second-factor.spec.ts', '**/shutdown.spec.ts', '**/network-building.spec.ts'];

/** A product that was started elsewhere draws streets only with the tile server of the tests, at `STREETS_URL`. */
const withoutStreets = process.env.FPAY_URL && !process.env.STREETS_URL ? ['**/map-streets.spec.ts'] : [];

export default defineConfig({
  testDir: 'tests',
  outputDir: 'test-results',
  globalSetup: './support/setup.ts',
  forbidOnly: true,
  fullyParallel: true,
  // More than the two cores that it is measured on, because tests wait for the server, a charger or a pause most of the time.
  workers: 3,
  // Seconds are usually enough; a busy machine needs more.
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  // In this order: those with a product of their own need half a minute to start it, while others run beside them.
  projects: [
    { name: 'own product', testMatch: ownProduct },
    { name: 'demo', testIgnore: [...ownProduct, ...withoutStreets] },
  ],
  use: {
    // The global setup sets it after starting the product.
    baseURL: process.env.FPAY_URL,
    viewport: { width: 390, height: 844 },
    // The first visit follows the browser's language.
    locale: 'uk-UA',
    serviceWorkers: 'block',
    launchOptions: {
      executablePath: process.env.CHROME_PATH ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
