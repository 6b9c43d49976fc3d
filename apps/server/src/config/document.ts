import * as z from 'zod/mini';
import type { Setting, SettingTable } from './setting.ts';
import { settingGroups } from './settings.ts';

/** The tables of settings in the documents. `npm run settings` writes them, and a test compares them. */

function defaultOf({ shown, schema, isRequired }: Setting): string {
  if (shown !== undefined) return shown;
  const value = z.safeParse(schema, undefined).data;
  if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0))
    return isRequired ? '' : 'none';
  return String(value);
}

const rowsOf = (table: SettingTable) =>
  Object.entries(table).map(([name, setting]) => `| \`${name}\` | ${defaultOf(setting)} | ${setting.meaning} |`);

/** What production does not start without, for the README. */
export function requiredTable(): string {
  const rows = settingGroups.flatMap(({ settings }) =>
    Object.entries(settings)
      .filter(([, { isRequired }]) => isRequired)
      .map(([name, { meaning }]) => `| \`${name}\` | ${meaning} |`),
  );
  return ['| variable | meaning |', '|---|---|', ...rows, ''].join('\n');
}

/** Every setting, by groups, for docs/deploy.md. */
export function settingTables(): string {
  return settingGroups
    .map(({ title, settings }) =>
      [`### ${title}`, '| variable | default | meaning |', '|---|---|---|', ...rowsOf(settings), ''].join('\n'),
    )
    .join('\n');
}

/** Each part stands in its document between a first line and the next line of the same kind. */
export const parts = [
  { file: 'README.md', name: 'required settings', text: requiredTable },
  { file: 'docs/deploy.md', name: 'settings', text: settingTables },
] as const;

/** The document with its part as the code says it. */
export function withPart(document: string, { name, text }: (typeof parts)[number]): string {
  const [begin, end] = [`<!-- ${name}: npm run settings -->\n`, `<!-- end of ${name} -->`];
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the document has no part "${name}"`);
  return document.slice(0, from + begin.length) + text() + document.slice(to);
}
