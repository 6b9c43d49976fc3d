import { spawn } from 'node:child_process';
import type { OperationStatus } from '@fpay/contract/charging';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundledProgram } from '../../testing/bundled-program.ts';
import { runsAll, sliceOf } from '../../testing/slice.ts';
import { type PaidBy, type StaffSubject, staffActions } from '../testing/staff-actions.ts';
import type { StaffProgram } from '../testing/staff-program.ts';
import { openStaffActions } from '../testing/staff-subjects.ts';

/**
 * The process that does a money action of staff is killed in the middle of it. Another process gets the same request again and goes
 * on with what is due: the charge, its payment and the books end as if nothing had happened.
 */
const program = new URL('../testing/staff-program.ts', import.meta.url);
/** Each kill needs a process, on a machine that may be busy with other tests. */
const timeout = 240_000;
const atOnce = 3;

let subjects: Awaited<ReturnType<typeof openStaffActions>>;
beforeAll(async () => {
  subjects = await openStaffActions();
  // The programs do not move the bank's clock, so the bank must not wait for it.
  await subjects.switchBank({ cancelMs: 0 });
});
afterAll(async () => {
  await subjects.close();
});

/** The points that it passed, or null when it was killed. */
async function runProgram(action: string, subject: StaffSubject, dieAt: number): Promise<string[] | null> {
  const { databaseUrl, bankUrl, clock } = subjects;
  const order: StaffProgram = { action, subject, databaseUrl, bankUrl, now: clock.now().toISOString(), dieAt };
  const { file, env } = await bundledProgram(program);
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file, JSON.stringify(order)], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    let [output, errors] = ['', ''];
    child.stdout.on('data', (data) => {
      output += data;
    });
    child.stderr.on('data', (data) => {
      errors += data;
    });
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      if (signal === 'SIGKILL') resolve(null);
      else if (code === 0) resolve(JSON.parse(output));
      else reject(new Error(`the program ended with ${code}: ${errors}`));
    });
  });
}

/** The middle of the longest transaction and its last statement, each commit, and each answer of the bank. */
function killsOf(points: string[]): number[] {
  const commits = points.flatMap((name, index) => (name === 'commit' ? [index] : []));
  const { commit, statements } = commits
    .map((at, n) => ({ commit: at, statements: at - (commits[n - 1] ?? -1) - 1 }))
    .reduce((most, one) => (one.statements > most.statements ? one : most));
  const marks = points.flatMap((name, index) => (name === 'statement' ? [] : [index]));
  return [commit - Math.ceil(statements / 2), commit - 1, ...marks].map((index) => index + 1);
}

const allCases: { action: string; status: OperationStatus; paidBy: PaidBy }[] = [
  { action: 'finalize with the total', status: 'pending_final_payment', paidBy: 'card' },
  { action: 'finalize below the total', status: 'pending_final_payment', paidBy: 'card' },
  { action: 'finalize below the total', status: 'finished', paidBy: 'card' },
  { action: 'cancel hold', status: 'pending_final_payment', paidBy: 'card' },
  { action: 'cancel hold', status: 'ongoing', paidBy: 'card' },
  { action: 'cancel payment', status: 'finished', paidBy: 'card' },
  { action: 'cancel payment in part', status: 'finished', paidBy: 'card' },
  { action: 'cancel transaction with return', status: 'finished', paidBy: 'balance' },
  { action: 'cancel transaction with partial return', status: 'finished', paidBy: 'balance' },
  { action: 'give money', status: 'finished', paidBy: 'balance' },
  { action: 'take money', status: 'finished', paidBy: 'balance' },
  { action: 'force energy of 60 Wh with update_total', status: 'finished', paidBy: 'card' },
  { action: 'force energy of 60 Wh with update_total', status: 'finished', paidBy: 'balance' },
  { action: 'force energy of 200 Wh with update_total', status: 'finished', paidBy: 'card' },
  { action: 'finish', status: 'ongoing', paidBy: 'card' },
  { action: 'force status canceled', status: 'ongoing', paidBy: 'card' },
];

/**
 * All of them take minutes, so `npm test` runs one that the commit chooses, and with `TEST_ALL=1` one at the bank, one at the bank in
 * part, and one of the balance.
 */
const shortList = ['finalize below the total', 'cancel payment in part', 'give money'];
const isFull = process.env.PROOF === 'full';

function chosenCases() {
  if (isFull) return allCases;
  if (!runsAll) return sliceOf('kills of staff actions', allCases, 1 / allCases.length);
  return allCases.filter(({ action, status }) => shortList.includes(action) && status === 'finished');
}

test.each(chosenCases())(
  'killed in the middle of "$action" of a charge that is $status, paid by $paidBy: it is done once after the restart',
  { timeout },
  async ({ action, status, paidBy }) => {
    const whole = await subjects.subjectIn(status, paidBy);
    const points = (await runProgram(action, whole, 0)) ?? [];
    await subjects.settleAtBank(whole.user);
    const expected = await subjects.stateOf(whole);
    const kills = killsOf(points);
    expect(kills.length).toBeGreaterThan(2);

    const killed: { at: number; subject: StaffSubject }[] = [];
    for (const at of kills) killed.push({ at, subject: await subjects.subjectIn(status, paidBy) });
    for (let first = 0; first < killed.length; first += atOnce) {
      const batch = killed.slice(first, first + atOnce);
      const ends = await Promise.all(batch.map(({ at, subject }) => runProgram(action, subject, at)));
      expect(ends).toEqual(batch.map(() => null));
    }
    for (const { at, subject } of killed) {
      // The answer was lost, so the client sends the request again; then the leases of the dead process run out.
      await staffActions[action]?.(subjects, subject);
      for (let minute = 0; minute < 3; minute += 1) {
        subjects.advance(60_000);
        await subjects.settleAtBank(subject.user);
      }
      const point = `${at} of ${points.length}: ${points[at - 1]}`;
      expect({ point, ...(await subjects.stateOf(subject)) }).toEqual({ point, ...expected });
    }
    expect(await subjects.faults()).toEqual([]);
  },
);
