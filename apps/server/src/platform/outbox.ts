import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Database } from './database.ts';
import { PrimaryClient } from './primary.ts';
import type { RowLoops } from './rows/row-loops.ts';
import type { Topic } from './topics.ts';

const channel = 'fpay_outbox';
/**
 * The node that holds this lock on its listening connection is the leader; a dead node loses it with the connection.
 */
const leaderLock = 3_80_442;
/**
 * Events of this interval share one NOTIFY, because a NOTIFY in each transaction more than halves the rate of
 * transfers.
 */
const notifyDelayMs = 10;
/** The fallback: a lost NOTIFY delays an event by this much and never loses it. */
const sweepMs = 1_000;
const reconnectMs = 1_000;
/** The clocks of two hosts of the database may differ by less than this. */
const promotionMarginMs = 10_000;
/** Older rows are pruned; a node that was away for longer cannot know what it missed. */
export const outboxKeptMs = 10 * 60_000;

/** For a statement that changes rows and publishes them itself: the part that publishes. `refs` selects one text column. */
export const outboxInsert = (topic: Topic, refs: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`insert into outbox (topic, ref) select ${sql.lit(topic)}, changed.ref from (${refs}) as changed (ref)`;

/** Marks the events of a topic that were not counted before and returns their refs. For a listener that numbers them. */
export const countEvents = (topic: Topic): RawBuilder<unknown> =>
  sql`update outbox set is_counted = true where topic = ${topic} and not is_counted returning ref`;

interface EventRow {
  /** Null when there is no event. */
  id: number | null;
  topic: string;
  ref: string;
  txid: string;
  horizon: string;
  timeline: string;
}

type Listener = (ref: string) => void;

export interface Outbox {
  /** Calls the listener once, in this process, for each event of the topic from every node, this one included. */
  subscribe(topic: Topic, listener: Listener): () => void;
  /** Called after a gap longer than rows are stored: caches must be read again. */
  onGap(listener: () => void): () => void;
  /**
   * True on exactly one node: for messages that must reach an external service once, not once per node. While the role
   * changes over, for a second or two, no node has it.
   */
  isLeader(): boolean;
  /** Something was committed here: look for events now and wake the other nodes. */
  wake(): void;
  start(): Promise<void>;
  stop(): Promise<void>;
}

interface Dependencies {
  db: Database;
  /** LISTEN and the leader's lock need a connection of their own, which no pool in between may share. */
  url: string;
  log: Logger;
  rows?: Pick<RowLoops, 'failed'>;
}

/** Carries events between nodes through the table. NOTIFY wakes the nodes; a sweep once a second is the fallback. */
export function createOutbox({ db, url, log, rows: loops }: Dependencies): Outbox {
  const listeners = new Map<string, Set<Listener>>();
  const gapListeners = new Set<() => void>();
  const self = randomUUID();
  let isStopped = true;
  let listening: pg.Client | null = null;
  let leading: pg.Client | null = null;
  let sweepTimer: NodeJS.Timeout | undefined;
  let notifyTimer: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> | null = null;
  let sweepAgain = false;

  // Every row of transactions before this one has been seen. Rows seen of later transactions are in `seen`, each with
  // its transaction.
  let seenBelow: bigint | null = null;
  const seen = new Map<number, bigint>();
  let lastSweepAt = Date.now();
  /** Changes when another host becomes the primary. */
  let timeline: string | null = null;

  async function read(which: RawBuilder<unknown>): Promise<EventRow[]> {
    // One statement has one snapshot: its xmin is the oldest transaction that may still add rows that we cannot see
    // yet. While a long transaction is open, everything that others commit stays above it; rows already seen there are
    // not read again.
    const { rows } = await sql<EventRow>`
      select o.id, o.topic, o.ref, o.txid::text, pg_snapshot_xmin(pg_current_snapshot())::text as horizon,
        left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline
      from (select 1) as always
      left join outbox o on ${which}
      order by o.id`.execute(db);
    return rows;
  }

  async function sweepOnce(): Promise<void> {
    const startedAt = Date.now();
    const isFirst = seenBelow === null;
    let rows = await read(
      sql`o.txid >= ${String(seenBelow ?? 0)}::xid8 and o.id <> all(${`{${[...seen.keys()]}}`}::bigint[])`,
    );
    if (timeline !== null && rows[0]?.timeline !== timeline) {
      // A promoted standby may not know the last transactions of the old primary and gives their numbers to others, so
      // what we have seen is found by time. An event that comes twice does no harm, because every node gets it anyway.
      seen.clear();
      const sinceMs = startedAt - lastSweepAt + promotionMarginMs;
      rows = await read(sql`o.created_at > clock_timestamp() - ${sinceMs} * interval '1 ms'`);
      log.warn({ timeline: rows[0]?.timeline }, 'database promoted');
    }
    timeline = rows[0]?.timeline ?? null;
    const hadGap = !isFirst && startedAt - lastSweepAt > outboxKeptMs;
    lastSweepAt = startedAt;
    const horizon = BigInt(rows[0]?.horizon ?? 0);
    seenBelow = horizon;
    for (const [id, txid] of seen) if (txid < horizon) seen.delete(id);
    for (const { id, topic, ref, txid } of rows) {
      if (id === null) continue;
      if (BigInt(txid) >= horizon) seen.set(id, BigInt(txid));
      // A node that has just started has no clients yet that could have missed an event.
      if (!isFirst) for (const listener of listeners.get(topic) ?? []) deliver(listener, topic, ref);
    }
    if (hadGap) for (const listener of gapListeners) listener();
  }

  /** A listener that throws does not keep the event from other listeners, nor later events from itself. */
  function deliver(listener: Listener, topic: string, ref: string): void {
    try {
      listener(ref);
    } catch (error) {
      const id = `${topic} ${ref}`;
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
          if (!isStopped) log.warn({ err: error }, 'outbox sweep failed');
        }
      } while (sweepAgain && !isStopped);
      sweeping = null;
    })();
    return sweeping;
  }

  async function listen(): Promise<void> {
    const client = new PrimaryClient({ connectionString: url, connectionTimeoutMillis: 3_000, keepAlive: true });
    const lost = (error?: Error) => {
      if (isStopped || listening !== client) return;
      listening = null;
      log.warn({ err: error }, 'outbox listener lost');
      client.end().catch(() => {});
      setTimeout(relisten, reconnectMs).unref();
    };
    client.on('error', lost);
    client.on('end', () => lost());
    client.on('notification', ({ payload }) => {
      // This node looked for events when it sent its own NOTIFY.
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
    subscribe(topic, listener) {
      const ofTopic = listeners.get(topic) ?? new Set();
      listeners.set(topic, ofTopic.add(listener));
      return () => ofTopic.delete(listener);
    },
    onGap(listener) {
      gapListeners.add(listener);
      return () => gapListeners.delete(listener);
    },
    isLeader: () => leading !== null && leading === listening,
    wake() {
      if (isStopped || notifyTimer) return;
      notifyTimer = setTimeout(() => {
        notifyTimer = undefined;
        void sweep();
        sql`select pg_notify(${channel}, ${self})`.execute(db).catch((error) => {
          if (!isStopped) log.warn({ err: error }, 'outbox notify failed');
        });
      }, notifyDelayMs);
    },
    async start() {
      isStopped = false;
      await listen();
      await sweep();
      await tryToLead().catch(() => {});
      sweepTimer = setInterval(() => {
        void sweep();
        // A failure here means that the connection broke; its own error handler reconnects.
        tryToLead().catch(() => {});
      }, sweepMs);
    },
    async stop() {
      isStopped = true;
      clearInterval(sweepTimer);
      clearTimeout(notifyTimer);
      const client = listening;
      listening = null;
      await sweeping;
      await client?.end().catch(() => {});
    },
  };
}
