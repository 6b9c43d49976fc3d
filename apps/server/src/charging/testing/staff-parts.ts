import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { createFeatures } from '../../app/features.ts';
import { readConfig } from '../../config/config.ts';
import { paymentRules } from '../../payments/nightly/ledger-rules.ts';
import type { Clock } from '../../platform/clock.ts';
import { preparedStatementMarker } from '../../platform/database.ts';
import type { DueKind } from '../../platform/jobs/due-work.ts';
import { openPlatform } from '../../platform/platform.ts';
import type { Steps } from '../../platform/step.ts';
import { checkLedger, ledgerRules } from '../../wallet/check.ts';

/** Work that makes itself due at once without an end would hang a test. */
const mostRounds = 20;

interface StaffPartsSetup {
  databaseUrl: string;
  bankUrl: string;
  clock: Clock;
  /** Other steps than the usual ones, for example steps that crash. */
  wrapSteps?: (steps: Steps) => Steps;
  /** In kopecks; without it one staff member may do everything alone, as a test of many actions needs. */
  staffLimit?: number;
}

/**
 * The features on a given database and bank, without sockets. Nothing happens by itself: due work runs when it is asked to, and
 * only that of payments. It needs no test runner, because it also runs in a program that is killed.
 */
export function wireStaffParts({ databaseUrl, bankUrl, clock, wrapSteps, staffLimit = 1_000_000_00 }: StaffPartsSetup) {
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' });
  const { platform: usual, close } = openPlatform({ databaseUrl, log, clock, preparesAll: true });
  const { db } = usual;
  const steps = wrapSteps?.(usual.steps) ?? usual.steps;
  const kinds: DueKind[] = [];
  const dueWork = { ...usual.dueWork, register: (kind: DueKind) => void kinds.push(kind), wake() {} };
  const platform = { ...usual, steps, dueWork };
  const env = { SECRET: 'a secret of tests that is long enough', DATA_DIR: mkdtempSync(join(tmpdir(), 'fpay-test-')) };
  const config = readConfig(
    { ...env, BANK_URL: bankUrl, STAFF_MONEY_LIMIT: String(staffLimit) },
    { mode: 'demo', roles: ['api'] },
  );
  const features = createFeatures({ platform, config, publish() {} });
  const stations = features.ocpp.staff.commands;

  /** What payments and refunds of one user have to do at the bank by now, and what that makes due. */
  async function runDue(user: number): Promise<void> {
    const own = sql`select id from payments where user_id = ${user}`;
    for (let count = 1; count > 0; ) {
      count = 0;
      for (const kind of kinds) {
        if (!('run' in kind) || (kind.table !== 'payments' && kind.table !== 'refunds')) continue;
        const { rows } = await sql<{ id: number; due_claim: number }>`
          update ${sql.table(kind.table)} set due_claim = due_claim + 1,
            next_action_at = ${clock.now()}::timestamptz + interval '45 s'
          where next_action_at <= ${clock.now()} and ${sql.ref(kind.table === 'payments' ? 'id' : 'payment_id')} in (${own})
          returning id, due_claim`.execute(db);
        for (const { id, due_claim } of rows) await kind.run(id, due_claim);
        count += rows.length;
      }
    }
  }

  /** What each kind of row of one user is found by. Rows of other kinds have nothing to do with a charge. */
  const ofUser = (user: number) => {
    const own = sql`select id from operations where user_id = ${user}`;
    return {
      operations: sql<boolean>`user_id = ${user}`,
      idle_watches: sql<boolean>`id in (${own})`,
      commands: sql<boolean>`operation_id in (${own})`,
      payments: sql<boolean>`user_id = ${user}`,
      refunds: sql<boolean>`payment_id in (select id from payments where user_id = ${user})`,
    };
  };

  async function runRow(kind: DueKind, id: number, claim: number): Promise<void> {
    if ('run' in kind) return kind.run(id, claim);
    await usual.steps.run(async (step) => {
      await kind.lockFirst?.(step, id);
      await kind.act(step, id);
    });
  }

  /** The kinds that have due rows of the user, in one statement. */
  async function dueKinds(where: ReturnType<typeof ofUser>): Promise<DueKind[]> {
    const ofCharge = kinds.filter(({ table }) => table in where);
    const questions = ofCharge.map(
      ({ name, table }) => sql`select ${sql.lit(name)} as name where exists (
        select from ${sql.table(table)} where next_action_at <= ${clock.now()} and ${where[table as keyof typeof where]})`,
    );
    const { rows } = await sql<{
      name: string;
    }>`${sql.raw(preparedStatementMarker)} ${sql.join(questions, sql` union all `)}`.execute(db);
    return ofCharge.filter(({ name }) => rows.some((row) => row.name === name));
  }

  /** Everything of one user that is due by now: operations, commands to devices, payments and refunds. */
  async function runAllDue(user: number): Promise<void> {
    const where = ofUser(user);
    for (let rounds = 0; ; rounds += 1) {
      const due = await dueKinds(where);
      if (due.length === 0) return;
      if (rounds === mostRounds) throw new Error(`the due work of user ${user} does not end`);
      for (const kind of due) {
        const { rows } = await sql<{ id: number; due_claim: number }>`
          update ${sql.table(kind.table)} set due_claim = due_claim + 1,
            next_action_at = ${clock.now()}::timestamptz + interval '45 s'
          where next_action_at <= ${clock.now()} and ${where[kind.table as keyof typeof where]}
          returning id, due_claim`.execute(db);
        for (const { id, due_claim } of rows) await runRow(kind, id, due_claim);
      }
    }
  }

  return {
    db,
    steps: usual.steps,
    runAllDue,
    features,
    stations,
    runDue,
    faults: () => checkLedger(db, [...ledgerRules, ...paymentRules]),
    close,
  };
}

export type StaffParts = ReturnType<typeof wireStaffParts>;
