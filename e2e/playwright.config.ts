import { defineConfig } from '@playwright/test';

const ownProduct = ['**/second-factor.spec.ts', '**/network-building.spec.ts'];

export default defineConfig({
  testDir: 'tests',
  outputDir: 'test-results',
  globalSetup: './support/stack.ts',
  forbidOnly: true,
  fullyParallel: true,
  // More than the two cores that it is measured on, because tests wait for the server, a charger or a pause most of the time.
  workers: 3,
  // Seconds are usually enough; a busy machine needs more.
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  // In this order: the one with a product of its own needs half a minute to start it, while others run beside it.
  projects: [
    { name: 'own product', testMatch: ownProduct },
    { name: 'demo', testIgnore: ownProduct },
  ],
  use: {
    // The global setup sets it after starting the product.
    baseURL: process.env.FPAY_URL,
    viewport: { width: 390, height: 844 },
    // Not Ukrainian, so that a page in Ukrainian proves the product's own default.
    locale: 'en-US',
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
