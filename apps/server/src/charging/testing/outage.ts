import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { newPayment } from '@fpay/contract/charging';
import { kopecks, watts } from '@fpay/contract/money';
import { createSimulatedChargePoint } from '@fpay/simulator';
import { createRandom } from '@fpay/simulator/src/random.ts';
import { createSessions } from '../../account/sign-in/sessions.ts';
import { createUserStore } from '../../account/store.ts';
import { createChargePointRegistry } from '../../network/charge-points.ts';
import { openDatabase } from '../../platform/database.ts';
import { createSteps } from '../../platform/step.ts';
import { createTestClient } from '../../testing/client.ts';
import { testDatabase } from '../../testing/database.ts';
import { startProgram } from '../../testing/program.ts';
import type { ServerNode } from '../../testing/programs/server-node.ts';
import { freeTestPort } from '../../testing/server.ts';
import { createTimeline } from '../../testing/timeline.ts';
import { createWalletService } from '../../wallet/service.ts';
import { createWalletStore } from '../../wallet/store.ts';
import { accountId, network } from '../../wallet/transfer.ts';

/** Whether the device cuts the power itself when the profile of the deposit says so. */
export type Obedience = 'obeys profiles' | 'ignores profiles';

/** What one charger gave past the limit of its charge, from the moment when a kill took its socket until the next one. */
export interface OutageResult {
  kill: number;
  charger: string;
  kind: Obedience;
  awayMs: number;
  pastLimitWh: number;
  /** Rated power for the time without a socket and three seconds more. */
  boundWh: number;
}

export interface OutageOptions {
  chargersOfEachKind: number;
  kills: number;
  /** The least and the most time between two kills. */
  everyMs: readonly [number, number];
  seed: string;
}

const powerW = 60_000;
const priceOfKwh = kopecks(15_00);
const wallet = kopecks(100_000_00);
/** From 270 to 1,070 Wh: 16 to 64 s at rated power, so that many limits are reached while the server is away. */
const depositsUah = [4, 16] as const;
/** After the socket is back a stop may take this long. */
const allowedMs = 3_000;
const lookEveryMs = 25;

/**
 * Charges with small limits at chargers in real time, one after another, while the server is killed and started again all the
 * time. Measured at the chargers: what flowed past the limits.
 */
