import pg from 'pg';

/** A host of the database as it is written in the address. */
export interface DatabaseHost {
  host: string;
  port: number;
  /** The whole address with this host alone. */
  url: string;
}

/** A host that vanished does not refuse a connection, so an answer is waited for no longer than this. */
const probeTimeoutMs = 1_500;

/**
 * The hosts of `postgres://user:password@a:5432,b:5432/fpay`, as libpq writes them. npm's pg knows one host only and
 * `URL` does not read such an address. Null when it is not the address of a PostgreSQL.
 */
export function databaseHosts(url: string): DatabaseHost[] | null {
  const match = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]+)(.*)$/.exec(url);
  if (!match) return null;
  const [, head = '', list = '', rest = ''] = match;
  const hosts = list.split(',').map((item) => `${head}${item}${rest}`);
  if (!hosts.every((one) => URL.canParse(one))) return null;
  return hosts.map((one) => {
    const { hostname, port } = new URL(one);
    return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? 5432 : Number(port), url: one };
  });
}

/** No host takes writes now: a failover is under way, or all are down. The code is that of a connection failure. */
export class NoPrimary extends Error {
  readonly code = '08001';
  constructor(reasons: string[]) {
    super(`no host of the database takes writes: ${reasons.join('; ')}`);
    this.name = 'NoPrimary';
  }
}

export interface PrimaryFinder {
  /** The host that takes writes; asks all of them only when none is known. */
  find(): Promise<DatabaseHost>;
  /** Called when a connection to it failed, or when it turned out to be a standby. */
  forget(): void;
}

/**
 * Finds the primary among several hosts. When two claim to be it, the one with the later timeline was promoted later.
 * A host with an earlier timeline than one seen before is an old primary that came back without being made a standby;
 * writing there would split the data in two, so it is not used.
 */
export function createPrimaryFinder(hosts: DatabaseHost[]): PrimaryFinder {
  let known: DatabaseHost | null = null;
  let finding: Promise<DatabaseHost> | null = null;
  let latestTimeline = 0;

  async function ask(): Promise<DatabaseHost> {
    const answers = await Promise.allSettled(hosts.map(timelineOf));
    const reasons: string[] = [];
    let best: { host: DatabaseHost; timeline: number } | null = null;
    for (const [index, answer] of answers.entries()) {
      const host = hosts[index] as DatabaseHost;
      const name = `${host.host}:${host.port}`;
      if (answer.status === 'rejected') reasons.push(`${name} ${(answer.reason as Error).message}`);
      else if (answer.value === null) reasons.push(`${name} is a standby`);
      else if (answer.value < latestTimeline) reasons.push(`${name} is an old primary (timeline ${answer.value})`);
      else if (best === null || answer.value > best.timeline) best = { host, timeline: answer.value };
    }
    if (best === null) throw new NoPrimary(reasons);
    latestTimeline = best.timeline;
    return best.host;
  }

  return {
    async find() {
      if (known) return known;
      finding ??= ask().finally(() => {
        finding = null;
      });
      known = await finding;
      return known;
    },
    forget() {
      known = null;
    },
  };
}

/** The timeline that the host writes, or null for a standby. */
async function timelineOf({ url }: DatabaseHost): Promise<number | null> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: probeTimeoutMs,
    query_timeout: probeTimeoutMs,
  });
  // The awaited calls report the same errors.
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ timeline: string | null }>(
      'select case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline',
    );
    const timeline = rows[0]?.timeline ?? null;
    return timeline === null ? null : Number.parseInt(timeline, 16);
  } finally {
    void client.end().catch(() => {});
  }
}

/** One finder for each address in a process, so that the pool, the listener and the map agree. */
const finders = new Map<string, PrimaryFinder>();

function finderOf(url: string, hosts: DatabaseHost[]): PrimaryFinder {
  const finder = finders.get(url) ?? createPrimaryFinder(hosts);
  finders.set(url, finder);
  return finder;
}

type Connected = (error: Error | null | undefined, client?: pg.Client) => void;

/** A client that connects to the primary of the address. With one host it is the plain client of pg. */
export class PrimaryClient extends pg.Client {
  readonly #finder: PrimaryFinder | null;

  constructor(config: pg.ClientConfig & { connectionString: string }) {
    const hosts = databaseHosts(config.connectionString) ?? [];
    super({ ...config, connectionString: hosts[0]?.url ?? config.connectionString });
    this.#finder = hosts.length > 1 ? finderOf(config.connectionString, hosts) : null;
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.Client> | undefined {
    if (this.#finder === null) {
      if (!callback) return super.connect() as unknown as Promise<pg.Client>;
      super.connect(callback as (error: Error) => void);
      return undefined;
    }
    const connected = this.#toPrimary(this.#finder);
    if (!callback) return connected;
    connected.then(() => callback(null, this), callback);
    return undefined;
  }

  async #toPrimary(finder: PrimaryFinder): Promise<pg.Client> {
    const { host, port } = await finder.find();
    Object.assign(this, { host, port });
    try {
      await super.connect();
      // The known primary may have come back as a standby since.
      const { rows } = await super.query<{ is_standby: boolean }>('select pg_is_in_recovery() as is_standby');
      if (rows[0]?.is_standby) throw new NoPrimary([`${host}:${port} has become a standby`]);
      return this;
    } catch (error) {
      finder.forget();
      void this.end().catch(() => {});
      throw error;
    }
  }
}
