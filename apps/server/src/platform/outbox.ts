import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Database } from './database.ts';
import type { RowLoops } from './row-loops.ts';

const channel = 'fpay_outbox';
/** Whoever holds this lock on its listening connection is the leader; a dead node loses it with the connection. */
const leaderLock = 3_80_442;
/** What gathers within this is one NOTIFY: one in each transaction more than halves the rate of transfers. */
const gatherMs = 10;
/** The backstop: a lost NOTIFY costs this much, never the event. */
const sweepMs = 1_000;
const reconnectMs = 1_000;
/** Older rows are pruned; a node that was away for longer cannot know what it missed. */
export const outboxKeptMs = 10 * 60_000;

export interface OutboxEvent {
  topic: string;
  ref: string;
}

export interface Outbox {
  /** Events of every node, this one included, once each, in this process. */
  subscribe(listener: (event: OutboxEvent) => void): () => void;
  /** After a gap longer than rows are kept: whoever caches must start anew. */
  onGap(listener: () => void): () => void;
  /**
   * True on one node of all: for what must reach the outside once, not once per node. While the role changes hands,
   * for a second or two, nobody has it.
   */
  isLeader(): boolean;
  /** Something was committed here: look now and wake the other nodes. */
  wake(): void;
  start(): Promise<void>;
  stop(): Promise<void>;
}

interface Dependencies {
  db: Database;
  /** LISTEN needs a connection of its own. */
  url: string;
  log: Logger;
  rows?: Pick<RowLoops, 'failed'>;
}

/** Carries events between nodes through the table, woken by NOTIFY, swept once a second. */
export function createOutbox({ db, url, log, rows: loops }: Dependencies): Outbox {
  const listeners = new Set<(event: OutboxEvent) => void>();
  const gapListeners = new Set<() => void>();
  const self = randomUUID();
  let isStopped = true;
  let listening: pg.Client | null = null;
  let leading: pg.Client | null = null;
  let sweepTimer: NodeJS.Timeout | undefined;
  let gatherTimer: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> | null = null;
  let sweepAgain = false;

  // Everything of transactions before this one has been seen; of later ones, what is in `seen`, each with its transaction.
  let seenBelow: bigint | null = null;
  const seen = new Map<number, bigint>();
  let lastSweepAt = Date.now();

  async function sweepOnce(): Promise<void> {
    const startedAt = Date.now();
    const isFirst = seenBelow === null;
    // One statement, one snapshot: its xmin is the oldest transaction that may still add rows we cannot see yet. While a long
    // one is open, all that others commit stays above it: what was seen of that is not asked for again.
    const { rows } = await sql<{ id: number | null; topic: string; ref: string; txid: string; horizon: string }>`
      select o.id, o.topic, o.ref, o.txid::text, pg_snapshot_xmin(pg_current_snapshot())::text as horizon
      from (select 1) as always
      left join outbox o on o.txid >= ${String(seenBelow ?? 0)}::xid8 and o.id <> all(${`{${[...seen.keys()]}}`}::bigint[])
      order by o.id`.execute(db);
    const hadGap = !isFirst && startedAt - lastSweepAt > outboxKeptMs;
    lastSweepAt = startedAt;
    const horizon = BigInt(rows[0]?.horizon ?? 0);
    seenBelow = horizon;
    for (const [id, txid] of seen) if (txid < horizon) seen.delete(id);
    for (const { id, topic, ref, txid } of rows) {
      if (id === null) continue;
      if (BigInt(txid) >= horizon) seen.set(id, BigInt(txid));
      // A node that has just started serves nobody who could have missed anything.
      if (!isFirst) for (const listener of listeners) deliver(listener, { topic, ref });
    }
    if (hadGap) for (const listener of gapListeners) listener();
  }

  /** A listener that throws keeps the event from no other listener, and no later event from itself. */
  function deliver(listener: (event: OutboxEvent) => void, event: OutboxEvent): void {
    try {
      listener(event);
    } catch (error) {
      const id = `${event.topic} ${event.ref}`;
      if (loops) loops.failed('outbox.event', id, error);
      else log.error({ err: error, id }, 'event failed');
    }
  }

  /** Never two sweeps at once; a wake during one makes it look once more. */
  function sweep(): Promise<void> {
    if (sweeping) {
      sweepAgain = true;
      return sweeping;
    }
    sweeping = (async () => {
      do {
        sweepAgain = false;
        try {
          await sweepOnce();
        } catch (error) {
          if (!isStopped) log.warn({ err: error }, 'outbox sweep failed, next one follows');
        }
      } while (sweepAgain && !isStopped);
      sweeping = null;
    })();
    return sweeping;
  }

  async function listen(): Promise<void> {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000, keepAlive: true });
    const lost = (error?: Error) => {
      if (isStopped || listening !== client) return;
      listening = null;
      log.warn({ err: error }, 'outbox listener lost, sweeping goes on');
      client.end().catch(() => {});
      setTimeout(relisten, reconnectMs).unref();
    };
    client.on('error', lost);
    client.on('end', () => lost());
    client.on('notification', ({ payload }) => {
      // Our own: we looked when we sent it.
      if (payload !== self) void sweep();
    });
    listening = client;
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
    } catch (error) {
      lost(error as Error);
    }
  }

  async function tryToLead(): Promise<void> {
    const client = listening;
    if (!client || leading === client) return;
    const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [leaderLock]);
    if (rows[0]?.got) leading = client;
  }

  function relisten(): void {
    if (!isStopped) void listen().then(() => sweep());
  }

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onGap(listener) {
      gapListeners.add(listener);
      return () => gapListeners.delete(listener);
    },
    isLeader: () => leading !== null && leading === listening,
    wake() {
      if (isStopped || gatherTimer) return;
      gatherTimer = setTimeout(() => {
        gatherTimer = undefined;
        void sweep();
        sql`select pg_notify(${channel}, ${self})`.execute(db).catch((error) => {
          if (!isStopped) log.warn({ err: error }, 'outbox notify failed, other nodes sweep');
        });
      }, gatherMs);
    },
    async start() {
      isStopped = false;
      await listen();
      await sweep();
      await tryToLead().catch(() => {});
      sweepTimer = setInterval(() => {
        void sweep();
        // A failure here is the connection's, whose own error handler reconnects.
        tryToLead().catch(() => {});
      }, sweepMs);
    },
    async stop() {
      isStopped = true;
      clearInterval(sweepTimer);
      clearTimeout(gatherTimer);
      const client = listening;
      listening = null;
      await sweeping;
      await client?.end().catch(() => {});
    },
  };
}
