import { execFile } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUserStore } from '../account/store.ts';
import { systemClock } from '../platform/clock.ts';
import { type DatabaseHandle, openDatabase } from '../platform/database.ts';
import { createSteps } from '../platform/step.ts';
import { bundledProgram } from '../testing/bundled-program.ts';
import { testDatabase } from '../testing/database.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
let handle: DatabaseHandle;
beforeAll(async () => {
  database = await testDatabase();
  handle = openDatabase({ url: database.appUrl, poolSize: 2 });
});
afterAll(async () => {
  await handle.close();
  await database.drop();
});

async function staff(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  const program = await bundledProgram(new URL('./staff.ts', import.meta.url));
  const env = { ...program.env, PATH: process.env.PATH, DATABASE_URL: database.appUrl };
  return new Promise((resolve) => {
    execFile(process.execPath, [program.file, ...words], { env }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    );
  });
}

/** The records about this user, each with who acted. */
async function recordsOf(user: number): Promise<string[]> {
  const rows = await handle.db
    .selectFrom('audit')
    .select(['actor', 'staff_id', 'action'])
    .where('subject_kind', '=', 'user')
    .where('subject_id', '=', String(user))
    .orderBy('id')
    .execute();
  expect(rows.every(({ staff_id }) => staff_id === null)).toBe(true);
  return rows.map(({ actor, action }) => `${actor}: ${action}`);
}

test('an operator confirms a staff member after a restoration by SMS, once, and log and audit show it [ADM-OP-33]', async () => {
  const steps = createSteps(handle.db, () => {});
  const users = createUserStore(handle.db, steps, systemClock);
  const id = await steps.run(async (step) => {
    await users.add(step, { name: 'Driver', phone: '+380501112234', passwordHash: '-' });
    const admin = await users.add(step, { name: 'Admin', phone: '+380501112233', passwordHash: '-', role: 'Admin' });
    await users.markSmsRestored(step, admin);
    return admin;
  });
  const confirmed = await staff('confirm', '--phone', '+380501112233');
  expect([confirmed.code, confirmed.out]).toEqual([0, '+380501112233 gets the second factor by SMS again.\n']);
  expect((await users.find(id))?.isSmsRestored).toBe(false);
  const log = await handle.db.selectFrom('user_log').select(['actor', 'text']).where('user_id', '=', id).execute();
  expect(log).toEqual([{ actor: 'command line', text: 'confirmed after a restoration by SMS' }]);
  expect(await recordsOf(id)).toEqual(['command line: user.confirm-restoration']);

  // Together, because each is a process that takes seconds to start on a busy machine.
  const [again, driver, unknown] = await Promise.all([
    staff('confirm', '--phone', '+380501112233'),
    staff('confirm', '--phone', '+380501112234'),
    staff('forgive'),
  ]);
  expect(again.out).toContain('nothing to confirm');
  expect(driver).toMatchObject({ code: 2 });
  expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining('Usage:') });
});

test('an operator makes a user who has signed up the first super administrator, and no other user staff by mistake [ADM-OP-33]', async () => {
  const steps = createSteps(handle.db, () => {});
  const users = createUserStore(handle.db, steps, systemClock);
  const id = await steps.run((step) => users.add(step, { name: 'First', phone: '+380501112299', passwordHash: '-' }));
  await handle.db
    .insertInto('sessions')
    .values({
      user_id: id,
      token_hash: Buffer.from('first'),
      csrf_token: '-',
      ip: '127.0.0.1',
      user_agent: '-',
      created_at: new Date(),
      last_seen_at: new Date(),
      expires_at: new Date(Date.now() + 3_600_000),
    })
    .execute();
  const add = (phone: string, role: string) => staff('add', '--phone', phone, '--role', role);
  const [added, unknown, driver] = await Promise.all([
    add('+380501112299', 'SuperAdmin'),
    add('+380500000000', 'SuperAdmin'),
    add('+380501112299', 'User'),
  ]);
  expect([added.code, added.out]).toEqual([0, '+380501112299 is SuperAdmin now and signs in again.\n']);
  expect([unknown.code, driver.code]).toEqual([2, 2]);
  expect((await users.find(id))?.role).toBe('SuperAdmin');
  const sessions = await handle.db.selectFrom('sessions').select('id').where('user_id', '=', id).execute();
  expect(sessions).toEqual([]);
  expect((await add('+380501112299', 'SuperAdmin')).out).toContain('already');
  expect(await recordsOf(id)).toEqual(['command line: user.set-role']);
});

test('an operator approves what waits for a second staff member: it happens, once, and the audit says who [ADM-OP-31]', async () => {
  const steps = createSteps(handle.db, () => {});
  const users = createUserStore(handle.db, steps, systemClock);
  const [author, driver] = await steps.run(async (step) => [
    await users.add(step, { name: 'Only', phone: '+380501112201', passwordHash: '-', role: 'Admin' }),
    await users.add(step, { name: 'Driver', phone: '+380501112202', passwordHash: '-' }),
  ]);
  const { id } = await handle.db
    .insertInto('staff_approvals')
    .values({
      kind: 'increase',
      subject_kind: 'user',
      subject_id: driver,
      worth: 9_000_00,
      recipient_id: driver,
      requested_by: author,
      request_key: 'of the only one',
      created_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  expect(await staff('approve', String(id))).toMatchObject({
    code: 0,
    out: `Approved: increase of user ${driver}, 9000.00 UAH.\n`,
  });
  const balance = handle.db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.wallet_id')
    .select('balance');
  expect(await balance.where('users.id', '=', driver).executeTakeFirst()).toEqual({ balance: 9_000_00 });
  const record = handle.db.selectFrom('audit').select('staff_id').where('action', '=', 'balance.approve-increase');
  expect(await record.executeTakeFirst()).toEqual({ staff_id: null });
  const [again, unknown, wrong] = await Promise.all([
    staff('approve', String(id)),
    staff('approve', '999999'),
    staff('approve', 'it'),
  ]);
  expect([again.code, unknown.code, wrong.code]).toEqual([1, 1, 2]);
}, 120_000);
