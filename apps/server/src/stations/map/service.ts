import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Outbox } from '../../platform/outbox.ts';
import { Refusal } from '../../platform/refusal.ts';
import { stationTopic } from '../device-states.ts';
import type { Variant } from './atlas.ts';
import type { Ask, Encoding, FromWorker, MapAnswer, ToWorker, WorkerOptions } from './messages.ts';

/** Drawing and compressing 50,000 stations takes a while; more often would keep a core busy for a difference nobody sees. */
const defaultRedrawEveryMs = 2_000;
/** Maps that nobody asked for in so long are not drawn again beforehand. */
const keptWarmMs = 60_000;
/** Clients in step ask for the same few versions; more than this is somebody trying numbers. */
const mostKeptChanges = 500;
const askPatienceMs = 10_000;
const restartMs = 1_000;

interface Dependencies {
  databaseUrl: string;
  outbox: Outbox;
  log: Logger;
  redrawEveryMs?: number;
}

/** A whole map in use. */
interface Warm {
  variant: Variant;
  encoding: Encoding;
  answer: Promise<MapAnswer>;
  /** How many times the map had changed when this answer was asked for. */
  drawing: number;
  lastUsedAt: number;
}

/**
 * The map as bytes in memory: requests are answered from here, a thread of its own draws and compresses. A map that has
 * been drawn is sent even while the database is away.
 */
export function createMapService({ databaseUrl, outbox, log, redrawEveryMs = defaultRedrawEveryMs }: Dependencies) {
  const wholes = new Map<string, Warm>();
  const changes = new Map<string, Promise<MapAnswer>>();
  const asked = new Map<number, { resolve(answer: MapAnswer): void; reject(error: Error): void; ask: Ask }>();
  let drawing = 0;
  let lastAsk = 0;
  let worker: Worker | null = null;
  let isStopped = true;
  const unsubscribe: (() => void)[] = [];

  function post(message: ToWorker): void {
    worker?.postMessage(message);
  }

  function ask(variant: Variant, encoding: Encoding, since: string | null): Promise<MapAnswer> {
    lastAsk += 1;
    const question: Ask = { id: lastAsk, variant, encoding, since };
    return new Promise<MapAnswer>((resolve, reject) => {
      const patience = setTimeout(() => {
        asked.delete(question.id);
        reject(new Refusal('database_away', { retryAfter: 5 }));
      }, askPatienceMs);
      const settled = () => {
        clearTimeout(patience);
        asked.delete(question.id);
      };
      asked.set(question.id, {
        ask: question,
        resolve(answer) {
          settled();
          resolve(answer);
        },
        reject(error) {
          settled();
          reject(error);
        },
      });
      post({ kind: 'ask', ...question });
    });
  }

  /** The map changed: what is in use is drawn anew and takes the old one's place when it is ready, not before. */
  function redrawn(): void {
    drawing += 1;
    changes.clear();
    const now = Date.now();
    for (const [key, warm] of wholes) {
      if (now - warm.lastUsedAt > keptWarmMs) wholes.delete(key);
      else drawAgain(warm, drawing);
    }
  }

  function drawAgain(warm: Warm, asOf: number): void {
    const answer = ask(warm.variant, warm.encoding, null);
    const replace = () => {
      // Two drawings may be under way; the later one stays.
      if (asOf < warm.drawing) return;
      warm.answer = answer;
      warm.drawing = asOf;
    };
    answer.then(replace, () => log.warn('the map was not drawn in time, the one before is sent meanwhile'));
  }

  function hear(message: FromWorker): void {
    if (message.kind === 'answer') asked.get(message.id)?.resolve(message.answer);
    else if (message.kind === 'redrawn') redrawn();
    else if (message.kind === 'advanced') changes.clear();
    else log.warn({ reason: message.message }, 'the map could not be drawn, trying again');
  }

  function startWorker(): void {
    const workerData: WorkerOptions = { databaseUrl, redrawEveryMs };
    const started = new Worker(new URL('./worker.ts', import.meta.url), { workerData });
    worker = started;
    started.on('message', hear);
    started.on('error', (error) => log.error({ err: error }, 'the map worker died and is started again'));
    started.on('exit', () => {
      if (isStopped || worker !== started) return;
      worker = null;
      setTimeout(() => !isStopped && startWorker(), restartMs).unref();
    });
    // Whoever was waiting for the one that died is answered by this one.
    for (const { ask: question } of asked.values()) post({ kind: 'ask', ...question });
  }

  return {
    start(): void {
      isStopped = false;
      startWorker();
      unsubscribe.push(
        outbox.subscribe(({ topic }) => topic === stationTopic && post({ kind: 'changed' })),
        outbox.onGap(() => post({ kind: 'reload' })),
      );
    },

    async stop(): Promise<void> {
      isStopped = true;
      for (const end of unsubscribe.splice(0)) end();
      for (const { reject } of asked.values()) reject(new Refusal('database_away'));
      await worker?.terminate();
      worker = null;
    },

    whole(variant: Variant, encoding: Encoding): Promise<MapAnswer> {
      const key = `${variant} ${encoding}`;
      const warm = wholes.get(key);
      if (warm) {
        warm.lastUsedAt = Date.now();
        return warm.answer;
      }
      const answer = ask(variant, encoding, null);
      const entry: Warm = { answer, variant, encoding, drawing, lastUsedAt: Date.now() };
      wholes.set(key, entry);
      answer.catch(() => wholes.get(key) === entry && wholes.delete(key));
      return answer;
    },

    /** What changed since that version, or the whole map when nobody can tell any more. */
    async since(variant: Variant, encoding: Encoding, since: string): Promise<MapAnswer> {
      const key = `${variant} ${encoding} ${since}`;
      const kept = changes.get(key);
      if (kept) return kept;
      const answer = ask(variant, encoding, since);
      if (changes.size >= mostKeptChanges) changes.clear();
      changes.set(key, answer);
      answer.catch(() => changes.get(key) === answer && changes.delete(key));
      return answer;
    },
  };
}

export type MapService = ReturnType<typeof createMapService>;
