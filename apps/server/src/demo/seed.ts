import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { hashPassword } from '../account/passwords/passwords.ts';
import type { UserStore } from '../account/store.ts';
import type { Platform } from '../platform/platform.ts';
import type { Step } from '../platform/step.ts';
import { demoAccounts, demoParties, demoPassword } from './accounts.ts';
import type { DemoApp } from './demo-app.ts';
import { seedFleet } from './fleet.ts';
import { seedHistory } from './history.ts';
import { seedDemoNetwork } from './network/seed.ts';

/** Any number works as long as every node uses the same one. */
const seedLock = 3_80_443;
const lockRetryMs = 200;

/**
 * Fills an empty database with users and stations to try the product with; the second time it only writes the
 * simulator's file. When several nodes start at once, one does it and the others wait.
 */
export async function seedDemo(demo: DemoApp): Promise<void> {
  await demo.platform.db.connection().execute(async (connection) => {
    // Polled, because a statement may not take longer than 15 s.
    const take = () => sql<{ got: boolean }>`select pg_try_advisory_lock(${seedLock}) as got`.execute(connection);
    while (!(await take()).rows[0]?.got) await new Promise((resolve) => setTimeout(resolve, lockRetryMs));
    try {
      await seed(demo);
    } finally {
      await sql`select pg_advisory_unlock(${seedLock})`.execute(connection);
    }
  });
}

async function seed(demo: DemoApp): Promise<void> {
  const { steps, clock } = demo.platform;
  const { users } = demo.features.accounts;
  const { dataDir, secret, demoNetwork: size } = demo.config;
  const [first] = demoAccounts;
  const isNew = first !== undefined && !(await users.credentials(first.phone));
  if (isNew) await seedPeople({ steps, users, clock });
  if (size === 'none') return writeFleet(dataDir, { chargePoints: [], cards: [] });
  const network = await steps.run(async (step) => {
    const closed = await step.db
      .selectFrom('parties')
      .select('id')
      .where('is_closed', '=', true)
      .executeTakeFirstOrThrow();
    return seedDemoNetwork(step, { size, closedPartyId: closed.id, secret, now: clock.now() });
  });
  if (isNew) await seedHistory(demo, clock.now());
  await writeFleet(dataDir, { chargePoints: network, cards: await seedFleet(demo) });
}

/** The simulator waits for the file, so the file must appear as a whole. */
async function writeFleet(dataDir: string, fleet: object): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const file = join(dataDir, 'demo-network.json');
  await writeFile(`${file}.part`, JSON.stringify(fleet), { mode: 0o600 });
  await rename(`${file}.part`, file);
}

interface People extends Pick<Platform, 'steps' | 'clock'> {
  users: UserStore;
}

async function seedPeople({ steps, users, clock }: People): Promise<void> {
  const passwordHash = await hashPassword(demoPassword);
  await steps.run(async (step) => {
    const ids = new Map<string, number>();
    for (const { phone, name, role, car } of demoAccounts) {
      const id = await users.add(step, { name, phone, passwordHash, role });
      ids.set(phone, id);
      if (car) await addCar(step, id, car, clock.now());
    }
    for (const { name, isClosed, phones } of demoParties)
      await addParty(step, name, isClosed, phones, ids, clock.now());
  });
}

async function addCar(
  step: Step,
  userId: number,
  car: { name: string; battery: number; manufacturer: string; model: string },
  now: Date,
): Promise<void> {
  const { id } = await step.db
    .insertInto('cars')
    .values({ user_id: userId, ...car, battery: String(car.battery), created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  await step.db.updateTable('users').set({ active_car_id: id }).where('id', '=', userId).execute();
}

async function addParty(
  step: Step,
  name: string,
  isClosed: boolean,
  phones: readonly string[],
  ids: Map<string, number>,
  now: Date,
): Promise<void> {
  const members = phones.map((phone) => ids.get(phone)).filter((id) => id !== undefined);
  const [owner] = members;
  if (owner === undefined) return;
  const party = await step.db
    .insertInto('parties')
    .values({ name, is_closed: isClosed, owner_id: owner, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  await step.db
    .insertInto('party_members')
    .values(members.map((userId) => ({ user_id: userId, party_id: party.id, joined_at: now })))
    .execute();
}
