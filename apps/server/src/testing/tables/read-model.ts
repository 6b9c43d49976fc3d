import type { DB } from '../../platform/generated/database.ts';

/** The migrator owns two tables, so the generated types leave them out. */
export type TableName = keyof DB | 'migrations' | 'schema_files';

/** A file that may read tables of other features. */
export interface ReadModel {
  reads: readonly TableName[];
  why: string;
}
