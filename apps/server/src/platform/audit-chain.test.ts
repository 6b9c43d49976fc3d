import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../testing/database.ts';
import { createAudit, type StaffAction } from './audit.ts';
import { auditHead, checkAuditChain } from './audit-chain.ts';
import { systemClock } from './clock.ts';
import { type DatabaseHandle, openDatabase } from './database.ts';
import { createSteps, type Steps } from './step.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
let opened: DatabaseHandle;
let owner: pg.Client;
let steps: Steps;
const audit = createAudit(systemClock);
beforeEach(async () => {
  database = await testDatabase();
  opened = openDatabase({ url: database.appUrl, poolSize: 12 });
  owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
  steps = createSteps(opened.db, () => {});
});
afterEach(async () => {
  await owner.end();
  await opened.close();
  await database.drop();
});

const anAction = (id: number, more: Partial<StaffAction> = {}): StaffAction => ({
  staff: 7,
  action: 'operation.finish',
  subject: { kind: 'operation', id },
  before: { status: 'ongoing' },
  after: { status: 'finished', total: 12.5 },
  ...more,
});
const write = (id: number, more: Partial<StaffAction> = {}) => steps.run((step) => audit(step, anAction(id, more)));
const faults = async () => (await checkAuditChain(opened.db)).map(({ id, fault }) => `${id}: ${fault}`);

/** Somebody with all rights on the database, who lifts its rules and puts them back. */
async function tamper(table: 'audit' | 'audit_chain' | 'audit_personal', statement: string): Promise<void> {
  await owner.query('begin');
  await owner.query(`alter table ${table} disable trigger user`);
  await owner.query(statement);
  await owner.query(`alter table ${table} enable trigger user`);
  await owner.query('commit');
}

test('rows that many steps write at once stand in one chain without gaps, and steps that fail leave none [ADM-OP-33]', async () => {
  const failed = (id: number) =>
    steps
      .run(async (step) => {
        await audit(step, anAction(id));
        throw new Error('undone');
      })
      .catch(() => {});
  await Promise.all(Array.from({ length: 60 }, (_, id) => (id % 5 === 4 ? failed(id) : write(id))));
  expect(await faults()).toEqual([]);
  expect((await auditHead(opened.db)).seq).toBe(48);
});

test('a step holds the chain only while it commits, so a long one stops no other [ADM-OP-33]', async () => {
  await steps.run(async (step) => {
    await audit(step, anAction(1));
    await write(2);
    await write(3);
  });
  expect(await faults()).toEqual([]);
  const { rows } = await owner.query('select audit_id::int from audit_chain order by seq');
  // In the order of their commits.
  expect(rows.map(({ audit_id }) => audit_id)).toEqual([2, 3, 1]);
});

test.each([
  ['audit', `update audit set after = '{"status":"finished","total":13}' where id = 2`, '2: the row was altered'],
  ['audit', 'update audit set staff_id = 8 where id = 2', '2: the row was altered'],
  ['audit', 'delete from audit where id = 2', '2: the row is missing'],
  ['audit_chain', 'delete from audit_chain where audit_id = 2', 'null: a link of the chain is missing'],
  ['audit_personal', `update audit_personal set "values" = '{"text":"other"}'`, '3: the personal part was altered'],
  [
    'audit_personal',
    `update audit_personal set "values" = null, salt = null, erased_at = now()`,
    '3: the personal part was erased and the account exists',
  ],
  ['audit_personal', 'delete from audit_personal', '3: the personal part is missing'],
] as const)('in %s after "%s" the check says so [ADM-OP-33]', async (table, statement, fault) => {
  const { rows } = await owner.query(
    `insert into users (name, phone_number, created_at) values ('A', '+380670000001', now()) returning id::int`,
  );
  await write(1);
  await write(2);
  await write(3, { personal: { text: 'Please call us' }, person: rows[0].id });
  await write(4);
  expect(await faults()).toEqual([]);
  await tamper(table, statement);
  expect(await faults()).toContain(fault);
});

test('the newest rows cannot be cut off unseen: the head stays, and a head that was noted outside shows more [ADM-OP-33]', async () => {
  for (const id of [1, 2, 3]) await write(id);
  const noted = await auditHead(opened.db);
  await tamper('audit', 'delete from audit where id = 3');
  await tamper('audit_chain', 'delete from audit_chain where audit_id = 3');
  expect(await faults()).toContain('null: the chain does not end as its head says');

  // With the head put back as well, only what was noted outside the database can show it.
  await owner.query(
    `update audit_head set (seq, hash) = (select seq, hash from audit_chain order by seq desc limit 1)`,
  );
  expect(await faults()).toEqual([]);
  expect((await checkAuditChain(opened.db, [noted])).map(({ fault }) => fault)).toEqual([
    'the newest rows are missing',
  ]);
  await write(4);
  expect((await checkAuditChain(opened.db, [noted])).map(({ fault }) => fault)).toEqual([
    'the chain is not the one that was noted',
  ]);
});

test('a row that was written past the trigger shows [ADM-OP-33]', async () => {
  await write(1);
  await tamper(
    'audit',
    `insert into audit (staff_id, action, subject_kind, subject_id, created_at) values (1, 'x', 'user', '1', now())`,
  );
  expect(await faults()).toEqual(['2: the row is not in the chain']);
});

test("the product's role can neither write the chain nor change a personal part [ADM-OP-33]", async () => {
  await write(1, { personal: { text: 'Hello' }, person: 1 });
  const asProduct = new pg.Client({ connectionString: database.appUrl });
  await asProduct.connect();
  try {
    for (const statement of [
      'update audit_head set seq = 0',
      'delete from audit_chain',
      "insert into audit_chain (seq, audit_id, hash) values (9, 9, sha256(''))",
      'update audit_personal set user_id = 2',
      'delete from audit_personal',
      'truncate audit_personal',
    ]) {
      await expect(asProduct.query(statement), statement).rejects.toThrow(/permission denied/);
    }
    await expect(asProduct.query('select chain_audit()')).rejects.toThrow();
    await expect(asProduct.query('select forget_audit(1)')).rejects.toThrow(/is not deleted/);
  } finally {
    await asProduct.end();
  }
});
