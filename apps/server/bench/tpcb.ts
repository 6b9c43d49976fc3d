import pg from 'pg';

/**
 * The reference: TPC-B as pgbench runs it by default (scale 50, simple queries one after the other), over the same
 * driver as the product, so that the ratio shows the cost of our schema and statements and not the speed of the disk.
 */
export const scale = 50;
const accountsPerBranch = 100_000;
const tellersPerBranch = 10;

export async function prepareTpcb(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`
      drop table if exists pgbench_accounts, pgbench_branches, pgbench_tellers, pgbench_history;
      create table pgbench_branches (bid int primary key, bbalance int, filler char(88)) with (fillfactor = 100);
      create table pgbench_tellers (tid int primary key, bid int, tbalance int, filler char(84)) with (fillfactor = 100);
      create table pgbench_accounts (aid int primary key, bid int, abalance int, filler char(84)) with (fillfactor = 100);
      create table pgbench_history (tid int, bid int, aid int, delta int, mtime timestamp, filler char(22));
      insert into pgbench_branches select i, 0, '' from generate_series(1, ${scale}) i;
      insert into pgbench_tellers select i, (i - 1) / ${tellersPerBranch} + 1, 0, '' from generate_series(1, ${scale * tellersPerBranch}) i;
      insert into pgbench_accounts select i, (i - 1) / ${accountsPerBranch} + 1, 0, ''
        from generate_series(1, ${scale * accountsPerBranch}) i;
    `);
    await client.query('vacuum analyze pgbench_accounts');
    await client.query('vacuum analyze pgbench_tellers');
    await client.query('vacuum analyze pgbench_branches');
  } finally {
    await client.end();
  }
}

const upTo = (most: number) => 1 + Math.floor(Math.random() * most);

async function transact(client: pg.Client): Promise<void> {
  const aid = upTo(scale * accountsPerBranch);
  const bid = upTo(scale);
  const tid = upTo(scale * tellersPerBranch);
  const delta = upTo(10_001) - 5_001;
  await client.query('begin');
  await client.query(`update pgbench_accounts set abalance = abalance + ${delta} where aid = ${aid}`);
  await client.query(`select abalance from pgbench_accounts where aid = ${aid}`);
  await client.query(`update pgbench_tellers set tbalance = tbalance + ${delta} where tid = ${tid}`);
  await client.query(`update pgbench_branches set bbalance = bbalance + ${delta} where bid = ${bid}`);
  await client.query(
    `insert into pgbench_history (tid, bid, aid, delta, mtime) values (${tid}, ${bid}, ${aid}, ${delta}, current_timestamp)`,
  );
  await client.query('end');
}

/** Transactions per second with this many parallel clients. */
export async function runTpcb(
  url: string,
  { clients, seconds }: { clients: number; seconds: number },
): Promise<number> {
  const connections = Array.from({ length: clients }, () => new pg.Client({ connectionString: url }));
  await Promise.all(connections.map((client) => client.connect()));
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  let done = 0;
  await Promise.all(
    connections.map(async (client) => {
      while (performance.now() < endsAt) {
        await transact(client);
        done += 1;
      }
    }),
  );
  const rate = done / ((performance.now() - startedAt) / 1000);
  await Promise.all(connections.map((client) => client.end()));
  return rate;
}
