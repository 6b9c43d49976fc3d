import assert from 'node:assert/strict';
import { parentPort, workerData } from 'node:worker_threads';
import { databaseMark, openDatabase } from '../../platform/database.ts';
import { createStationIndex, type StationIndex } from './atlas.ts';
import type { Ask, FromWorker, ToWorker, WorkerOptions } from './messages.ts';
import { etagOf, pack } from './pack.ts';
import { changesAfter, countChanges, forgetOldChanges, newestVersion, readAllStations, readStations } from './rows.ts';

assert(parentPort, 'the map worker runs in a thread of its own');
const port = parentPort;
const { databaseUrl, isPooled, redrawEveryMs } = workerData as WorkerOptions;
/** One connection is enough, because the worker does one thing at a time. */
const { db } = openDatabase({ url: databaseUrl, isPooled, poolSize: 1 });
const retryMs = 1_000;
const forgetEveryMs = 60_000;

let atlas: StationIndex | null = null;
let mark = '';
/** Everything up to this change is on the map. */
let version = 0;
/** The oldest known change; a client with an older map needs a whole one. */
let knownFrom = 0;
let lastLookAt = 0;
let lastForgotAt = 0;
let isLookDue = false;
let looking: Promise<void> | null = null;

function tell(message: FromWorker, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer);
}

async function load(): Promise<void> {
  const fresh = createStationIndex();
  mark = await databaseMark(db);
  await countChanges(db);
  // The version is read before the rows, so that a change in between is read twice rather than missed.
  const newest = await newestVersion(db);
  for await (const stations of readAllStations(db)) {
    for (const station of stations) fresh.put(station.id, station, newest);
  }
  atlas = fresh;
  version = newest;
  knownFrom = newest;
  tell({ kind: 'redrawn' });
}

async function catchUp(into: StationIndex): Promise<void> {
  await countChanges(db);
  const changes = await changesAfter(db, version);
  const ids = changes.map(({ stationId }) => stationId);
  const found = new Map((await readStations(db, ids)).map((station) => [station.id, station]));
  let isChanged = false;
  for (const change of changes) {
    isChanged = into.put(change.stationId, found.get(change.stationId) ?? null, change.version) || isChanged;
    version = change.version;
  }
  tell({ kind: isChanged ? 'redrawn' : 'advanced' });
  if (Date.now() - lastForgotAt > forgetEveryMs) {
    lastForgotAt = Date.now();
    await forgetOldChanges(db);
  }
}

/** Never two reads at once. A read that fails is repeated, because what it missed is still in the outbox. */
function look(): Promise<void> {
  looking ??= (async () => {
    lastLookAt = Date.now();
    try {
      await (atlas ? catchUp(atlas) : load());
    } catch (error) {
      tell({ kind: 'trouble', message: error instanceof Error ? error.message : String(error) });
      lookIn(retryMs);
    } finally {
      looking = null;
    }
  })();
  return looking;
}

function lookIn(ms: number): void {
  if (isLookDue) return;
  isLookDue = true;
  setTimeout(() => {
    isLookDue = false;
    // A change published during a read may have come too late for it, so another read follows.
    if (looking) void looking.then(lookSoon);
    else void look();
  }, ms);
}

function lookSoon(): void {
  lookIn(Math.max(0, lastLookAt + redrawEveryMs - Date.now()));
}

async function answer({ id, variant, encoding, since }: Ask): Promise<void> {
  while (!atlas) await (looking ?? new Promise((resolve) => setTimeout(resolve, retryMs)));
  const from = since === null ? null : numberIn(since);
  // Another node may be ahead of us. After one read we know as much as it did, unless that number was never a version.
  if (from !== null && from > version) {
    await looking;
    await look();
  }
  const isKnown = from !== null && from >= knownFrom && from <= version;
  const bytes = isKnown ? atlas.changes(variant, from) : atlas.whole(variant);
  const answered = {
    version: `${mark}-${version}`,
    etag: etagOf(variant, encoding, bytes),
    since: isKnown ? since : null,
  };
  const body = await pack(bytes, encoding);
  tell({ kind: 'answer', id, answer: { ...answered, body } }, [body.buffer]);
}

/** Null for a version of another database. */
function numberIn(since: string): number | null {
  const [of, number] = since.split('-');
  return of === mark ? Number(number) : null;
}

port.on('message', (message: ToWorker) => {
  if (message.kind === 'ask') void answer(message);
  else {
    if (message.kind === 'reload') atlas = null;
    lookSoon();
  }
});
void look();