export async function runOutages({ chargersOfEachKind, kills, everyMs, seed }: OutageOptions): Promise<OutageResult[]> {
  const random = createRandom(seed);
  const timeline = createTimeline({ speed: 1 });
  const database = await testDatabase();
  const port = await freeTestPort();
  const secret = randomBytes(32).toString('hex');
  const env = {
    PORT: String(port),
    SECRET: secret,
    DATA_DIR: '/nonexistent',
    BANK_URL: 'http://127.0.0.1:9/bank',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    TRUST_PROXY: '127.0.0.1',
  };
  const { db, close } = openDatabase({ url: database.appUrl, poolSize: 8, connectTimeoutMs: 60_000 });
  const clock = timeline.server;
  const steps = createSteps(db, () => {});
  const registry = createChargePointRegistry({ db, steps, clock, secret });
  const users = createUserStore(db, steps, clock);
  const sessions = createSessions(db, clock);
  const money = createWalletService({ ledger: createWalletStore(db, clock) });
  const kinds = ['obeys profiles', 'ignores profiles'] as const;
  let isOver = false;
  let kill = 0;
  const results: OutageResult[] = [];

  async function startServer() {
    const node: ServerNode = { databaseUrl: database.appUrl, env, pace: timeline.pace, usualSpeed: 1 };
    const program = await startProgram('server-node', JSON.stringify(node));
    await program.printed('listening');
    return program;
  }

  async function addCharger(index: number, kind: Obedience) {
    const added = await registry.add({
      identity: `CP-${index}`,
      station: `F${2000 + index}`,
      connectors: [{ type: 'ccstype2', power: watts(powerW), price: priceOfKwh }],
    });
    const device = createSimulatedChargePoint({
      url: `ws://127.0.0.1:${port}/ocpp`,
      identity: added.identity,
      password: added.password,
      connectors: [{ id: 1, type: 'ccstype2', powerW }],
      behaviour: { commandDelayMs: [100, 300], startDelayMs: 500 },
      clock: timeline.simulator,
      random: createRandom(`${seed}/${index}`),
    });
    const user = await steps.run(async (step) => {
      const phone = `+38067${String(index).padStart(7, '0')}`;
      const id = await users.add(step, { name: 'A driver', phone, passwordHash: '-', role: 'User' });
      const row = await step.db.selectFrom('users').select('wallet_id').where('id', '=', id).executeTakeFirstOrThrow();
      const gift = {
        from: network.staff,
        to: accountId(Number(row.wallet_id)),
        amount: wallet,
        kind: 'admin' as const,
      };
      await money.transfer(step, [{ key: `outage:${id}`, ...gift }]);
      return id;
    });
    const session = await sessions.issue({ id: user, role: 'User' }, { ip: '127.0.0.1', userAgent: 'outage' }, null);
    const client = createTestClient(`http://127.0.0.1:${port}`, timeline.now, { 'x-forwarded-for': `10.0.0.${index}` });
    client.jar.set('fpay_session', session.token);
    client.jar.set('XSRF-TOKEN', session.csrfToken);
    return { name: added.identity, kind, device, client, connector: added.connectors[0]?.id ?? 0 };
  }

  type Charger = Awaited<ReturnType<typeof addCharger>>;

  /** Pays and charges, again and again; what is refused or lost by a kill is tried again. */
  async function keepCharging({ device, client, connector }: Charger): Promise<void> {
    const plug = device.connector(1);
    const car = { model: 'Test', batteryWh: 10_000_000, soc: 20, targetSoc: 100, maxAcW: powerW, maxDcW: powerW };
    while (!isOver) {
      if (plug.car === null) device.plug(1, { car });
      const amount = String(Math.round(random.between(...depositsUah)));
      const body = { connector, amount, payment_type: 'balance', target: 'uah' } as const;
      const status = await client.call(newPayment, { body }).then(
        (answer) => answer.status,
        () => 0,
      );
      await sleep(1_000);
      if (status !== 200) continue;
      const until = performance.now() + 20_000;
      while (plug.transaction === null && performance.now() < until) await sleep(100);
      while (plug.transaction !== null && !isOver) await sleep(100);
      if (plug.car !== null) device.unplug(1);
      await sleep(1_500);
    }
  }

  /** The limit of the operation that this charger charges for. */
  async function limitOf({ connector }: Charger): Promise<number | null> {
    const row = await db
      .selectFrom('operations')
      .select('energy_limit_wh')
      .where('connector_id', '=', connector)
      .where('status', 'in', ['starting', 'ongoing', 'finishing'])
      .orderBy('id', 'desc')
      .executeTakeFirst();
    return row?.energy_limit_wh ?? null;
  }

  async function watch(charger: Charger): Promise<void> {
    const { device, name, kind } = charger;
    const plug = device.connector(1);
    let begun: typeof plug.transaction = null;
    let limitWh: number | null = null;
    let pastBefore = 0;
    let lookedAt = performance.now();
    let current = null as OutageResult | null;
    while (!isOver) {
      await sleep(lookEveryMs);
      const at = performance.now();
      if (kind === 'ignores profiles') device.profiles = [];
      if (current?.kill !== kill) {
        current = { kill, charger: name, kind, awayMs: 0, pastLimitWh: 0, boundWh: 0 };
        results.push(current);
      }
      if (!device.uplink.isConnected) current.awayMs += at - lookedAt;
      lookedAt = at;
      if (plug.transaction === null) {
        begun = null;
        continue;
      }
      if (plug.transaction !== begun || limitWh === null) {
        begun = plug.transaction;
        pastBefore = 0;
        limitWh = await limitOf(charger).catch(() => null);
        continue;
      }
      const past = Math.max(0, plug.meterWh - plug.transaction.meterStartWh - limitWh);
      current.pastLimitWh += past - pastBefore;
      pastBefore = past;
    }
  }

  let server = await startServer();
  const chargers: Charger[] = [];
  try {
    for (const kind of kinds)
      for (let count = 0; count < chargersOfEachKind; count += 1)
        chargers.push(await addCharger(chargers.length + 1, kind));
    for (const { device } of chargers) device.start();
    await sleep(8_000);
    const working = chargers.flatMap((charger) => [keepCharging(charger), watch(charger)]);
    await sleep(everyMs[1]);
    for (let count = 1; count <= kills; count += 1) {
      await server.kill();
      kill = count;
      server = await startServer();
      await sleep(random.between(...everyMs));
    }
    isOver = true;
    for (const { device } of chargers) if (device.connector(1).car !== null) device.unplug(1);
    await Promise.allSettled(working);
  } finally {
    isOver = true;
    for (const { device } of chargers) device.stop();
    await server.kill();
    await close();
    await database.drop();
  }
  return results
    .filter((result) => result.kill > 0)
    .map((result) => ({ ...result, boundWh: (powerW * (result.awayMs + allowedMs)) / 3_600_000 }));
}

/** One row for each kill and kind: the charger that gave the largest share of its bound. */
export function outageTable(results: readonly OutageResult[]): string {
  const share = ({ pastLimitWh, boundWh }: OutageResult) => pastLimitWh / boundWh;
  const rows = [...Map.groupBy(results, ({ kill, kind }) => `${kill} ${kind}`).values()].map((group) => {
    const [worst] = group.toSorted((a, b) => share(b) - share(a));
    if (!worst) return '';
    const past = group.filter(({ pastLimitWh }) => pastLimitWh > 0).length;
    const { kill, kind, awayMs, pastLimitWh, boundWh } = worst;
    const wh = `${pastLimitWh.toFixed(0)} of ${boundWh.toFixed(0)} Wh`;
    return `| ${kill} | ${kind} | ${group.length} | ${past} | ${(awayMs / 1_000).toFixed(1)} s | ${wh} | ${(100 * share(worst)).toFixed(0)}% |`;
  });
  return [
    '| kill | chargers | number | past the limit | the worst: without socket | past the limit | of the bound |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}
