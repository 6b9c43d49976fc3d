import { setTimeout as sleep } from 'node:timers/promises';
import { kopecks } from '@fpay/contract/money';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { keptLog } from '../testing/kept-log.ts';
import { prepareProduct, productAt } from '../testing/product-cluster.ts';
import { type ClusterRoom, openClusterRoom, type RealCluster, systemPrograms } from '../testing/real-cluster.ts';
import type { ScriptedDevice } from '../testing/scripted-device.ts';
import { type Stack, startStack } from '../testing/stack.ts';

/**
 * A primary and a standby with synchronous commit. While charges run, the primary is killed, the standby is promoted
 * after the time in which a supervisor would notice it, and the product goes on by itself. Nothing that was acknowledged
 * to a charger or a driver may be missing. Needs the programs of PostgreSQL (Debian: postgresql).
 */
const charges = Number(process.env.PROOF_CHARGES ?? 200);
const drivers = 20;
const noticedAfterMs = 5_000;
const goesOnWithinMs = 60_000;
const price = 15_00;

let room: ClusterRoom;
let a: RealCluster;
let b: RealCluster;
let stack: Stack;
const { log, lines } = keptLog();

beforeAll(async () => {
  const programs = systemPrograms();
  if (programs === null) throw new Error('PostgreSQL is not installed here (Debian: apt-get install postgresql)');
  room = await openClusterRoom({ programs });
  a = await room.create('a', { wal_level: 'replica' });
  await a.start();
  await prepareProduct(a);
  b = await room.copy(a, 'b');
  await b.start();
  await a.query("alter system set synchronous_standby_names = 'FIRST 1 (b)'");
  await a.query('select pg_reload_conf()');
  await vi.waitFor(
    async () => expect(await a.query('select sync_state from pg_stat_replication')).toEqual([{ sync_state: 'sync' }]),
    { timeout: 30_000 },
  );
  stack = await startStack({ database: productAt(a, b), log });
}, 400_000);
afterAll(async () => {
  await stack?.close();
  await room?.remove();
});

interface RunningCharge {
  id: number;
  transactionId: number;
  /** Readings that the server has answered: the time and the register. */
  acknowledged: { at: string; wh: number }[];
  /** When the first reading after the kill was answered. */
  againAt: number | null;
  end(): Promise<void>;
}

let killedAt: number | null = null;
/** A call that began before the kill may have been stored before it. */
const isAfterKill = (startedAt: number) => killedAt !== null && startedAt > killedAt;

/** Sends a reading each second and repeats one that was not answered, over a new connection when it was lost. */
function keepCharging(
  first: ScriptedDevice,
  connect: () => Promise<ScriptedDevice>,
  { id, transactionId }: Pick<RunningCharge, 'id' | 'transactionId'>,
): RunningCharge {
  let device = first;
  let wh = 0;
  let isEnding = false;
  const charge: RunningCharge = { id, transactionId, acknowledged: [], againAt: null, end };

  async function insist(send: () => Promise<unknown>): Promise<void> {
    for (;;) {
      const startedAt = Date.now();
      try {
        await send();
        if (isAfterKill(startedAt)) charge.againAt ??= Date.now();
        return;
      } catch {
        await sleep(1_000);
        // An error without a lost connection is an answer too: the message is repeated as chargers do.
        await device.call('Heartbeat', {}).catch(async () => {
          await device.close();
          device = await connect().catch(() => device);
        });
      }
    }
  }

  const running = (async () => {
    while (!isEnding) {
      wh += 15;
      const at = new Date().toISOString();
      await insist(() => device.meter(1, transactionId, wh, 50_000, at));
      charge.acknowledged.push({ at, wh });
      await sleep(1_000);
    }
  })();

  async function end(): Promise<void> {
    isEnding = true;
    await running;
    await insist(() => device.stop(transactionId, wh));
  }
  return charge;
}

/** One after another for each driver, because a driver may have one unpaid operation. */
async function startCharges(count: number, isCard: boolean): Promise<RunningCharge[]> {
  const driver = await stack.driver(isCard ? 0 : count * 100_00);
  const started: RunningCharge[] = [];
  for (let index = 0; index < count; index += 1) {
    const { device, connector, connect } = await stack.addScripted({ price });
    const payment = { connector, amount: '100', payment_type: isCard ? 'card' : 'balance' } as const;
    const { status, body } = await stack.pay(driver.client, payment);
    expect(status, JSON.stringify(body)).toBe(200);
    if (isCard) await stack.payAtBank(body.page_url);
    const { idTag } = await device.asked('RemoteStartTransaction');
    const { transactionId } = await device.start(1, String(idTag), 0);
    const row = await stack.db
      .selectFrom('ocpp_transactions')
      .select('operation_id')
      .where('id', '=', transactionId)
      .executeTakeFirstOrThrow();
    started.push(keepCharging(device, connect, { id: Number(row.operation_id), transactionId }));
  }
  return started;
}

