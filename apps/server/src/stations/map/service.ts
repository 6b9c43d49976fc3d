import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Outbox } from '../../platform/outbox.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Variant } from './atlas.ts';
import type { Ask, FromWorker, MapAnswer, MapEncoding, ToWorker, WorkerOptions } from './messages.ts';

/** The map as bytes. `whole` and `since` refuse `database_away` while nothing has been drawn yet. */
export interface MapService {
  start(): void;
  stop(): Promise<void>;
  /** @refuses database_away */
  whole(variant: Variant, encoding: MapEncoding): Promise<MapAnswer>;
  /**
   * The changes since that version, or the whole map when they are no longer known.
   * @refuses database_away
   */
  since(variant: Variant, encoding: MapEncoding, since: string): Promise<MapAnswer>;
}

/**
 * Drawing and compressing 50,000 stations takes a while; doing it more often would keep a core busy for a difference
 * that users do not see.
 */
const defaultRedrawEveryMs = 2_000;
/** Maps that were not requested for this long are not redrawn in advance. */
const keptWarmMs = 60_000;
/** Regular clients request the same few versions; more than this means that a client is guessing numbers. */
const mostKeptChanges = 500;
const requestTimeoutMs = 10_000;
const restartMs = 1_000;

interface Dependencies {
  databaseUrl: string;
  isPooled?: boolean;
  outbox: Outbox;
  log: Logger;
  redrawEveryMs?: number;
}

/** A whole map that is in use. */
interface Warm {
  variant: Variant;
  encoding: MapEncoding;
  answer: Promise<MapAnswer>;
  /** How many times the map had changed when this answer was requested. */
  drawing: number;
  lastUsedAt: number;
}

/**
 * The map as bytes in memory. Requests are answered from here; a separate thread draws and compresses. The last map is
 * sent even while the database is away.
 */
export function createMapService({
  databaseUrl,
  isPooled = false,
  outbox,
  log,
  redrawEveryMs = defaultRedrawEveryMs,
}: Dependencies): MapService {
  const wholes = new Map<string, Warm>();
  const changes = new Map<string, Promise<MapAnswer>>();
  const requests = new Map<number, { resolve(answer: MapAnswer): void; reject(error: Error): void; ask: Ask }>();
  let drawing = 0;
  let lastAsk = 0;
  let worker: Worker | null = null;
  let isStopped = true;
  let isChangeNoted = false;
  const unsubscribe: (() => void)[] = [];

  function post(message: ToWorker): void {
    worker?.postMessage(message);
  }

  function ask(variant: Variant, encoding: MapEncoding, since: string | null): Promise<MapAnswer> {
    lastAsk += 1;
    const question: Ask = { id: lastAsk, variant, encoding, since };
    return new Promise<MapAnswer>((resolve, reject) => {
      const timeout = setTimeout(() => {
        requests.delete(question.id);
        reject(new Refusal('database_away', { retryAfter: 5 }));
      }, requestTimeoutMs);
      const settled = () => {
        clearTimeout(timeout);
        requests.delete(question.id);
      };
      requests.set(question.id, {
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

  /** The map changed: maps in use are redrawn, and each replaces the old one when it is ready. */
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
      // Two drawings may be in progress; the later one wins.
      if (asOf < warm.drawing) return;
      warm.answer = answer;
      warm.drawing = asOf;
    };
    answer.then(replace, () => log.warn('map drawing late'));
  }

  function hear(message: FromWorker): void {
    if (message.kind === 'answer') requests.get(message.id)?.resolve(message.answer);
    else if (message.kind === 'redrawn') redrawn();
    else if (message.kind === 'advanced') changes.clear();
    else log.warn({ reason: message.message }, 'map drawing failed');
  }

  function startWorker(): void {
    const workerData: WorkerOptions = { databaseUrl, isPooled, redrawEveryMs };
    // The thread has a heap of its own, whose young generation would otherwise grow to 64 MB and stay there.
    const resourceLimits = { maxYoungGenerationSizeMb: 16 };
    const started = new Worker(new URL('./worker.ts', import.meta.url), { workerData, resourceLimits });
    worker = started;
    started.on('message', hear);
    started.on('error', (error) => log.error({ err: error }, 'map worker restarted'));
    started.on('exit', () => {
      if (isStopped || worker !== started) return;
      worker = null;
      setTimeout(() => !isStopped && startWorker(), restartMs).unref();
    });
    // Requests that were waiting for the dead worker are sent to the new one.
    for (const { ask: question } of requests.values()) post({ kind: 'ask', ...question });
  }

  /** The events of one sweep are one message to the thread, because a storm of statuses brings thousands of them. */
  function noteChange(): void {
    if (isChangeNoted) return;
    isChangeNoted = true;
    setImmediate(() => {
      isChangeNoted = false;
      post({ kind: 'changed' });
    });
  }

  return {
    start(): void {
      isStopped = false;
      startWorker();
      unsubscribe.push(
        outbox.subscribe('station', noteChange),
        outbox.onGap(() => post({ kind: 'reload' })),
      );
    },

    async stop(): Promise<void> {
      isStopped = true;
      for (const end of unsubscribe.splice(0)) end();
      for (const { reject } of requests.values()) reject(new Refusal('database_away'));
      await worker?.terminate();
      worker = null;
    },

    whole(variant: Variant, encoding: MapEncoding): Promise<MapAnswer> {
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

    async since(variant: Variant, encoding: MapEncoding, since: string): Promise<MapAnswer> {
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
