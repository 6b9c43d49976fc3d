import type * as z from 'zod/mini';

/**
 * One variable of the environment, with everything that the product, the documents, the example files and the doctor say
 * about it. A new one is a record of its group in `settings/`; what forgets it fails a test.
 */
export interface Setting {
  /** Its form, with the default. */
  schema: z.ZodMiniType;
  /** For operators, as Markdown. */
  meaning: string;
  /** How the table of settings shows the default where the schema has none or one that says little. */
  shown?: string;
  /** Production does not start without it. */
  isRequired?: true;
  /** It is kept in a file that only the service reads, and never stands among the plain values of the chart. */
  isSecret?: true;
  /** Tokens and messages are sent to this address, so in production it is https or on the machine itself. */
  isOutside?: true;
  /** What the sandbox takes. Everybody knows it, so production refuses it. */
  sandbox?: string;
  /** What the doctor advises when it is missing or wrong. */
  remedy?: string;
}

export type SettingTable = Record<string, Setting>;

export interface SettingGroup {
  title: string;
  settings: SettingTable;
}

/** What parses the variables of a table. */
export const schemasOf = <Table extends SettingTable>(table: Table) =>
  Object.fromEntries(Object.entries(table).map(([name, { schema }]) => [name, schema])) as {
    [Name in keyof Table]: Table[Name]['schema'];
  };
