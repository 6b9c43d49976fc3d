import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';

/**
 * CPU time of all processes of our PostgreSQL from /proc, in ticks of 10 ms. Its backends are children of the
 * postmaster.
 */
function cpuMsOf(postmaster: number): number {
  let ticks = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ');
      if (Number(pid) !== postmaster && Number(fields[1]) !== postmaster) continue;
      ticks += Number(fields[11]) + Number(fields[12]);
      // The time of ended backends is counted at their parent.
      if (Number(pid) === postmaster) ticks += Number(fields[13]) + Number(fields[14]);
    } catch {
      // The process ended meanwhile.
    }
  }
  return ticks * 10;
}

/** A function that returns the CPU time in ms so far. */
export async function watchDatabaseCpu(ownerUrl: string): Promise<() => number> {
  const postmaster = await postmasterPid(ownerUrl);
  return () => cpuMsOf(postmaster);
}

async function postmasterPid(ownerUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const status = readFileSync(`/proc/${rows[0]?.pid}/status`, 'utf8');
  await client.end();
  return Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]);
}
