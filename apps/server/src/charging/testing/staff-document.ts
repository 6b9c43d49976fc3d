import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { OperationStatus } from '@fpay/contract/charging';
import { type RefusalCode, refusals } from '@fpay/contract/refusals';
import { Refusal } from '../../platform/refusal.ts';
import { type PaidBy, type StaffSubject, staffActions } from './staff-actions.ts';
import { type Bound, boundsOf, boundsOfAll } from './staff-bounds.ts';
import type { openStaffActions, StaffState } from './staff-subjects.ts';

type Subjects = Awaited<ReturnType<typeof openStaffActions>>;

/** One action on one charge, and what it left behind once the bank had answered. */
export interface StaffRun {
  action: string;
  status: OperationStatus;
  paidBy: PaidBy;
  refusal: RefusalCode | null;
  /** Columns of the document. */
  effects: { operation: string; payment: string; ledger: string; station: string };
  /** The rules of the ledger check that this charge breaks afterwards. */
  faults: string[];
}

const actions = Object.keys(staffActions);
const waysToPay: readonly PaidBy[] = ['card', 'balance', 'free'];
const ofPayments = /^(force hold|cancel|finalize)/;
const ofOthers = /^(give|take|RESET|REMOTE)/;

/**
 * The ways to pay that lead to a state. A deposit from the balance is there at once and settled at once, so there is no state that
 * waits for it; a free charge has no payment at all. An action that does not look at the payment runs once for each state.
 */
function paidIn(status: OperationStatus, action: string): PaidBy[] {
  const isCardOnly = status === 'created' || status === 'failed_hold' || status === 'pending_final_payment';
  if (isCardOnly || ofOthers.test(action)) return ['card'];
  return ofPayments.test(action) ? ['card', 'balance'] : ['card', 'balance', 'free'];
}

/** Takes every action in these states. The runs are listed by action, then by state. */
export async function runStaffActions(subjects: Subjects, states: readonly OperationStatus[]): Promise<StaffRun[]> {
  const runs: StaffRun[] = [];
  const known = new Set<string>();
  for (const status of states) {
    for (const paidBy of waysToPay) {
      let charge: StaffSubject | null = null;
      for (const action of actions.filter((name) => paidIn(status, name).includes(paidBy))) {
        charge ??= await subjects.subjectIn(status, paidBy);
        const { isUnchanged, ...run } = await runOnce(subjects, action, status, paidBy, charge);
        // A refused action changed nothing, so the books are as they were, and the next action may have the same charge.
        const all = run.refusal === null ? await subjects.faults() : [];
        charge = run.refusal !== null && isUnchanged ? { ...charge, requestKey: randomUUID() } : null;
        const added = all.filter(({ rule, subject }) => !known.has(`${rule} ${subject}`));
        for (const { rule, subject } of added) known.add(`${rule} ${subject}`);
        runs.push({ ...run, faults: [...new Set(added.map(({ rule }) => rule))] });
      }
    }
  }
  // Each action has its runs in the order of the states already, because sorting keeps the order of equals.
  return runs.toSorted((one, other) => actions.indexOf(one.action) - actions.indexOf(other.action));
}

async function runOnce(
  subjects: Subjects,
  action: string,
  status: OperationStatus,
  paidBy: PaidBy,
  charge: StaffSubject,
) {
  const before = await subjects.stateOf(charge);
  if (before.status !== status) throw new Error(`a charge for ${action} is ${before.status}, not ${status}`);
  let refusal: RefusalCode | null = null;
  try {
    await staffActions[action]?.(subjects, charge);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    refusal = error.code;
  }
  // After a refusal nothing may have changed, so nothing is due either.
  if (refusal === null) await subjects.settleAtBank(charge.user);
  const after = await subjects.stateOf(charge);
  const isUnchanged = isDeepStrictEqual(before, after);
  return { action, status, paidBy, refusal, effects: effectsOf(before, after), isUnchanged };
}

const hryvnias = (sum: number) => (sum / 100).toFixed(2);
const moved = (from: unknown, to: unknown) => (from === to ? [] : [`${from} → ${to}`]);
const sum = (name: string, from: number | null, to: number | null) =>
  from === to ? [] : [`${name} ${hryvnias(from ?? 0)} → ${hryvnias(to ?? 0)}`];
