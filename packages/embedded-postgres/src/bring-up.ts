import { access, rename, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { prepareBinaries } from './binaries.ts';
import { type Cluster, dataOf, freePort, hasData, lastLogLines, spawnPostgres } from './cluster.ts';
import { createData } from './initdb.ts';
import type { StartLimits } from './limits.ts';
import type { ClusterLog } from './log.ts';
import { type Note, newNote, readNote, urlOf, writeNote } from './note.ts';
import { type ClusterPlace, type Durability, prepareDir } from './place.ts';
import { findPostmaster, stopPostmaster } from './postmaster.ts';
import { isCode } from './system-error.ts';

interface Task {
  place: ClusterPlace;
  durability: Durability;
  /** True when other programs use this cluster now. */
  isShared: boolean;
  log: ClusterLog;
  limits: StartLimits;
}

/**
 * Makes PostgreSQL answer in this place, regardless of the state in which the last program left it. The caller holds
 * the starting lock.
 */
export async function bringUp(task: Task): Promise<Note> {
  const { place, durability, log } = task;
  await prepareDir(place);
  const note = (await readNote(place)) ?? (await startNote(task));
  const cluster = { place, durability, binaries: await prepareBinaries(place) };
  if (!(await hasData(cluster))) {
    await createData(cluster, note.passwords.postgres);
    log.info({ dir: place.dir }, 'embedded database created');
  }

  const port = (await takeOver(task, note)) ?? (await startNew(task, cluster, note));
  const current = { ...note, port };
  if (port !== note.port) await writeNote(place, current);
  return current;
}

/**
 * The note is written before the cluster is created, so a cluster without a note is one whose data directory was
 * removed.
 */
async function startNote({ place, log, limits }: Task): Promise<Note> {
  const data = dataOf(place);
  const isThere = await access(data).then(
    () => true,
    () => false,
  );
  if (isThere) {
    await stopPostmaster(data, limits.stopMs);
    // Its passwords were in the data directory. One old cluster is kept, in case the removal was a mistake.
    await rm(`${data}.removed`, { recursive: true, force: true });
    await rename(data, `${data}.removed`);
    log.warn({ data, moved: `${data}.removed` }, 'embedded database without its data directory moved');
  }
  const note = newNote(place);
  await writeNote(place, note);
  return note;
}

/** The port of a PostgreSQL that already runs here; null when none runs. */
async function takeOver(task: Task, note: Note): Promise<number | null> {
  const { place, isShared, log, limits } = task;
  const data = dataOf(place);
  const running = findPostmaster(data);
  if (!running) return null;
  const isRunning = () => findPostmaster(data)?.pid === running.pid;
  const state = await waitForAnswer(task, { ...note, port: running.port }, isRunning, limits.silentMs);
  if (state === 'ended') return null;
  if (state === 'ready') {
    log.info({ pid: running.pid }, 'running embedded database reused');
    return running.port;
  }
  // We must not stop it, because another program may be in the middle of a payment.
  if (isShared)
    throw new Error(`Another program uses the embedded database (process ${running.pid}), which does not answer.`);
  log.warn({ pid: running.pid }, 'embedded database that does not answer stopped');
  await stopPostmaster(data, limits.stopMs);
  return null;
}

/**
 * Retries when PostgreSQL ends at once, because another process may have taken the port meanwhile, or a process of a
 * crashed cluster may still run.
 */
async function startNew(task: Task, cluster: Cluster, note: Note): Promise<number> {
  const { place, limits } = task;
  const attempts = 4;
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort(attempt === 1 ? note.port : null);
    const postgres = await spawnPostgres(cluster, port);
    const state = await waitForAnswer(task, { ...note, port }, () => postgres.end() === null, limits.startMs);
    postgres.detach();
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
  silentMs: number,
): Promise<'ready' | 'refused' | 'ended' | 'silent'> {
  const startedAt = Date.now();
  for (;;) {
    const state = await probe(task, note);
    if (state === 'ready' || state === 'refused') return state;
    if (!isRunning()) return 'ended';
    const limit = state === 'recovering' ? task.limits.recoveryMs : silentMs;
    if (Date.now() - startedAt > limit) return 'silent';
    await sleep(20);
  }
}

/** PostgreSQL is ready only when it accepts our password and serves our files. */
async function probe({ place, limits }: Task, note: Note): Promise<'ready' | 'refused' | 'recovering' | 'silent'> {
  const client = new pg.Client({
    connectionString: urlOf(note, 'postgres', 'postgres'),
    connectionTimeoutMillis: limits.answerMs,
    query_timeout: limits.answerMs,
  });
  // A connection that is closed during an answer also emits this event; the awaited call below reports the same error.
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
    return rows[0]?.data_directory === dataOf(place) ? 'ready' : 'refused';
  } catch (error) {
    // PostgreSQL is starting up, recovering or shutting down.
    if (isCode(error, '57P03')) return 'recovering';
    // The password is wrong.
    return isCode(error, '28P01', '28000') ? 'refused' : 'silent';
  } finally {
    await client.end().catch(() => {});
  }
}
