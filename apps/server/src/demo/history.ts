import { type Kopecks, kopecks } from '@fpay/contract/money';
import { energyLimitOf } from '@fpay/contract/price';
import { sql } from 'kysely';
import { createFeatures } from '../app/features.ts';
import { singleUseTag } from '../charging/lifecycle/single-use-tag.ts';
import type { StoredOperation } from '../charging/store.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step } from '../platform/step.ts';
import { createMetrics } from '../platform/watching/metrics.ts';
import { demoAccounts } from './accounts.ts';
import type { DemoApp } from './demo-app.ts';
import { giverOf } from './giver.ts';

const dayMs = 24 * 60 * 60_000;
const yearDays = 365;
const chargesEach = 45;
const chargesPerTopUp = 5;
const comments = ['Усе швидко', 'Зручно, дякую', null, null, 'Кабель закороткий', null];

/** A driver who cannot pay does not charge that day. */
function ignorePoverty(error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
}

/** Pseudo-random numbers from 0 to 1 that are the same at every start. */
function createDice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * A year of charges for the demo's drivers, made by the product's own code with a clock in the past, so that money, log
 * and ledger are consistent.
 */
export async function seedHistory(demo: DemoApp, today: Date): Promise<void> {
  const { db } = demo.platform;
  const connectors = await db
    .selectFrom('connectors as c')
    .innerJoin('tariffs as t', 't.id', 'c.tariff_id')
    .innerJoin('stations as s', 's.id', 'c.station_id')
    .select(['c.id', 'c.station_id', 'c.charge_point_id', 'c.ocpp_connector', 't.price'])
    .where('t.price', '>', 0)
    .where('s.party_id', 'is', null)
    .orderBy('c.id')
    .limit(120)
    .execute();
  const phones = demoAccounts.filter(({ car }) => car).map(({ phone }) => phone);
  const users = await db
    .selectFrom('users')
    .select(['id', 'active_car_id as car'])
    .where('phone_number', 'in', phones)
    .orderBy('id')
    .execute();
  const staff = await giverOf(db);
  await Promise.all(users.map((user) => seedDriver(demo, today, user, { connectors, staff })));
}

interface Driver {
  id: number;
  car: number | null;
}

interface Outlet {
  id: number;
  station_id: number;
  charge_point_id: number;
  ocpp_connector: number;
  price: number;
}

async function seedDriver(
  demo: DemoApp,
  today: Date,
  user: Driver,
  { connectors, staff }: { connectors: Outlet[]; staff: number },
): Promise<void> {
  let now = today;
  const clock = { now: () => now };
  const rest = { register: () => {}, wake: () => {}, start: () => {}, stop: async () => {} };
  const { db, steps, outbox } = demo.platform;
  const silent = { ...outbox, subscribe: () => () => {}, onGap: () => () => {} };
  const platform = { ...demo.platform, clock, dueWork: rest, outbox: silent, metrics: createMetrics() };
  const past = createFeatures({ platform, config: demo.config, publish: () => {} });
  const dice = createDice(20_261_115 + user.id);

  async function open(step: Step, connector: Outlet, deposit: Kopecks): Promise<StoredOperation | null> {
    const price = kopecks(connector.price);
    const { id } = await step.db
      .insertInto('operations')
      .values({
        user_id: user.id,
        station_id: connector.station_id,
        connector_id: connector.id,
        charge_point_id: connector.charge_point_id,
        car_id: user.car,
        status: 'created',
        payment_type: 'bonuses',
        target: 'uah',
        price,
        deposit,
        energy_limit_wh: energyLimitOf(deposit, price),
        id_tag: singleUseTag(),
        created_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const paid = { operation: id, user: user.id, method: 'bonuses' as const, deposit, description: 'demo' };
    await past.payments.service.openHold(step, paid);
    return past.charging.operations.lock(step, id);
  }

  /** The device's reports of the start and the end. */
  async function run(step: Step, connector: Outlet, { id, idTag }: StoredOperation, energyWh: number): Promise<void> {
    const device = {
      chargePointId: connector.charge_point_id,
      identity: '',
      connectorId: connector.id,
      ocppConnector: connector.ocpp_connector,
    };
    const transaction = { ...device, ocppTransactionId: 0, receivedAt: now, startedAt: now };
    await past.charging.hooks.transactionStarted(step, {
      ...transaction,
      idTag,
      meterStartWh: 0,
      isClockSkewed: false,
      stillOpen: [],
      continuesOperation: null,
    });
    now = new Date(now.getTime() + 20 * 60_000 + energyWh);
    await past.charging.hooks.transactionEnded(step, {
      ...transaction,
      operationId: id,
      idTag: null,
      reason: 'EVDisconnected',
      energyWh,
      stoppedAt: now,
      receivedAt: now,
      billedAt: now,
      isFromLastReading: false,
      isCorrection: false,
    });
  }

  async function charge(at: Date): Promise<void> {
    const connector = connectors[Math.floor(dice() * connectors.length)];
    if (!connector) return;
    const energyWh = 4_000 + Math.floor(dice() * 41_000);
    const deposit = kopecks(Math.ceil((energyWh * connector.price * (1 + dice() / 2)) / 1000));
    const rating = 3 + Math.floor(dice() * 3);
    now = at;
    await steps.run(async (step) => {
      // The data is generated, so it need not survive a crash; waiting for the disk after each charge would make the
      // first start slow.
      await sql`set local synchronous_commit = off`.execute(step.db);
      const operation = await open(step, connector, deposit);
      if (!operation) return;
      await run(step, connector, operation, energyWh);
      const comment = comments[Math.floor(dice() * comments.length)] ?? null;
      if (dice() < 0.4) {
        await step.db
          .insertInto('feedback')
          .values({ operation_id: operation.id, user_id: user.id, rating, comment, created_at: now })
          .execute();
      }
    });
  }

  async function topUp(at: Date): Promise<void> {
    now = new Date(at.getTime() - dayMs / 24);
    const requestKey = `demo:${user.id}:${now.getTime()}`;
    await past.wallet.staffMoney.increase({ staff, user: user.id, amount: kopecks(1_800_00), requestKey });
  }

  for (let index = 0; index < chargesEach; index += 1) {
    const daysAgo = yearDays - ((index + dice()) * yearDays) / chargesEach;
    const at = new Date(today.getTime() - Math.max(daysAgo, 0.2) * dayMs);
    if (index % chargesPerTopUp === 0) await topUp(at);
    await charge(at).catch(ignorePoverty);
  }
  const created_at = new Date(today.getTime() - (yearDays + 1) * dayMs);
  await db.updateTable('users').set({ created_at }).where('id', '=', user.id).execute();
}
