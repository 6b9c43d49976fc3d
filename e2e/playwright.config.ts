import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'tests',
  outputDir: 'test-results',
  globalSetup: './support/stack.ts',
  forbidOnly: true,
  fullyParallel: true,
  workers: 2,
  // Seconds are enough; on a machine that does other things too, they add up.
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: {
    // Told by the global setup, which has started the product by the time tests run.
    baseURL: process.env.FPAY_URL,
    viewport: { width: 390, height: 844 },
    // Not Ukrainian, so that a page in Ukrainian shows the product's own choice.
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
