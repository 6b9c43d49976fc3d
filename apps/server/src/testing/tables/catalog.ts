import type pg from 'pg';
import type { TableName } from './read-model.ts';
import { functionOwners } from './routines.ts';
import { tableUsesOf } from './uses.ts';

export interface TriggerRow {
  /** `table.trigger`. */
  name: string;
  /** `after update`. */
  runs: string;
  calls: string;
}

export interface FunctionRow {
  name: string;
  isTrigger: boolean;
  /** It runs with the rights of the schema's owner. */
  isDefiner: boolean;
  writes: TableName[];
}

export interface Catalog {
  triggers: TriggerRow[];
  functions: FunctionRow[];
}

/** The triggers and functions of a migrated database. Partitions have the triggers of their table and are left out. */
export async function readCatalog(client: pg.Client): Promise<Catalog> {
  const triggers = await client.query<{ name: string; definition: string; calls: string }>(`
    select c.relname || '.' || t.tgname as name, pg_get_triggerdef(t.oid) as definition, p.proname as calls
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
    where not t.tgisinternal and not c.relispartition and c.relnamespace = 'public'::regnamespace`);
  const functions = await client.query<FunctionRow & { source: string }>(`
    select proname as name, prorettype = 'trigger'::regtype as "isTrigger", prosecdef as "isDefiner", prosrc as source
    from pg_proc where pronamespace = 'public'::regnamespace`);
  return {
    triggers: triggers.rows
      .map(({ name, definition, calls }) => ({ name, calls, runs: runsOf(definition) }))
      .toSorted(byName),
    functions: functions.rows.map(({ source, ...row }) => ({ ...row, writes: writesOf(source) })).toSorted(byName),
  };
}

const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1);

const runsOf = (definition: string) =>
  /TRIGGER \S+ ((?:BEFORE|AFTER) .*?) ON /.exec(definition)?.[1]?.toLowerCase() ?? definition;

const writesOf = (source: string): TableName[] => [
  ...new Set(
    tableUsesOf(source)
      .filter(({ isWrite }) => isWrite)
      .map(({ table }) => table)
      .toSorted(),
  ),
];

export const ownerOfFunction = (name: string): string | undefined => functionOwners[name]?.owner;
