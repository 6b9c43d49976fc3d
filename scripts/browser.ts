import { constants, existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { command } from './command.ts';

/** Finds a Chromium for the browser tests, or installs one. */
export async function ensureBrowser(stop: AbortSignal = new AbortController().signal): Promise<string> {
  return (await findBrowser()) ?? (await installBrowser(stop));
}

async function findBrowser(): Promise<string | null> {
  const { CHROME_PATH } = process.env;
  if (CHROME_PATH) {
    if (await isExecutable(CHROME_PATH)) return CHROME_PATH;
    throw new Error(`CHROME_PATH is ${CHROME_PATH}, which is not an executable.`);
  }
  for (const path of [...installedPaths(), await playwrightPath()]) {
    if (await isExecutable(path)) return path;
  }
  return null;
}

function installedPaths(): string[] {
  // The first one is the same engine without a window; browser tests take half as long with it.
  const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  const applications = ['Google Chrome.app/Contents/MacOS/Google Chrome', 'Chromium.app/Contents/MacOS/Chromium'];
  return [
    ...folders.flatMap((folder) => names.map((name) => join(folder, name))),
    ...(process.platform === 'darwin' ? applications.map((path) => join('/Applications', path)) : []),
  ];
}

/** The folder of Playwright's own browser. It is resolved from e2e, which has that dependency. */
async function playwrightPath(): Promise<string> {
  const require = createRequire(new URL('../e2e/package.json', import.meta.url));
  const { chromium } = require('@playwright/test') as typeof import('@playwright/test');
  return chromium.executablePath();
}

async function installBrowser(stop: AbortSignal): Promise<string> {
  for (const { name, isPossible, commands } of waysToInstall) {
    if (!isPossible()) continue;
    console.log(`Chromium is missing; installing ${name} ...`);
    try {
      for (const argv of commands) await command(argv, { env: { DEBIAN_FRONTEND: 'noninteractive' }, stop });
    } catch (error) {
      stop.throwIfAborted();
      console.log(`${error instanceof Error ? error.message : error}: no ${name}.`);
      continue;
    }
    const browser = await findBrowser();
    if (browser) return browser;
  }
  throw new Error('No Chromium could be installed. Install Chrome or Chromium, or set CHROME_PATH to one.');
}

const isRoot = process.getuid?.() === 0;
const playwright = fileURLToPath(new URL('../node_modules/.bin/playwright', import.meta.url));
// Another run of the tests may be installing at the same time.
const apt = ['apt-get', '-qq', '-o', 'DPkg::Lock::Timeout=300'];

const waysToInstall = [
  {
    name: "Debian's chromium",
    isPossible: () => isRoot && existsSync('/usr/bin/apt-get'),
    commands: [
      [...apt, 'update'],
      [...apt, 'install', '-y', '--no-install-recommends', 'chromium-headless-shell'],
    ],
  },
  {
    name: "Playwright's Chromium with the system libraries it needs",
    isPossible: () => isRoot && process.platform === 'linux',
    commands: [[playwright, 'install', '--with-deps', 'chromium']],
  },
  {
    name: "Playwright's Chromium",
    isPossible: () => true,
    commands: [[playwright, 'install', 'chromium']],
  },
];

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
