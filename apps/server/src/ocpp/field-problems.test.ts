import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const table = readFileSync(new URL('../../../../docs/field-problems.md', import.meta.url), 'utf8');
const rows = [...table.matchAll(/^\| (\d+) \| .+ \| (.*) \|$/gm)].map(([, row, files]) => ({
  row: Number(row),
  files: [...(files ?? '').matchAll(/`([^`]+)`/g)].map(([, file]) => file ?? ''),
}));

test('every field problem has a test, in the files that docs/field-problems.md names', () => {
  expect(rows.map(({ row }) => row)).toEqual(Array.from(rows, (_, index) => index + 1));
  expect(rows.length).toBeGreaterThanOrEqual(54);
  for (const { row, files } of rows) {
    expect(files.length, `field problem ${row}`).toBeGreaterThan(0);
    for (const file of files) {
      const titles = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
      expect(titles, `${file} names field problem ${row}`).toMatch(new RegExp(`field problems? (\\d+ and )?${row}\\b`));
    }
  }
});
