import pg from 'pg';

let count = 0;

/**
 * From here on the database refuses every write of the rows that match `where` (`new.id = 5`), so that no code can
 * handle them.
 */
export async function poison(database: { ownerUrl: string }, table: string, where: string): Promise<void> {
  count += 1;
  await asOwner(
    database,
    `create or replace function refuse_poisoned() returns trigger language plpgsql as
       $$ begin raise exception 'this row is poisoned'; end $$;
     create trigger poisoned_${count} before insert or update on ${table} for each row when (${where})
       execute function refuse_poisoned()`,
  );
}

/** For statements that the product's own role may not run. */
export async function asOwner({ ownerUrl }: { ownerUrl: string }, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query(statements);
  } finally {
    await client.end();
  }
}