const cell = (texts: string[]) => (texts.length > 0 ? texts.join(', ') : 'same');

function effectsOf(before: StaffState, after: StaffState): StaffRun['effects'] {
  const energy = moved(before.energy, after.energy).map((text) => `energy ${text} Wh`);
  return {
    operation: cell([
      ...moved(before.status, after.status),
      ...energy,
      ...sum('total', before.total, after.total),
      ...sum('lost', before.lost, after.lost),
    ]),
    payment: cell([
      ...moved(before.payment, after.payment),
      ...sum('captured', before.captured, after.captured),
      ...sum('refunded', before.refunded, after.refunded),
    ]),
    ledger: cell(after.transfers.slice(before.transfers.length).map(([kind, amount]) => `${kind} ${hryvnias(amount)}`)),
    station: after.commands.slice(before.commands.length).join(', ') || '-',
  };
}

function answerOf({ refusal }: StaffRun): string {
  return refusal === null ? 'done' : `${refusals[refusal].status} \`${refusal}\``;
}

/** The cells of a run's row, after the first. */
export function staffOutcome(run: StaffRun): string {
  const { operation, payment, ledger, station } = run.effects;
  const check = run.faults.length > 0 ? `listed: ${run.faults.join('; ')}` : 'clean';
  return [answerOf(run), operation, payment, ledger, station, check].join(' | ');
}

export const staffRunName = ({ action, status, paidBy }: Pick<StaffRun, 'action' | 'status' | 'paidBy'>) =>
  `${action}: ${status} (${paidBy})`;

/** The outcomes that the document has, by action, state and way to pay. */
export function outcomesIn(document: string): Map<string, string> {
  const outcomes = new Map<string, string>();
  let action = '';
  for (const line of document.split('\n')) {
    action = /^## (.+)/.exec(line)?.[1] ?? action;
    const [, states = '', outcome = ''] = /^\| ([a-z_]+ \(.+?\)) \| (.+) \|$/.exec(line) ?? [];
    for (const [, status, ways = ''] of states.matchAll(/([a-z_]+) \(([^)]+)\)/g))
      for (const way of ways.split(', ')) outcomes.set(`${action}: ${status} (${way})`, outcome);
  }
  return outcomes;
}

/** States with the same outcome share a row. */
function rowsOf(runs: StaffRun[]): string[] {
  return [...Map.groupBy(runs, staffOutcome)].map(([text, same]) => {
    const states = [...Map.groupBy(same, ({ status }) => status)].map(
      ([status, of]) => `${status} (${of.map(({ paidBy }) => paidBy).join(', ')})`,
    );
    return `| ${states.join(', ')} | ${text} |`;
  });
}

const neverList = (bounds: readonly Bound[]) => bounds.map(({ never }) => `- never ${never}`);

/** docs/staff-actions.md, made from the runs. */
export function staffActionsDocument(runs: StaffRun[]): string {
  const tables = [...Map.groupBy(runs, ({ action }) => action)].flatMap(([action, of]) => [
    `## ${action}`,
    ...neverList(boundsOf(action)),
    '',
    '| state of the operation (paid by) | answer | operation | payment | transfers | command to the station | ledger check |',
    '|---|---|---|---|---|---|---|',
    ...rowsOf(of),
    '',
  ]);
  return [
    '# What each corrective action does in each state',
    '',
    'Made from real runs by `apps/server/src/charging/staff/document.test.ts`, which fails when a run and this page differ; `npm run unit -- apps/server/src/charging/staff/document.test.ts -u` writes it again. Each run has a charge at the sandbox’s bank, which only a refused action leaves to the next one: a deposit of 150.00, and 100 Wh worth 1.50 where power has flowed. After the action the bank answers everything that it was asked, then the whole ledger is checked. The station is away, so its commands are queued or answered as offline.',
    '',
    'A charge from the balance has its money at once and is settled at once: it is never `created`, `failed_hold` or `pending_final_payment`. A free charge has no payment, so actions on payments do not find one. `pending_final_payment` is a charge whose capture the bank has failed to do. Sums are in hryvnias.',
    '',
    'What an action may never do is listed above its table. Each run of `npm run proof -- staff` and each sequence of `npm test` checks it, right after the action and before the bank has answered. Whatever staff do:',
    '',
    ...neverList(boundsOfAll),
    '',
    ...tables,
  ].join('\n');
}
