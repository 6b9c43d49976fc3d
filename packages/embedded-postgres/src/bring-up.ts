import { access, rename, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { prepareBinaries } from './binaries.ts';
import { type Cluster, dataOf, freePort, hasData, lastLogLines, spawnPostgres } from './cluster.ts';
import { createData } from './initdb.ts';
import type { Limits } from './limits.ts';
import type { Log } from './log.ts';
import { type Note, newNote, readNote, urlOf, writeNote } from './note.ts';
import { type Durability, type Place, prepareDir } from './place.ts';
import { findPostmaster, stopPostmaster } from './postmaster.ts';
import { isCode } from './system-error.ts';

interface Task {
  place: Place;
  durability: Durability;
  /** Other programs use this cluster at this moment. */
  isShared: boolean;
  log: Log;
  limits: Limits;
}

/** Makes PostgreSQL answer in this place, whatever state the last program left it in. Only under the starting lock. */
export async function bringUp(task: Task): Promise<Note> {
  const { place, durability, log } = task;
  await prepareDir(place);
  const note = (await readNote(place)) ?? (await startNote(task));
  const cluster = { place, durability, binaries: await prepareBinaries(place) };
  if (!(await hasData(cluster))) {
    await createData(cluster, note.passwords.postgres);
    log.info(`created the embedded database in ${place.dir}`);
  }

  const port = (await takeOver(task, note)) ?? (await startAnew(task, cluster, note));
  const current = { ...note, port };
  if (port !== note.port) await writeNote(place, current);
  return current;
}

/** Written before the cluster is made, so a cluster without a note is one whose data directory was removed. */
async function startNote({ place, log, limits }: Task): Promise<Note> {
  const data = dataOf(place);
  const isThere = await access(data).then(
    () => true,
    () => false,
  );
  if (isThere) {
    await stopPostmaster(data, limits.stopMs);
    // Its passwords went with the data directory. One generation is kept, should that have been a mistake.
    await rm(`${data}.removed`, { recursive: true, force: true });
    await rename(data, `${data}.removed`);
    log.warn(`the database in ${data} belonged to a data directory that was removed: it is now at ${data}.removed`);
  }
  const note = newNote(place);
  await writeNote(place, note);
  return note;
}

/** The port of a PostgreSQL that is running here already; null when there is none (any more). */
async function takeOver(task: Task, note: Note): Promise<number | null> {
  const { place, isShared, log, limits } = task;
  const data = dataOf(place);
  const running = findPostmaster(data);
  if (!running) return null;
  const isRunning = () => findPostmaster(data)?.pid === running.pid;
  const state = await waitForAnswer(task, { ...note, port: running.port }, isRunning);
  if (state === 'ended') return null;
  const who = `the embedded database that is already running (process ${running.pid})`;
  if (state === 'ready') {
    log.info(`using ${who}`);
    return running.port;
  }
  // Not ours to end: another program may be in the middle of a payment.
  if (isShared) throw new Error(`Another program uses ${who}, but it does not answer us.`);
  log.warn(`stopping ${who}, which does not answer`);
  await stopPostmaster(data, limits.stopMs);
  return null;
}

/** Tries again when PostgreSQL ends at once: the port may be gone since we looked, or a crashed one's last process may linger. */
async function startAnew(task: Task, cluster: Cluster, note: Note): Promise<number> {
  const { place } = task;
  const attempts = 4;
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort(attempt === 1 ? note.port : null);
    const postgres = await spawnPostgres(cluster, port);
    const state = await waitForAnswer(task, { ...note, port }, () => postgres.end() === null);
    postgres.letGo();
    if (state === 'ready') return port;
    if (state === 'silent') throw new Error(`PostgreSQL was started in ${place.dir} but gave no answer in time.`);
    if (state === 'refused') {
      throw new Error(`PostgreSQL in ${place.dir} does not take the password noted in ${place.home}.`);
    }
    if (attempt === attempts) {
      throw new Error(`PostgreSQL ${postgres.end()}. The end of its log:\n${await lastLogLines(place)}`);
    }
    await sleep(500);
  }
}

async function waitForAnswer(
  task: Task,
  note: Note,
  isRunning: () => boolean,
): Promise<'ready' | 'refused' | 'ended' | 'silent'> {
  const startedAt = Date.now();
  for (;;) {
    const state = await ask(task, note);
    if (state === 'ready' || state === 'refused') return state;
    if (!isRunning()) return 'ended';
    const limit = state === 'recovering' ? task.limits.recoveryMs : task.limits.silentMs;
    if (Date.now() - startedAt > limit) return 'silent';
    await sleep(20);
  }
}

/** Ready only when it is ours: our password, our files. */
async function ask({ place, limits }: Task, note: Note): Promise<'ready' | 'refused' | 'recovering' | 'silent'> {
  const client = new pg.Client({
    connectionString: urlOf(note, 'postgres', 'postgres'),
    connectionTimeoutMillis: limits.answerMs,
    query_timeout: limits.answerMs,
  });
  // A connection cut in mid-answer also raises this event; the awaited call below tells the same.
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
    return rows[0]?.data_directory === dataOf(place) ? 'ready' : 'refused';
  } catch (error) {
    // Starting up, recovering or shutting down.
    if (isCode(error, '57P03')) return 'recovering';
    // A wrong password.
    return isCode(error, '28P01', '28000') ? 'refused' : 'silent';
  } finally {
    await client.end().catch(() => {});
  }
}
