import { kopecks, watts } from '@fpay/contract/money';
import { type ChargePoint, createSimulatedChargePoint } from '@fpay/simulator';
import { createRandom, type Random } from '@fpay/simulator/src/random.ts';
import { type ScenarioName, scenarioNames } from '@fpay/simulator/src/scenario.ts';
import { createSessions } from '../../account/sign-in/sessions.ts';
import { createUserStore } from '../../account/store.ts';
import { createChargePointRegistry } from '../../network/charge-points.ts';
import type { Database } from '../../platform/database.ts';
import { createSteps } from '../../platform/step.ts';
import { type Client, createTestClient } from '../../testing/client.ts';
import type { Timeline } from '../../testing/timeline.ts';
import { createWalletService } from '../../wallet/service.ts';
import { createWalletStore } from '../../wallet/store.ts';
import { accountId, network } from '../../wallet/transfer.ts';
import { createDriver, type Driver } from './crowd-driver.ts';
import { type TroubleName, troubleNames } from './crowd-trouble.ts';

interface Dependencies {
  db: Database;
  secret: string;
  port: number;
  bankUrl: string;
  timeline: Timeline;
  random: Random;
  seed: string;
  drivers: number;
  misbehaving: number;
}

export const wallet = kopecks(500_00);
export const priceOfKwh = kopecks(15_00);
/** Every second of the normal charge points has trouble from elsewhere, and every fourth has two staff members. */
const troubledEvery = 2;
const staffedEvery = 4;
const misbehaviours = scenarioNames.filter((name) => name !== 'normal');

/** Drivers with their charge points, one charge point that measures how fast the server answers, and two staff members. */
export async function addNetwork(dependencies: Dependencies): Promise<{
  drivers: Driver[];
  probe: ChargePoint;
  staff: [Client, Client];
}> {
  const { db, secret, port, bankUrl, timeline, random, seed, drivers: count, misbehaving } = dependencies;
  const clock = timeline.server;
  const steps = createSteps(db, () => {});
  const registry = createChargePointRegistry({ db, steps, clock, secret });
  const users = createUserStore(db, steps, clock);
  const sessions = createSessions(db, clock);
  const money = createWalletService({ ledger: createWalletStore(db, clock) });

  // A small crowd does not have each kind of trouble, so its seed chooses with which it begins.
  const first = createRandom(`${seed} first`).between(0, misbehaviours.length);
  const drivers: Driver[] = [];
  for (let index = 0; index < count; index += 1) {
    const isWell = index >= misbehaving;
    const scenario: ScenarioName = isWell
      ? 'normal'
      : (misbehaviours[(index + Math.floor(first)) % misbehaviours.length] ?? 'normal');
    const trouble = isWell ? troubleOf(index - misbehaving) : null;
    const { device, connector } = await addChargePoint(index, scenario);
    const user = await addUser(`+38067${String(index).padStart(7, '0')}`, 'User');
    const client = await signedIn(user, 'User', index);
    drivers.push(createDriver({ user, client, device, connector, scenario, timeline, bankUrl, random, trouble }));
  }
  const staff: [Client, Client] = [
    await signedIn(await addUser('+380679999999', 'Admin'), 'Admin', count),
    await signedIn(await addUser('+380679999998', 'Admin'), 'Admin', count + 1),
  ];
  const { device: probe } = await addChargePoint(count, 'normal');
  probe.start();
  return { drivers, probe, staff };

  function troubleOf(index: number): TroubleName | null {
    const turn = index / troubledEvery;
    if (Number.isInteger(turn)) return troubleNames[turn % troubleNames.length] ?? null;
    return index % staffedEvery === 1 && troubleNames.includes('two staff') ? 'two staff' : null;
  }

  async function addUser(phone: string, role: 'User' | 'Admin'): Promise<number> {
    return steps.run(async (step) => {
      const id = await users.add(step, { name: role, phone, passwordHash: '-', role });
      const { wallet_id } = await step.db
        .selectFrom('users')
        .select('wallet_id')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      const gift = { from: network.staff, to: accountId(Number(wallet_id)), amount: wallet, kind: 'admin' as const };
      await money.transfer(step, [{ key: `crowd:${id}`, ...gift }]);
      return id;
    });
  }

  async function signedIn(id: number, role: 'User' | 'Admin', index: number): Promise<Client> {
    const session = await sessions.issue({ id, role }, { ip: '127.0.0.1', userAgent: 'crowd' }, null);
    // Each driver has its own address, as through a proxy, because the calls of one address are limited.
    const headers = { 'x-forwarded-for': `10.0.${index >> 8}.${index & 255}` };
    const client = createTestClient(`http://127.0.0.1:${port}`, timeline.now, headers);
    client.jar.set('fpay_session', session.token);
    client.jar.set('XSRF-TOKEN', session.csrfToken);
    return client;
  }

  async function addChargePoint(index: number, scenario: ScenarioName) {
    const added = await registry.add({
      identity: `CP-${index}`,
      station: `F${2000 + index}`,
      connectors: [{ type: 'ccstype2', power: watts(60_000), price: priceOfKwh }],
    });
    const device = createSimulatedChargePoint({
      url: `ws://127.0.0.1:${port}/ocpp`,
      identity: added.identity,
      password: added.password,
      connectors: [{ id: 1, type: 'ccstype2', powerW: 60_000 }],
      scenario,
      clock: timeline.simulator,
      random: createRandom(`${seed}/${index}`),
    });
    return { device, connector: added.connectors[0]?.id ?? 0 };
  }
}
