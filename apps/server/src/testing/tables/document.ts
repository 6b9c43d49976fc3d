import { readModels, type TableName, tableOwners } from './owners.ts';

const code = (text: string) => `\`${text}\``;
const listed = (names: readonly string[]) => names.map(code).join(', ');

/** docs/tables.md, made from the map. */
export function tablesDocument(): string {
  const owners = Map.groupBy(Object.keys(tableOwners) as TableName[], (table) => tableOwners[table]);
  const ownerRows = [...owners]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([owner, tables]) => `| ${code(`${owner}/`)} | ${listed(tables.toSorted())} |`);
  const modelRows = Object.entries(readModels)
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([file, { reads, why }]) => `| ${code(file)} | ${listed(reads)} | ${why} |`);
  return [
    '# Tables and their owners',
    '',
    'Made from `apps/server/src/testing/tables/owners.ts`; `npm run tables` writes it again and a test compares it. The rule and its reasons are in `decisions/0019-tables-have-owners.md`.',
    '',
    '## Owners',
    'Only files in the folder of the owner write a table. Another feature calls a function of the owner; a statement that writes tables of two owners is built from fragments that each owner exports.',
    '',
    '| owner | tables |',
    '|---|---|',
    ...ownerRows,
    '',
    '## Read models',
    'These files read tables of other features. All others call the owner.',
    '',
    '| file | reads | why |',
    '|---|---|---|',
    ...modelRows,
    '',
  ].join('\n');
}
