import type { Catalog } from './catalog.ts';
import { readModels, tableOwners } from './owners.ts';
import type { TableName } from './read-model.ts';
import { functionOwners, triggerOwners } from './routines.ts';

const code = (text: string) => `\`${text}\``;
const listed = (names: readonly string[]) => names.map(code).join(', ');

/** docs/tables.md, made from the maps and from a migrated database. */
export function tablesDocument({ triggers, functions }: Catalog): string {
  const owners = Map.groupBy(Object.keys(tableOwners) as TableName[], (table) => tableOwners[table]);
  const ownerRows = [...owners]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([owner, tables]) => `| ${code(`${owner}/`)} | ${listed(tables.toSorted())} |`);
  const modelRows = Object.entries(readModels)
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([file, { reads, why }]) => `| ${code(file)} | ${listed(reads)} | ${why} |`);
  const triggerRows = triggers.map(({ name, runs, calls }) => {
    const { owner = '', why = '' } = triggerOwners[name] ?? {};
    return `| ${code(name)} | ${runs} | ${code(calls)} | ${code(`${owner}/`)} | ${why} |`;
  });
  const functionRows = functions.map(({ name, writes, isDefiner }) => {
    const { owner = '', why = '' } = functionOwners[name] ?? {};
    return `| ${code(name)} | ${code(`${owner}/`)} | ${listed(writes)} | ${isDefiner ? 'owner' : ''} | ${why} |`;
  });
  return [
    '# Tables and their owners',
    '',
    'Made from the maps in `apps/server/src/testing/tables` and from a migrated database; `npm run tables` writes it again and a test compares it. The rule and its reasons are in `decisions/0019-tables-have-owners.md`.',
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
    '## Triggers and functions',
    'A trigger keeps a rule that holds whichever statement writes: rows that never change, users who exist, a wallet for each user, hours that are counted again. It writes tables of its owner only, and what a feature does when something happens is code of the feature. The functions in force are in `apps/server/schema` (`decisions/0063-functions-have-one-place.md`); a feature calls only its own. *Owner* under rights means that the function runs with the rights of the owner of the schema, because the product has no right to do the same.',
    '',
    '| trigger | runs | calls | owner | why |',
    '|---|---|---|---|---|',
    ...triggerRows,
    '',
    '| function | owner | writes | rights | why |',
    '|---|---|---|---|---|',
    ...functionRows,
    '',
  ].join('\n');
}