/** Money moves all the time; each transfer that was confirmed is remembered. */
function keepPaying(staff: number, user: number) {
  const confirmed: string[] = [];
  let isEnding = false;
  let againAt: number | null = null;
  const running = (async () => {
    for (let index = 0; !isEnding; index += 1) {
      const requestKey = `failover:${index}`;
      let startedAt = 0;
      for (let isDone = false; !isDone; ) {
        startedAt = Date.now();
        isDone = await stack.staffMoney.increase({ staff, user, amount: kopecks(1), requestKey }).then(
          () => true,
          () => sleep(100, false),
        );
      }
      confirmed.push(requestKey);
      if (isAfterKill(startedAt)) againAt ??= Date.now();
      await sleep(20);
    }
  })();
  return {
    confirmed,
    againAt: () => againAt,
    async end() {
      isEnding = true;
      await running;
    },
  };
}

test(`the primary is killed with ${charges} charges running: the product goes on within a minute, and every acknowledged reading and payment is there`, async () => {
  const each = Math.ceil(charges / drivers);
  const running: RunningCharge[] = [];
  // A few at a time, because a busy machine must not fail before the database does.
  const waiting = Array.from({ length: drivers }, (_, index) => index);
  const start = async () => {
    for (let index = waiting.shift(); index !== undefined; index = waiting.shift())
      running.push(...(await startCharges(each, index % 2 === 0)));
  };
  await Promise.all([start(), start(), start()]);
  const paid = await stack.driver();
  const money = keepPaying(await stack.giver(), paid.id);
  await vi.waitFor(() => expect(running.every(({ acknowledged }) => acknowledged.length >= 3)).toBe(true), {
    timeout: 120_000,
  });
  // A charge point that loses its network during the outage and does not come back must be shown as offline.
  const gone = await stack.addScripted();

  const before = running.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
  await a.kill();
  killedAt = Date.now();
  await gone.device.close();
  await sleep(noticedAfterMs);
  await b.promote();
  const promotedAt = Date.now();
  await vi.waitFor(
    () => {
      expect(money.againAt()).not.toBeNull();
      expect(running.filter(({ againAt }) => againAt === null).length).toBe(0);
    },
    { timeout: goesOnWithinMs + 30_000, interval: 100 },
  );
  const after = (at: number | null) => (at ?? Number.NaN) - (killedAt ?? 0);
  const readings = running.map(({ againAt }) => after(againAt)).sort((x, y) => x - y);
  expect(readings.at(-1)).toBeLessThan(goesOnWithinMs);
  expect(after(money.againAt())).toBeLessThan(goesOnWithinMs);
  expect((await fetch(`${stack.url}/readyz`)).status).toBe(200);

  await Promise.all(running.map(({ end }) => end()));
  await money.end();
  await vi.waitFor(
    async () => {
      const { rows } = await sql<{ status: string }>`
        select distinct status from operations where id = any(${running.map(({ id }) => id)}::bigint[])`.execute(
        stack.db,
      );
      expect(rows).toEqual([{ status: 'finished' }]);
    },
    { timeout: 180_000, interval: 1_000 },
  );
  expect(await missingReadings(running)).toEqual([]);
  // Each confirmed transfer was one kopeck; one that was repeated after an unknown outcome counts once.
  const { rows: wallets } = await sql<{ balance: number }>`
    select a.balance from users u join accounts a on a.id = u.wallet_id where u.id = ${paid.id}`.execute(stack.db);
  expect(wallets[0]?.balance).toBe(money.confirmed.length);
  await stack.checkBooks();
  await vi.waitFor(
    async () => {
      const row = await stack.db
        .selectFrom('charge_point_links as l')
        .innerJoin('charge_points as p', 'p.id', 'l.charge_point_id')
        .select('l.node_id')
        .where('p.identity', '=', gone.identity)
        .executeTakeFirstOrThrow();
      expect(row.node_id).toBeNull();
    },
    { timeout: 60_000, interval: 500 },
  );

  const acknowledged = running.reduce((sum, charge) => sum + charge.acknowledged.length, 0);
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  console.log(
    [
      `charges running                               ${running.length}`,
      `readings acknowledged before / in all         ${before} / ${acknowledged}, missing 0`,
      `transfers confirmed                           ${money.confirmed.length}, in the books ${wallets[0]?.balance}`,
      `kill to promotion (waited on purpose)         ${seconds(promotedAt - (killedAt ?? 0))}`,
      `kill to the first confirmed transfer          ${seconds(after(money.againAt()))}`,
      `kill to the first / last charge going on      ${seconds(readings[0] ?? 0)} / ${seconds(readings.at(-1) ?? 0)}`,
      `log lines at level error                      ${lines.filter(({ level }) => level >= 50).length}`,
    ].join('\n'),
  );
}, 900_000);

async function missingReadings(running: RunningCharge[]): Promise<string[]> {
  const missing: string[] = [];
  for (const { transactionId, acknowledged } of running) {
    const rows = await stack.db
      .selectFrom('meter_samples')
      .select(['sampled_at', 'energy_wh'])
      .where('ocpp_transaction_id', '=', transactionId)
      .execute();
    const there = new Set(rows.map(({ sampled_at, energy_wh }) => `${sampled_at.toISOString()} ${energy_wh}`));
    for (const { at, wh } of acknowledged) if (!there.has(`${at} ${wh}`)) missing.push(`${transactionId} ${at} ${wh}`);
  }
  return missing;
}
