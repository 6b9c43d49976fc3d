import { refusedWord } from './plain-words.ts';

/** A statement that locks one of these tables for long stops charges and payments. */
const largeTables = ['meter_samples', 'ocpp_transactions', 'operations', 'payments', 'transfers', 'users'];

const commentsIn = (sql: string): string[] => sql.match(/^\s*--.*$|\s--\s.*$/gm)?.map((text) => text.trim()) ?? [];
const withoutComments = (sql: string) => sql.replaceAll(/^\s*--.*$|\s--\s.*$/gm, '');
/** Bodies of functions are left out, because they run when they are called; a block runs at once. */
const statementsIn = (sql: string): string[] =>
  withoutComments(sql)
    .replaceAll(/\bdo \$\$([\s\S]*?)\$\$/gi, (_, body: string) =>
      body.replaceAll(/\b(?:begin|else|loop|then)\b/gi, ';'),
    )
    .replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .split(';')
    .map((statement) => statement.trim().replaceAll(/\s+/g, ' ').toLowerCase())
    .filter((statement) => statement !== '');

const createdIndex = /^create (?:unique )?index (?!concurrently)(?:if not exists )?\w+ on (?:only )?(?:public\.)?(\w+)/;
const alteredTable = /^alter table (?:if exists )?(?:only )?(?:public\.)?(\w+) (.*)$/;
const createdTable = /^create table (?:if not exists )?(?:public\.)?(\w+)/;
/** PostgreSQL writes every row again for these. */
const rewritesRows =
  /\balter column \w+ (?:set data )?type\b|\badd column [^,]*\bdefault [^,]*\b(?:clock_timestamp|gen_random_uuid|nextval|random|timeofday|uuidv\d)\(|\badd column [^,]*\bgenerated (?:always|by default) as\b/;

const isLarge = (table: string) => largeTables.some((name) => table === name || table.startsWith(`${name}_y`));

/** Large tables that the migration locks for as long as it takes to read or write all of their rows. */
function lockedTables(sql: string): string[] {
  const statements = statementsIn(sql);
  const created = new Set(statements.map((statement) => createdTable.exec(statement)?.[1]));
  const locked = statements.flatMap((statement) => {
    const [, table = '', change = ''] = alteredTable.exec(statement) ?? [];
    return rewritesRows.test(change) ? table : (createdIndex.exec(statement)?.[1] ?? []);
  });
  return locked.filter((table) => isLarge(table) && !created.has(table));
}

/** What is wrong with a new migration. */
export function faultsOfMigration(sql: string): string[] {
  const faults: string[] = [];
  if (!/^-- [A-Z].*\.$/m.test(sql.split('\n')[0] ?? '')) faults.push('has no sentence on top');
  for (const table of lockedTables(sql)) {
    if (!new RegExp(`^-- Locks ${table}: [A-Z].*\\.$`, 'm').test(sql))
      faults.push(`locks ${table}: say why this may be, as "-- Locks ${table}: Reason."`);
  }
  if (/^\s*create (?:or replace )?(?:function (?!pg_temp\.)|view )/im.test(withoutComments(sql)))
    faults.push('has a function or a view: it belongs in apps/server/schema');
  return [...faults, ...faultsOfComments(sql)];
}

/** The rules of docs/voice.md for words, as for the comments of other sources. */
export const faultsOfComments = (sql: string): string[] =>
  commentsIn(sql).flatMap((comment) => [...comment.matchAll(refusedWord)].map(([word]) => `"${word}" in ${comment}`));
