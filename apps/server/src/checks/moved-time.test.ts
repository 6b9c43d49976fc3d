import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/**
 * A test lets time pass by its clock (`startMovedStack`, `createTimeline`). One that sets rows back instead knows the
 * columns of other features, and what the product does as time passes never happens in it.
 */
const root = fileURLToPath(new URL('../../../..', import.meta.url));
const files = globSync(
  [
    'apps/server/src/**/*.{test,proof}.ts',
    'apps/server/src/**/testing/**/*.ts',
    'apps/{simulator,sandbox}/src/**/*.test.ts',
    'scripts/**/*.ts',
    'e2e/**/*.ts',
  ],
  { cwd: root, exclude: ['**/node_modules', '**/generated', 'scripts/screens'] },
).filter((file) => !file.endsWith('checks/moved-time.test.ts'));

const template = /`(?:\\.|[^`\\])*`/g;
/** Rows that are made with their dates are data, like a charge of last month in a list. */
const makesRows = /\binsert into\b/;
const earlierInSql = /- (?:interval '|\$\{[^}]*\}(?:::interval| \* interval '))/g;
const earlierInObject = /\w+_(?:at|until|since): (?:\w*[aA]go\((?!-)|past\(|new Date\(Date\.now\(\) -)/g;

function placesIn(file: string): number {
  const text = readFileSync(join(root, file), 'utf8');
  const inSql = [...text.matchAll(template)]
    .filter(([sql]) => !makesRows.test(sql))
    .flatMap(([sql]) => [...sql.matchAll(earlierInSql)]);
  return inSql.length + [...text.matchAll(earlierInObject)].length;
}

const isHistory = 'the row is made as history, in two steps';
/** What is left, with its reason. A number may only become smaller. */
const left: Record<string, [places: number, why: string]> = {
  'apps/server/src/backoffice/network/message-search.test.ts': [1, 'makes the partition of an earlier day'],
  'apps/server/src/backoffice/network/station-report.test.ts': [1, isHistory],
  'apps/server/src/backoffice/watch/network-metrics.test.ts': [2, isHistory],
  'apps/server/src/charging/idle/idle-crash.test.ts': [1, 'the time is that of a process of its own'],
  'apps/server/src/charging/idle/idle-random.test.ts': [2, 'hours of idle time would be hundreds of looks'],
  'apps/server/src/charging/lifecycle/back-online.test.ts': [5, 'kilowatt-hours that were delivered before'],
  'apps/server/src/checks/bad-rows.test.ts': [1, 'a month would make every other loop of the product due'],
  'apps/server/src/ocpp/connections/nodes.test.ts': [3, 'several nodes and the clock of the database'],
  'apps/server/src/platform/http/routes.test.ts': [1, 'what a killed process leaves behind'],
  'apps/server/src/wallet/staff-limits.test.ts': [1, 'staff who act again would be signed out meanwhile'],
};

test('tests move their clock instead of setting rows back', () => {
  const found = files.map((file) => [file, placesIn(file)]).filter(([, places]) => places !== 0);
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(Object.entries(left).map(([file, [places]]) => [file, places])),
  );
});

test('the number of such places only falls', () => {
  const sum = Object.values(left).reduce((total, [places]) => total + places, 0);
  expect(sum).toBeLessThanOrEqual(18);
});
