import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tableOwners } from './owners.ts';
import type { TableName } from './read-model.ts';
import { functionOwners } from './routines.ts';

export interface TableUse {
  /** Path from apps/server/src. */
  file: string;
  table: TableName;
  isWrite: boolean;
}

const base = fileURLToPath(new URL('../..', import.meta.url));
/** The demo data is created once for an empty database, with a past that no feature could have written. */
const isLeftOut = /\.(test|proof)\.ts$|(^|\/)testing\/|(^|\/)generated\/|^demo\//;

const names = Object.keys(tableOwners).join('|');
const kyselyWrites = 'insertInto|updateTable|deleteFrom|replaceInto|mergeInto';
const kyselyReads = 'selectFrom|innerJoin|leftJoin|rightJoin|fullJoin|crossJoin|using|from';
/** `.selectFrom('users as u')`, `.selectFrom(['users', 'cars'])`. */
const kyselyCall = new RegExp(`\\.(?:(${kyselyWrites})|${kyselyReads})\\(\\s*(\\[[^\\]]*\\]|'[^']*')`, 'g');
/** `update users u`, `delete from only users`, `join users`, and every further name of `from users u, cars c`. */
const sqlClause = new RegExp(
  `\\b(?:(insert\\s+into|update|delete\\s+from|merge\\s+into|truncate(?:\\s+table)?)|from|join)\\s+(?:only\\s+)?` +
    `(?:public\\.)?"?(${names})\\b((?:\\s*(?:as\\s+)?\\w*\\s*,\\s*(?:${names})\\b)*)`,
  'gi',
);
/** A table whose name is not written out where it is used cannot be checked. */
const hiddenName = new RegExp(`\\.(?:${kyselyWrites})\\(\\s*[^'\\s]|\\bsql\\.table\\(`);
/** Due work claims rows of the tables that their owners register with it, and writes only the columns of the claim. */
const mayHideNames = 'platform/jobs/due-work.ts';

const nameIn = new RegExp(`\\b(${names})\\b`, 'g');
const tablesIn = (text: string) => [...text.matchAll(nameIn)].map((match) => match[1] as TableName);

function withoutComments(code: string): string {
  return code.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$|\s--\s.*$/gm, '');
}

/** What one source does with tables, by its Kysely calls and its SQL text. */
export function tableUsesOf(source: string): Omit<TableUse, 'file'>[] {
  const code = withoutComments(source);
  const uses: Omit<TableUse, 'file'>[] = [];
  for (const [, write, argument = ''] of code.matchAll(kyselyCall)) {
    for (const text of argument.matchAll(/'([^']*)'/g)) {
      const name = text[1]?.split(' ')[0] ?? '';
      if (name in tableOwners) uses.push({ table: name as TableName, isWrite: write !== undefined });
    }
  }
  for (const [, write, name = '', others = ''] of code.matchAll(sqlClause)) {
    uses.push({ table: name.toLowerCase() as TableName, isWrite: write !== undefined });
    for (const table of tablesIn(others)) uses.push({ table, isWrite: false });
  }
  return uses;
}

export const hidesTable = (source: string): boolean => hiddenName.test(withoutComments(source));

const sourceOf = (file: string) => readFileSync(join(base, file), 'utf8');
const productionFiles = () => globSync('**/*.ts', { cwd: base }).filter((file) => !isLeftOut.test(file));

export const filesThatHideTables = (): string[] =>
  productionFiles().filter((file) => file !== mayHideNames && hidesTable(sourceOf(file)));

const functionCall = new RegExp(`\\b(${Object.keys(functionOwners).join('|')})\\(`, 'g');

/** Calls of database functions by others than their owner. */
export const foreignCalls = (): string[] =>
  productionFiles().flatMap((file) =>
    [...withoutComments(sourceOf(file)).matchAll(functionCall)]
      .filter(([, name = '']) => functionOwners[name]?.owner !== featureOf(file))
      .map(([, name]) => `${file} calls ${name}`),
  );

/** Every production source of the server, each use once. */
export function tableUses(): TableUse[] {
  const uses = productionFiles().flatMap((file) => tableUsesOf(sourceOf(file)).map((use) => ({ file, ...use })));
  return [...new Map(uses.map((use) => [`${use.file} ${use.table} ${use.isWrite}`, use])).values()];
}

export const featureOf = (file: string): string => file.split('/')[0] ?? '';
export const isForeign = ({ file, table }: TableUse): boolean => featureOf(file) !== tableOwners[table];
